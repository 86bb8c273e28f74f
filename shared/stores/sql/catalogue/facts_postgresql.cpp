// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/sql/catalogue/catalogue.h"
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/connection/postgres_driver.h"

#include <QSqlQuery>

namespace lockkeeper::stores::sql {

base::Result<ServerFacts> postgresqlFacts(SqlConnection &connection)
{
    const auto start = oneText(
        connection, QStringLiteral("SELECT CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS "
                                   "bigint)"));
    if (!start)
        return tl::unexpected(start.error());
    // Some versions let only superusers and pg_monitor read it. The start time alone still distinguishes
    // runs.
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
QString placeOf(const ResolvedTable &table)
{
    return quotedIdentifier(table.schema, Dialect::PostgreSql) + QLatin1Char('.') +
           quotedIdentifier(table.name, Dialect::PostgreSql);
}
} // namespace

base::Result<bool> mayHideRows(SqlConnection &connection, const ResolvedTable &table)
{
    return oneText(connection, QStringLiteral("SELECT CASE WHEN row_security_active(?) THEN 1 END"),
                   {placeOf(table)})
        .map([](const QString &yes) { return yes == QLatin1String("1"); });
}

base::Result<void> checkSchemaIsOpen(SqlConnection &connection, const QStringList &tables,
                                     const QString &account)
{
    // PostgreSQL resolves no name in a schema without USAGE, but its catalogue lists the schema's tables.
    auto rows = connection.query(
        QStringLiteral(
            "SELECT n.nspname, c.relname, CASE WHEN has_table_privilege(c.oid, 'SELECT') THEN 1 END "
            "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relname IN (%1) AND c.relkind IN ('r', 'p') "
            "AND NOT has_schema_privilege(n.oid, 'USAGE') AND EXISTS (SELECT 1 FROM "
            "unnest(string_to_array(current_setting('search_path'), ',')) AS path(name) WHERE n.nspname = "
            "CASE btrim(path.name, ' \"') WHEN '$user' THEN current_user ELSE btrim(path.name, ' \"') END) "
            "ORDER BY 1, 2 LIMIT 1")
            .arg(QStringList(tables.size(), QStringLiteral("?")).join(QLatin1Char(','))),
        QVariantList(tables.begin(), tables.end()));
    if (!rows)
        return tl::unexpected(rows.error());
    if (!rows->next())
        return {};
    ResolvedTable table;
    table.dialect = Dialect::PostgreSql;
    table.schema = rows->value(0).toString();
    table.name = rows->value(1).toString();
    QString grants = QStringLiteral("GRANT USAGE ON SCHEMA %1 TO %2;")
                         .arg(readableIdentifier(table.schema, Dialect::PostgreSql), account);
    if (rows->value(2).toInt() != 1)
        grants += QStringLiteral(" %1;").arg(grantStatement(table, TableRight::Observe, account));
    return base::failure(base::ErrorCode::PermissionDenied,
                         QStringLiteral("the schema \"%1\" of the table \"%2\" is closed to this user")
                             .arg(base::displayText(table.schema), base::displayText(table.name)),
                         QStringLiteral("Run: %1").arg(grants));
}

namespace {
/** True where a policy shows this account each row to such a command ('r', 'w' or 'd'), and none restricts.
 */
QString showsAll(const ResolvedTable &table, const QString &command)
{
    return QStringLiteral(
               "EXISTS (SELECT 1 FROM pg_catalog.pg_policy p WHERE p.polrelid = CAST(%1 AS regclass) "
               "AND p.polpermissive AND p.polcmd IN (%2, '*') "
               "AND pg_catalog.pg_get_expr(p.polqual, p.polrelid) = 'true' "
               "AND EXISTS (SELECT 1 FROM pg_catalog.unnest(p.polroles) AS r(id) "
               "WHERE r.id = 0 OR pg_catalog.pg_has_role(r.id, 'USAGE'))) "
               "AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_policy p WHERE p.polrelid = CAST(%1 AS regclass) "
               "AND NOT p.polpermissive AND p.polcmd IN (%2, '*'))")
        .arg(QString::fromUtf8(postgresLiteral(placeOf(table).toUtf8())), command);
}

QString showsAllToBreak(const ResolvedTable &table)
{
    return showsAll(table, QStringLiteral("'r'")) + QStringLiteral(" AND ") +
           showsAll(table, table.deletes ? QStringLiteral("'d'") : QStringLiteral("'w'"));
}
} // namespace

QByteArray underPolicies(const ResolvedTable &table, const Statement &statement)
{
    const bool writes = !statement.sql.startsWith("SELECT");
    const QString shows = writes ? showsAllToBreak(table) : showsAll(table, QStringLiteral("'r'"));
    return QStringLiteral("SELECT pg_catalog.set_config('row_security', CASE WHEN %1 THEN 'on' ELSE 'off' "
                          "END, true); ")
               .arg(shows)
               .toUtf8() +
           statement.sql;
}

base::Result<bool> mayBreakPostgresql(SqlConnection &connection, const ResolvedTable &table)
{
    const QString place = placeOf(table);
    const auto shown = oneText(
        connection, QStringLiteral("SELECT CASE WHEN NOT row_security_active(%1) OR (%2) "
                                   "THEN 1 END")
                        .arg(QString::fromUtf8(postgresLiteral(place.toUtf8())), showsAllToBreak(table)));
    if (!shown || *shown != QLatin1String("1"))
        return shown.map([](const QString &) { return false; });
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
