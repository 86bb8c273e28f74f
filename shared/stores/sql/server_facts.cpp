// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/server_facts.h"

#include "shared/stores/sql/identifiers.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kMostTablesNamed = 1000;

base::Result<QString> oneText(Connection &connection, const QString &sql, const QVariantList &values = {})
{
    auto query = connection.query(sql, values);
    if (!query)
        return tl::unexpected(query.error());
    return query->next() ? query->value(0).toString() : QString();
}

base::Result<QByteArray> instanceOf(Connection &connection)
{
    // server_uid is there from MariaDB 10.10 on; before, the start alone tells runs of one server apart.
    const QString id = connection.isMariaDb() ? QStringLiteral("@@GLOBAL.server_uid")
                                              : QStringLiteral("@@GLOBAL.server_uuid");
    const QString status = connection.isMariaDb() ? QStringLiteral("information_schema.GLOBAL_STATUS")
                                                  : QStringLiteral("performance_schema.global_status");
    const auto uid = oneText(connection, QStringLiteral("SELECT ") + id);
    if (!uid && !connection.isMariaDb())
        return tl::unexpected(uid.error());
    const auto start =
        oneText(connection, QStringLiteral("SELECT CAST(UNIX_TIMESTAMP() - VARIABLE_VALUE AS SIGNED) FROM %1 "
                                           "WHERE VARIABLE_NAME = 'UPTIME'")
                                .arg(status));
    if (!start)
        return tl::unexpected(start.error());
    return (uid.value_or(QString()) + QLatin1Char(':') + *start).toUtf8();
}

Column columnOf(const QSqlQuery &row, const QStringList &unique)
{
    const auto isWord = [](const QByteArray &text) {
        return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        });
    };
    Column column;
    column.name = row.value(1).toString();
    column.kind = columnKind(row.value(2).toString());
    column.typeText = row.value(3).toString();
    column.precision = std::clamp(row.value(4).toInt(), 0, 6);
    column.charset = row.value(5).toString().toLatin1();
    column.collation = row.value(6).toString().toLatin1();
    column.unique = unique.contains(column.name);
    // Both become part of the SQL, so nothing but a plain word will do.
    if (column.kind == ColumnKind::Text && !(isWord(column.charset) && isWord(column.collation)))
        column.kind = ColumnKind::Other;
    return column;
}

/** Columns that have a unique index of their own, over their whole length. */
base::Result<QStringList> uniqueColumns(Connection &connection, const QString &table)
{
    auto query = connection.query(
        QStringLiteral("SELECT MAX(COLUMN_NAME) FROM information_schema.STATISTICS "
                       "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? GROUP BY INDEX_NAME "
                       "HAVING COUNT(*) = 1 AND MAX(NON_UNIQUE) = 0 AND MAX(COALESCE(SUB_PART, 0)) = 0"),
        {table});
    if (!query)
        return tl::unexpected(query.error());
    QStringList names;
    while (query->next())
        names.append(query->value(0).toString());
    return names;
}

base::Result<QList<Column>> columnsOf(Connection &connection, const QString &table)
{
    const auto unique = uniqueColumns(connection, table);
    if (!unique)
        return tl::unexpected(unique.error());
    auto query = connection.query(
        QStringLiteral(
            "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, DATETIME_PRECISION, CHARACTER_SET_NAME, "
            "COLLATION_NAME FROM information_schema.COLUMNS "
            "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION"),
        {table});
    if (!query)
        return tl::unexpected(query.error());
    QList<Column> columns;
    while (query->next()) {
        // The catalogue compares without regard to case; only the exact name counts.
        if (query->value(0).toString() == table)
            columns.append(columnOf(*query, *unique));
    }
    return columns;
}

base::Result<QStringList> tableNames(Connection &connection)
{
    auto query =
        connection.query(QStringLiteral("SELECT TABLE_NAME FROM information_schema.TABLES "
                                        "WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME LIMIT %1")
                             .arg(kMostTablesNamed));
    if (!query)
        return tl::unexpected(query.error());
    QStringList names;
    while (query->next())
        names.append(query->value(0).toString());
    return names;
}

base::Result<bool> seesWholeDatabase(Connection &connection)
{
    const auto count = oneText(
        connection, QStringLiteral("SELECT (SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES "
                                   "WHERE PRIVILEGE_TYPE = 'SELECT') + (SELECT COUNT(*) FROM "
                                   "information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT' "
                                   "AND DATABASE() LIKE TABLE_SCHEMA)"));
    if (!count)
        return tl::unexpected(count.error());
    return count->toInt() > 0;
}
} // namespace

base::Result<ServerFacts> readServerFacts(Connection &connection)
{
    const auto instance = instanceOf(connection);
    if (!instance)
        return tl::unexpected(instance.error());
    const auto readOnly =
        oneText(connection, QStringLiteral("SELECT @@GLOBAL.read_only OR @@GLOBAL.innodb_read_only"));
    if (!readOnly)
        return tl::unexpected(readOnly.error());
    const auto account = oneText(connection, QStringLiteral("SELECT CURRENT_USER()"));
    if (!account)
        return tl::unexpected(account.error());
    const QString number = connection.version().section(QLatin1Char('-'), 0, 0);
    const QString product = connection.isMariaDb() ? QStringLiteral("MariaDB ") : QStringLiteral("MySQL ");
    return ServerFacts{product + number, *instance, quotedAccount(*account), readOnly->toInt() != 0};
}

base::Result<Catalogue> readCatalogue(Connection &connection, const QStringList &tables,
                                      const QString &account)
{
    Catalogue catalogue;
    catalogue.account = account;
    const auto database = oneText(connection, QStringLiteral("SELECT DATABASE()"));
    if (!database)
        return tl::unexpected(database.error());
    catalogue.database = *database;
    for (const QString &table : tables) {
        auto columns = columnsOf(connection, table);
        if (!columns)
            return tl::unexpected(columns.error());
        if (!columns->isEmpty())
            catalogue.columns.insert(table, *std::move(columns));
    }
    if (!catalogue.columns.isEmpty())
        return catalogue;
    auto names = tableNames(connection);
    const auto whole = seesWholeDatabase(connection);
    if (!names || !whole)
        return tl::unexpected(names ? whole.error() : names.error());
    catalogue.tables = *std::move(names);
    catalogue.seesWholeDatabase = *whole;
    return catalogue;
}

} // namespace lockkeeper::stores::sql
