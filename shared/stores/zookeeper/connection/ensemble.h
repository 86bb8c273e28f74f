// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/host_list.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::zookeeper {

/** Where a zookeeper:// URL leads. */
struct Ensemble
{
    QList<Host> servers; ///< each with its port, in the configured order
    QByteArray chroot;   ///< "/app"; empty: the whole tree
    QByteArray login;    ///< "user:password" of the digest scheme; empty: none
    qint64 connectTimeoutMs = 5'000;
    qint64 answerTimeoutMs = 5'000;
    qint64 sessionTimeoutMs = 0; ///< that the server is asked for; 0: ten seconds
};

/**
 * Reads `zookeeper://[user@]h1[:2181],h2[:2181][/chroot]`; a usage Error for anything else, and Unsupported
 * for TLS, which Debian's client library is built without.
 */
base::Result<Ensemble> ensembleOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::zookeeper
