// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/tls.h"

#include <optional>

namespace lockkeeper::stores::redis {

/** Where a Redis URL leads: a unix socket where `path` is set, a TCP port otherwise. */
struct Endpoint
{
    QString host;
    quint16 port = 6379;
    QString path;
    int database = 0;
    QByteArray user; ///< empty: the server's default user
    std::optional<Tls> tls = {};

    bool isUnix() const { return !path.isEmpty(); }
    /** For people: "HOST:PORT" or the path, control characters escaped. */
    QString address() const;
    QByteArray place() const { return QByteArray("db") + QByteArray::number(database); }
};

/**
 * Reads `redis://[user@]host[:port][/db]`, `rediss://…` (with the default way to verify) or
 * `redis+unix:///path[?db=N][&user=U]`; a usage Error for anything else.
 */
base::Result<Endpoint> endpointOf(const QUrl &url);

/** The same of the source's URL, with TLS as the source says. */
base::Result<Endpoint> endpointOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
