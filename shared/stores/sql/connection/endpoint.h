// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::stores::sql {

/** What a URL asks for. */
struct Endpoint
{
    QString host;
    QString serverName; ///< the host as the url has it: what a certificate is made out to
    int port = 3306;
    QString socket; ///< a local socket instead of host and port; PostgreSQL: the folder that it is in
    QString user;
    QString database; ///< SQLite: the file's path
    QString schema;   ///< PostgreSQL: where names lead; empty: as the server has it
    Dialect dialect = Dialect::MySql;
};

/**
 * Reads mysql://, mysql+unix://, postgresql:// and sqlite: URLs; a Usage error names what is missing.
 * PostgreSQL through a local socket: postgresql:///DATABASE?host=/run/postgresql&user=USER
 * (and &port=PORT). Either form takes the option schema=NAME.
 */
base::Result<Endpoint> endpointOf(const QUrl &url);

/**
 * The connect options of Qt's driver for the source's time limits and PostgreSQL's TLS files. Refuses what
 * can't be done: libmariadb checks a certificate's name with the certificate.
 */
base::Result<QString> connectOptionsOf(const Endpoint &endpoint, const SourceSpec &spec);

} // namespace lockkeeper::stores::sql
