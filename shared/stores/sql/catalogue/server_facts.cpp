// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"

#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/store.h"

#include <QFileInfo>
#include <QMap>
#include <QSet>
#include <QSqlQuery>

#include <algorithm>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kMostTablesNamed = 1000;

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

Column columnOf(const QSqlQuery &row, const QList<QStringList> &unique)
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
    column.nullable = row.value(7).toString() == QLatin1String("YES");
    column.length = int(std::min<qint64>(row.value(8).toLongLong(), 65'535));
    column.isLong = row.value(8).toLongLong() > kLongestValue; // bytes of the TEXT and BLOB types
    column.charset = row.value(5).toString().toLatin1();
    column.collation = row.value(6).toString().toLatin1();
    column.unique = unique.contains(QStringList{column.name});
    column.ascends = column.unique && column.kind == ColumnKind::Epoch &&
                     row.value(9).toString() == QLatin1String("PRI") &&
                     row.value(10).toString().contains(QLatin1String("auto_increment"), Qt::CaseInsensitive);
    // Both become part of the SQL, so nothing but a plain word will do.
    if (column.kind == ColumnKind::Text && !(isWord(column.charset) && isWord(column.collation)))
        column.kind = ColumnKind::Other;
    return column;
}

base::Result<TableColumns> mysqlColumns(Connection &connection, const QString &table)
{
    // A prefix, an expression: such an index tells no row from all others.
    const auto unique =
        keysOf(connection,
               QStringLiteral("SELECT INDEX_NAME, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS "
                              "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND NON_UNIQUE = 0 "
                              "ORDER BY INDEX_NAME, SEQ_IN_INDEX"),
               {table});
    if (!unique)
        return tl::unexpected(unique.error());
    // Prefixes, expressions and what isn't a B-tree order nothing.
    auto orders =
        ordersOf(connection,
                 QStringLiteral("SELECT COLUMN_NAME, INDEX_NAME FROM information_schema.STATISTICS "
                                "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND SEQ_IN_INDEX = 1 "
                                "AND SUB_PART IS NULL AND INDEX_TYPE = 'BTREE' AND COLUMN_NAME IS NOT NULL "
                                "ORDER BY INDEX_NAME DESC"),
                 {table});
    if (!orders)
        return tl::unexpected(orders.error());
    auto query = connection.query(
        QStringLiteral(
            "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, DATETIME_PRECISION, CHARACTER_SET_NAME, "
            "COLLATION_NAME, IS_NULLABLE, CHARACTER_MAXIMUM_LENGTH, COLUMN_KEY, EXTRA FROM "
            "information_schema.COLUMNS "
            "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION"),
        {table});
    if (!query)
        return tl::unexpected(query.error());
    TableColumns found;
    found.uniqueKeys = *unique;
    found.orders = *std::move(orders);
    while (query->next()) {
        // The catalogue compares without regard to case; only the exact name counts.
        if (query->value(0).toString() == table)
            found.columns.append(columnOf(*query, *unique));
    }
    return found;
}

base::Result<TableColumns> columnsOf(Connection &connection, const QString &table)
{
    switch (connection.dialect()) {
    case Dialect::PostgreSql:
        return postgresqlColumns(connection, table);
    case Dialect::Sqlite:
        return sqliteColumns(connection, table);
    case Dialect::MySql:
        break;
    }
    return mysqlColumns(connection, table);
}

base::Result<bool> seesWholeDatabase(Connection &connection)
{
    if (connection.dialect() != Dialect::MySql)
        return true; // their catalogues hide nothing
    const auto count = oneText(
        connection, QStringLiteral("SELECT (SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES "
                                   "WHERE PRIVILEGE_TYPE = 'SELECT') + (SELECT COUNT(*) FROM "
                                   "information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT' "
                                   "AND DATABASE() LIKE TABLE_SCHEMA)"));
    if (!count)
        return tl::unexpected(count.error());
    return count->toInt() > 0;
}

base::Result<ServerFacts> mysqlFacts(Connection &connection)
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

base::Result<QString> databaseName(Connection &connection)
{
    switch (connection.dialect()) {
    case Dialect::PostgreSql:
        return oneText(connection, QStringLiteral("SELECT current_database()"));
    case Dialect::Sqlite:
        return QFileInfo(connection.endpoint().database).completeBaseName();
    case Dialect::MySql:
        break;
    }
    return oneText(connection, QStringLiteral("SELECT DATABASE()"));
}
} // namespace

base::Result<QString> oneText(Connection &connection, const QString &sql, const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        return row.next() ? row.value(0).toString() : QString();
    });
}

base::Result<bool> anyRow(Connection &connection, const QString &sql)
{
    return connection.query(sql).map([](QSqlQuery rows) { return rows.next(); });
}

base::Result<QStringList> textsOf(Connection &connection, const QString &sql, const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        QStringList texts;
        while (row.next())
            texts.append(row.value(0).toString());
        return texts;
    });
}

base::Result<QList<QStringList>> keysOf(Connection &connection, const QString &sql,
                                        const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        QMap<QString, QStringList> keys;
        QSet<QString> cut;
        while (row.next()) {
            keys[row.value(0).toString()].append(row.value(1).toString());
            if (row.isNull(1) || !row.isNull(2))
                cut.insert(row.value(0).toString());
        }
        keys.removeIf([&cut](const auto &entry) { return cut.contains(entry.key()); });
        return keys.values();
    });
}

base::Result<QHash<QString, QString>> ordersOf(Connection &connection, const QString &sql,
                                               const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        QHash<QString, QString> orders;
        while (row.next())
            orders.insert(row.value(0).toString(), row.value(1).toString());
        return orders;
    });
}

base::Result<QStringList> tableNames(Connection &connection)
{
    static const QHash<Dialect, QString> kNames{
        {Dialect::MySql, QStringLiteral("SELECT TABLE_NAME FROM information_schema.TABLES "
                                        "WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME LIMIT %1")},
        {Dialect::PostgreSql,
         QStringLiteral("SELECT relname FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p') "
                        "AND pg_catalog.pg_table_is_visible(oid) AND relnamespace NOT IN "
                        "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname LIKE 'pg\\_%' OR "
                        "nspname = 'information_schema') ORDER BY relname LIMIT %1")},
        {Dialect::Sqlite, QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' "
                                         "ORDER BY name LIMIT %1")}};
    return textsOf(connection, kNames.value(connection.dialect()).arg(kMostTablesNamed));
}

QStringList tableCandidates(const TablePreset &layout)
{
    if (layout.ownTable)
        return layout.tables;
    QStringList names;
    for (const QString &table : layout.tables)
        names << table << table.toLower() << table.toUpper();
    names.removeDuplicates();
    return names;
}

base::Result<ServerFacts> readServerFacts(Connection &connection)
{
    if (connection.dialect() == Dialect::PostgreSql)
        return postgresqlFacts(connection);
    if (connection.dialect() == Dialect::Sqlite)
        return sqliteFacts(connection);
    return mysqlFacts(connection);
}

base::Result<Catalogue> readCatalogue(Connection &connection, const TablePreset &layout,
                                      const QString &account)
{
    Catalogue catalogue;
    catalogue.account = account;
    const auto database = databaseName(connection);
    if (!database)
        return tl::unexpected(database.error());
    catalogue.database = *database;
    for (const QString &table : tableCandidates(layout)) {
        auto columns = columnsOf(connection, table);
        if (!columns)
            return tl::unexpected(columns.error());
        if (!columns->isEmpty())
            catalogue.found.insert(table, *std::move(columns));
    }
    if (!catalogue.found.isEmpty())
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
