// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/store.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kVarHeader = 4; ///< a length modifier counts its own header
constexpr int kMostBytesACharacter = 4;

Column postgresColumn(const QSqlQuery &row, const QList<QStringList> &unique)
{
    Column column;
    column.name = row.value(0).toString();
    column.kind = columnKind(row.value(1).toString(), Dialect::PostgreSql);
    column.typeText = row.value(2).toString();
    const int modifier = row.value(3).toInt();
    const bool isTime = column.kind == ColumnKind::Timestamp || column.kind == ColumnKind::DateTime;
    column.precision = isTime ? (modifier < 0 ? 6 : std::clamp(modifier, 0, 6)) : 0;
    column.length = !isTime && modifier > kVarHeader ? modifier - kVarHeader : 0;
    column.isLong = column.kind == ColumnKind::Text && row.value(1).toString() != QLatin1String("name") &&
                    (column.length == 0 || column.length > kLongestValue / kMostBytesACharacter);
    column.nullable = !row.value(4).toBool();
    column.unique = unique.contains(QStringList{column.name});
    return column;
}
} // namespace

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

base::Result<TableColumns> postgresqlColumns(Connection &connection, const QString &table)
{
    auto found = connection.query(QStringLiteral("SELECT c.oid, n.nspname FROM pg_catalog.pg_class c "
                                                 "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                                                 "WHERE c.relname = ? AND c.relkind IN ('r', 'p') "
                                                 "AND pg_catalog.pg_table_is_visible(c.oid)"),
                                  {table});
    if (!found)
        return tl::unexpected(found.error());
    TableColumns columns;
    if (!found->next())
        return columns;
    const qlonglong oid = found->value(0).toLongLong();
    columns.schema = found->value(1).toString();
    // No expression, no predicate, and valid.
    auto unique = keysOf(
        connection,
        QStringLiteral("SELECT i.indexrelid, a.attname, NULL FROM pg_catalog.pg_index i "
                       "CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, n) "
                       "JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum "
                       "WHERE i.indrelid = %1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL "
                       "AND i.indexprs IS NULL AND k.n <= i.indnkeyatts ORDER BY i.indexrelid, k.n")
            .arg(oid));
    if (!unique)
        return tl::unexpected(unique.error());
    columns.uniqueKeys = *std::move(unique);
    auto orders = ordersOf(
        connection,
        QStringLiteral("SELECT a.attname, c.relname FROM pg_catalog.pg_index i "
                       "JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid "
                       "JOIN pg_catalog.pg_am m ON m.oid = c.relam "
                       "JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] "
                       "WHERE i.indrelid = %1 AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree' "
                       "ORDER BY c.relname DESC")
            .arg(oid));
    if (!orders)
        return tl::unexpected(orders.error());
    columns.orders = *std::move(orders);
    auto query = connection.query(
        QStringLiteral("SELECT a.attname, CASE t.typtype WHEN 'e' THEN 'enum' ELSE t.typname END, "
                       "pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypmod, a.attnotnull FROM "
                       "pg_catalog.pg_attribute a "
                       "JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
                       "WHERE a.attrelid = %1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum")
            .arg(oid));
    if (!query)
        return tl::unexpected(query.error());
    while (query->next())
        columns.columns.append(postgresColumn(*query, columns.uniqueKeys));
    return columns;
}

base::Result<bool> mayBreakPostgresql(Connection &connection, const Table &table)
{
    const QString place = quotedIdentifier(table.schema, Dialect::PostgreSql) + QLatin1Char('.') +
                          quotedIdentifier(table.name, Dialect::PostgreSql);
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
