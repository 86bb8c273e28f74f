// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

namespace tst_sql_catalogue {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using namespace lockkeeper::tests;

/** Facts about tables in the catalogues of real servers: above all which columns are unique. */
class SqlCatalogueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void uniqueKeys_data();
    void uniqueKeys();
    void countedColumns_data() { uniqueKeys_data(); }
    void countedColumns();

private:
    /** The columns of these tables, read over a separate connection. */
    QHash<QString, CatalogueTable> read(const TestDatabase &database, const QStringList &tables);

    TestDatabases m_databases;
};

void SqlCatalogueTest::uniqueKeys_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

QHash<QString, CatalogueTable> SqlCatalogueTest::read(const TestDatabase &database, const QStringList &tables)
{
    SqlConnection connection;
    const auto opened = connection.open(database.spec());
    const auto found = opened ? readColumns(connection, tables) : tl::unexpected(opened.error());
    if (!found)
        qWarning("%s", qPrintable(found.error().line()));
    return found.value_or(QHash<QString, CatalogueTable>());
}

/** An index of a column's prefix, of some rows, of a function, or without uniqueness: none of them makes a
 * name unique. */
void SqlCatalogueTest::uniqueKeys()
{
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE locks (a VARCHAR(40) NOT NULL, b VARCHAR(40) NOT NULL, c VARCHAR(40), "
                       "ends {TIME}, PRIMARY KEY (a, b))"));
    if (!database)
        QSKIP("no such server here");
    const bool isMySql = database->dialect() == Dialect::MySql;
    database->exec(QStringLiteral("CREATE UNIQUE INDEX one ON locks (c)"));
    database->exec(QStringLiteral("CREATE UNIQUE INDEX pair ON locks (c, b)"));
    database->exec(QStringLiteral("CREATE INDEX plain ON locks (b)"));
    database->exec(QStringLiteral("CREATE INDEX by_end ON locks (ends)"));
    if (isMySql) {
        database->exec(QStringLiteral("CREATE UNIQUE INDEX cut ON locks (b, c(10))"));
    } else {
        database->exec(QStringLiteral("CREATE UNIQUE INDEX part ON locks (b) WHERE c = 'x'"));
        database->exec(QStringLiteral("CREATE UNIQUE INDEX lowered ON locks (lower(b))"));
    }
    const QString other = database->dialect() == Dialect::PostgreSql ? QStringLiteral("\"Locks\"")
                                                                     : QStringLiteral("none_of_these");
    database->exec(QStringLiteral("CREATE TABLE %1 (a VARCHAR(40) PRIMARY KEY)").arg(other));

    const auto found =
        read(*database, {QStringLiteral("locks"), QStringLiteral("LOCKS"), QStringLiteral("gone")});
    QCOMPARE(found.keys(), QStringList{QStringLiteral("locks")});
    const CatalogueTable table = found.value(QStringLiteral("locks"));
    const QStringList primary{QStringLiteral("a"), QStringLiteral("b")};
    QCOMPARE(table.uniqueKeys.value(0), primary);
    const QSet<QStringList> keys(table.uniqueKeys.begin(), table.uniqueKeys.end());
    QCOMPARE(keys,
             (QSet<QStringList>{primary, {QStringLiteral("c")}, {QStringLiteral("c"), QStringLiteral("b")}}));
    QCOMPARE(table.uniqueKeys.size(), 3);
    for (const Column &column : table.columns)
        QCOMPARE(column.unique, column.name == QLatin1String("c"));
    const QString byEnd = database->dialect() == Dialect::Sqlite ? QString() : QStringLiteral("by_end");
    QCOMPARE(table.orders.value(QStringLiteral("ends")), byEnd);
}

void SqlCatalogueTest::countedColumns()
{
    TestDatabase *database = m_databases.freshOfRow(
        QStringLiteral("CREATE TABLE jobs (id {ID}, name VARCHAR(64) NOT NULL UNIQUE, tries INTEGER)"));
    if (!database)
        QSKIP("no such server here");
    const CatalogueTable table = read(*database, {QStringLiteral("jobs")}).value(QStringLiteral("jobs"));
    QCOMPARE(table.uniqueKeys,
             (QList<QStringList>{{QStringLiteral("id")}, {QStringLiteral("name")}})); // the primary key first
    QCOMPARE(table.columns.size(), 3);
    for (const Column &column : table.columns) {
        const bool isId = column.name == QLatin1String("id");
        QCOMPARE(column.counted, isId);
        QCOMPARE(column.ascends, isId && database->dialect() == Dialect::MySql);
        QCOMPARE(column.nullable,
                 column.name == QLatin1String("tries") || (isId && database->dialect() == Dialect::Sqlite));
    }
    QCOMPARE(table.columns.at(1).length, 64);
    QCOMPARE(table.columns.at(1).typeLength(), 64);
}

LOCKKEEPER_TEST(SqlCatalogueTest)

} // namespace tst_sql_catalogue

#include "tst_sql_catalogue.moc"
