// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"

#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QFileInfo>
#include <QSqlQuery>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kMostTablesNamed = 1000;

base::Result<QByteArray> instanceOf(SqlConnection &connection)
{
    // server_uid exists from MariaDB 10.10 on. Before, only the start time distinguishes runs of one server.
    const QString id = connection.isMariaDb() ? QStringLiteral("@@GLOBAL.server_uid")
                                              : QStringLiteral("@@GLOBAL.server_uuid");
    const auto uid = oneText(connection, QStringLiteral("SELECT ") + id);
    if (!uid && !connection.isMariaDb())
        return tl::unexpected(uid.error());
    // A server without that table still has its own id: only its restarts go unnoticed.
    const auto start = oneText(connection, startStatement(connection.isMariaDb()));
    if (!start && (isLinkLost(start.error().code) || !uid))
        return tl::unexpected(start.error());
    return (uid.value_or(QString()) + QLatin1Char(':') + start.value_or(QString())).toUtf8();
}

base::Result<bool> seesWholeDatabase(SqlConnection &connection)
{
    if (connection.dialect() != Dialect::MySql)
        return true; // other dialects' catalogues hide nothing
    const auto count = oneText(
        connection, QStringLiteral("SELECT (SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES "
                                   "WHERE PRIVILEGE_TYPE = 'SELECT') + (SELECT COUNT(*) FROM "
                                   "information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT' "
                                   "AND DATABASE() LIKE TABLE_SCHEMA)"));
    if (!count)
        return tl::unexpected(count.error());
    return count->toInt() > 0;
}

base::Result<ServerFacts> mysqlFacts(SqlConnection &connection)
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

/** The names to look up for a layout's tables: a preset's own names also in lower and upper case. */
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

} // namespace

QString startStatement(bool isMariaDb)
{
    return QStringLiteral("SELECT CAST(UNIX_TIMESTAMP() - VARIABLE_VALUE AS SIGNED) FROM %1 "
                          "WHERE VARIABLE_NAME = 'UPTIME'")
        .arg(isMariaDb ? QStringLiteral("information_schema.GLOBAL_STATUS")
                       : QStringLiteral("performance_schema.global_status"));
}

base::Result<QString> databaseName(SqlConnection &connection)
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

base::Result<QString> oneText(SqlConnection &connection, const QString &sql, const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        return row.next() ? row.value(0).toString() : QString();
    });
}

base::Result<bool> anyRow(SqlConnection &connection, const QString &sql)
{
    return connection.query(sql).map([](QSqlQuery rows) { return rows.next(); });
}

base::Result<QStringList> textsOf(SqlConnection &connection, const QString &sql, const QVariantList &values)
{
    return connection.query(sql, values).map([](QSqlQuery row) {
        QStringList texts;
        while (row.next())
            texts.append(row.value(0).toString());
        return texts;
    });
}

base::Result<QStringList> tableNames(SqlConnection &connection)
{
    static const QHash<Dialect, QString> kNames{
        {Dialect::MySql, QStringLiteral("SELECT TABLE_NAME FROM information_schema.TABLES "
                                        "WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME LIMIT %1")},
        {Dialect::PostgreSql,
         QStringLiteral("SELECT relname FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p') "
                        "AND pg_catalog.pg_table_is_visible(oid) AND relnamespace NOT IN "
                        "(SELECT oid FROM pg_catalog.pg_namespace WHERE left(nspname, 3) = 'pg_' OR "
                        "nspname = 'information_schema') ORDER BY relname LIMIT %1")},
        {Dialect::Sqlite, QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' "
                                         "ORDER BY name LIMIT %1")}};
    return textsOf(connection, kNames.value(connection.dialect()).arg(kMostTablesNamed));
}

base::Result<ServerFacts> readServerFacts(SqlConnection &connection)
{
    if (connection.dialect() == Dialect::PostgreSql)
        return postgresqlFacts(connection);
    if (connection.dialect() == Dialect::Sqlite)
        return sqliteFacts(connection);
    return mysqlFacts(connection);
}

base::Result<Catalogue> readCatalogue(SqlConnection &connection, const TablePreset &layout,
                                      const QString &account)
{
    Catalogue catalogue;
    catalogue.account = account;
    const auto database = databaseName(connection);
    if (!database)
        return tl::unexpected(database.error());
    catalogue.database = *database;
    auto found = readColumns(connection, tableCandidates(layout));
    if (!found)
        return tl::unexpected(found.error());
    catalogue.found = *std::move(found);
    if (!catalogue.found.isEmpty())
        return catalogue;
    if (connection.dialect() == Dialect::PostgreSql) {
        if (const auto open = checkSchemaIsOpen(connection, tableCandidates(layout), account); !open)
            return tl::unexpected(open.error());
    }
    auto names = tableNames(connection);
    const auto whole = seesWholeDatabase(connection);
    if (!names || !whole)
        return tl::unexpected(names ? whole.error() : names.error());
    catalogue.tables = *std::move(names);
    catalogue.seesWholeDatabase = *whole;
    return catalogue;
}

} // namespace lockkeeper::stores::sql
