// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/identifiers.h"

namespace lockkeeper::stores::sql {

base::Result<ServerFacts> postgresqlFacts(Connection &connection)
{
    const auto start = oneText(
        connection, QStringLiteral("SELECT CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS "
                                   "bigint)"));
    if (!start)
        return tl::unexpected(start.error());
    // Only superusers and pg_monitor may read it in some versions; the start alone still tells runs apart.
    const auto system =
        oneText(connection, QStringLiteral("SELECT system_identifier FROM pg_catalog.pg_control_system()"));
    const auto standby = oneText(
        connection, QStringLiteral("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') "
                                   "= 'on'"));
    const auto user = oneText(connection, QStringLiteral("SELECT current_user"));
    const auto version = oneText(connection, QStringLiteral("SELECT current_setting('server_version')"));
    if (!standby || !user || !version)
        return tl::unexpected(!standby ? standby.error() : !user ? user.error() : version.error());
    return ServerFacts{QStringLiteral("PostgreSQL ") + version->section(QLatin1Char(' '), 0, 0),
                       (system.value_or(QString()) + QLatin1Char(':') + *start).toUtf8(),
                       quotedIdentifier(*user, Dialect::PostgreSql),
                       *standby == QLatin1String("true") || *standby == QLatin1String("t")};
}

namespace {
QString placeOf(const Table &table)
{
    return quotedIdentifier(table.schema, Dialect::PostgreSql) + QLatin1Char('.') +
           quotedIdentifier(table.name, Dialect::PostgreSql);
}
} // namespace

base::Result<bool> mayHideRows(Connection &connection, const Table &table)
{
    return oneText(connection, QStringLiteral("SELECT CASE WHEN row_security_active(?) THEN 1 END"),
                   {placeOf(table)})
        .map([](const QString &yes) { return yes == QLatin1String("1"); });
}

base::Result<bool> mayBreakPostgresql(Connection &connection, const Table &table)
{
    const QString place = placeOf(table);
    if (table.deletes) {
        return oneText(connection,
                       QStringLiteral("SELECT CASE WHEN has_table_privilege(?, 'DELETE') THEN 1 END"),
                       {place})
            .map([](const QString &yes) { return yes == QLatin1String("1"); });
    }
    for (const QString &column : table.written()) {
        const auto may = oneText(
            connection, QStringLiteral("SELECT CASE WHEN has_column_privilege(?, ?, 'UPDATE') THEN 1 END"),
            {place, column});
        if (!may)
            return tl::unexpected(may.error());
        if (*may != QLatin1String("1"))
            return false;
    }
    return true;
}

} // namespace lockkeeper::stores::sql
