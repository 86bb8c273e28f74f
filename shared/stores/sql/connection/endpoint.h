// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::stores::sql {

/** The target that a source's URL names. */
struct Endpoint
{
    QString host;
    QString serverName; ///< the URL's host, to which a certificate is issued
    int port = 3306;
    QString socket; ///< a local socket instead of host and port; PostgreSQL: the socket's folder
    QString user;
    QString database; ///< SQLite: the file's path
    QString schema;   ///< PostgreSQL: schema in which names resolve; empty: the server's default
    Dialect dialect = Dialect::MySql;
};

/**
 * Reads mysql://, mysql+unix://, postgresql:// and sqlite: URLs; a Usage error names what is missing.
 * PostgreSQL through a local socket: postgresql:///DATABASE?host=/run/postgresql&user=USER
 * (and &port=PORT). Either form takes the option schema=NAME.
 */
base::Result<Endpoint> endpointOf(const QUrl &url);

/**
 * The connect options of Qt's driver for the source's time limits and PostgreSQL's TLS files. Rejects
 * verify = "ca" for MySQL: libmariadb always checks a certificate together with its name.
 */
base::Result<QString> connectOptionsOf(const Endpoint &endpoint, const SourceSpec &spec);

} // namespace lockkeeper::stores::sql
