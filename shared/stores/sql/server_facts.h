// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue.h"
#include "shared/stores/sql/connection.h"

namespace lockkeeper::stores::sql {

/** What one connection finds about its server. */
struct ServerFacts
{
    QString product; ///< "MariaDB 10.11.6" or "MySQL 9.1.0"
    /**
     * The server's unique id and the second in which its process started, both exact: the status variable
     * Uptime is "now − start" in whole seconds of the same clock as UNIX_TIMESTAMP() in the same statement.
     */
    QByteArray instance;
    QString account; ///< 'lk'@'%'
    bool readOnly = false;
};

base::Result<ServerFacts> readServerFacts(Connection &connection);

/** Looks the tables up in the catalogue; their names are bound as values. */
base::Result<Catalogue> readCatalogue(Connection &connection, const QStringList &tables,
                                      const QString &account);

} // namespace lockkeeper::stores::sql
