// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/catalogue.h"
#include "shared/stores/sql/connection/sql_connection.h"

namespace lockkeeper::stores::sql {

/** The facts that one connection finds about its server. */
struct ServerFacts
{
    QString product; ///< "MariaDB 10.11.6", "MySQL 9.1.0", "PostgreSQL 15.6" or "SQLite 3.40.1"
    /**
     * The server's unique id and the moment in which its process started, both exact. MySQL: the status
     * variable Uptime is "now − start" in whole seconds of the same clock as UNIX_TIMESTAMP() in the same
     * statement. PostgreSQL: the cluster's system identifier where it may be read, and
     * pg_postmaster_start_time(). SQLite: the file itself (device and number), as nothing restarts.
     */
    QByteArray instance;
    QString account; ///< 'lk'@'%'; PostgreSQL: "lk"
    bool readOnly = false;
};

base::Result<ServerFacts> readServerFacts(SqlConnection &connection);

/** The statement that reads the start of a MySQL or MariaDB process: the part of `instance` after the last
 * colon. */
QString startStatement(bool isMariaDb);

/** The connection's database; for SQLite the file's name. */
base::Result<QString> databaseName(SqlConnection &connection);

/** The columns, unique keys and orders of these tables, as far as this user may see them, by exact name. */
base::Result<QHash<QString, CatalogueTable>> readColumns(SqlConnection &connection,
                                                         const QStringList &tables);

/** Looks a layout's tables up in the catalogue; their names are bound as values. */
base::Result<Catalogue> readCatalogue(SqlConnection &connection, const TablePreset &layout,
                                      const QString &account);

/** The one value of the one row, as text. */
base::Result<QString> oneText(SqlConnection &connection, const QString &sql, const QVariantList &values = {});
/** True where the statement returns a row. */
base::Result<bool> anyRow(SqlConnection &connection, const QString &sql);
/** The first value of each row, as text. */
base::Result<QStringList> textsOf(SqlConnection &connection, const QString &sql,
                                  const QVariantList &values = {});
// Queries of a single dialect.
base::Result<ServerFacts> postgresqlFacts(SqlConnection &connection);
base::Result<ServerFacts> sqliteFacts(SqlConnection &connection);
base::Result<QStringList> tableNames(SqlConnection &connection);
/** True where PostgreSQL's row level security may hide rows of the table from this account. */
base::Result<bool> mayHideRows(SqlConnection &connection, const ResolvedTable &table);
/** PermissionDenied with the GRANTs to run where one of the tables is in a schema of the search path that
 * this account may not use. */
base::Result<void> checkSchemaIsOpen(SqlConnection &connection, const QStringList &tables,
                                     const QString &account);
/** The statement for a table with row level security: it fails unless this account may see all rows. */
QByteArray underPolicies(const ResolvedTable &table, const Statement &statement);
base::Result<bool> mayBreakPostgresql(SqlConnection &connection, const ResolvedTable &table);

} // namespace lockkeeper::stores::sql
