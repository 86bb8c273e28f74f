// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/mysql_tls.h"
#include "shared/stores/sql/page_rows.h"
#include "shared/stores/sql/shedlock.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_page_rows {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using namespace lockkeeper::tests;

/** Rows that come straight from the client library are those that Qt's driver gives. */
class SqlPageRowsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameRows_data() { everyServer(); }
    void sameRows();
    void bindsAnything_data() { everyServer(); }
    void bindsAnything();
    void failsOnTheWay();
    void leavesTheRest_data() { everyServer(); }
    void leavesTheRest();
    void seesAnAlteredTable_data() { everyServer(); }
    void seesAnAlteredTable();
    void passOfLongValues_data() { everyServer(); }
    void passOfLongValues();

private:
    using Rows = std::unique_ptr<PageRows>;

    void everyServer();
    /** The emptied database, with m_connection open to it. */
    TestDatabase *opened(const QString &create = {});
    Rows streamed(const QByteArray &sql, const QList<QByteArray> &binds = {});
    static QList<QList<QByteArray>> read(PageRows &rows, const Values &values = {});

    TestDatabases m_databases;
    Connection m_connection;
};

void SqlPageRowsTest::everyServer()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "mysql"})
        QTest::newRow(server) << QString::fromLatin1(server);
    if (!mysqltls::isBuilt())
        QSKIP("this build has no libmariadb");
}

TestDatabase *SqlPageRowsTest::opened(const QString &create)
{
    m_connection.close();
    TestDatabase *database = m_databases.freshOfRow(create);
    return database && m_connection.open(database->spec()) ? database : nullptr;
}

SqlPageRowsTest::Rows SqlPageRowsTest::streamed(const QByteArray &sql, const QList<QByteArray> &binds)
{
    auto rows = openStreamedRows(m_connection, {sql, binds});
    return rows ? std::move(*rows) : nullptr;
}

/** Every row as text; NULL is a null array. */
QList<QList<QByteArray>> SqlPageRowsTest::read(PageRows &rows, const Values &values)
{
    QList<QList<QByteArray>> read;
    if (const auto failed = rows.run(values)) {
        qWarning().noquote() << failed->line();
        return read;
    }
    while (rows.next() == PageRows::Next::Row) {
        QList<QByteArray> row;
        for (const RowCell &cell : rows.cells())
            row.append(cell.isNull() ? QByteArray() : cell.bytes());
        read.append(row);
    }
    rows.finish();
    return read;
}

void SqlPageRowsTest::sameRows()
{
    TestDatabase *database = opened(
        QStringLiteral("CREATE TABLE odd (n BIGINT, u BIGINT UNSIGNED, a LONGTEXT, b LONGBLOB, c CHAR(9))"));
    if (!database)
        QSKIP("no such server here");
    const QStringList rows{
        QStringLiteral("(1, 0, '', '', '')"),
        QStringLiteral("(NULL, NULL, NULL, NULL, NULL)"),
        QStringLiteral("(-9223372036854775808, 9223372036854775808, 'ä€😀', x'00ff00', 'x  ')"),
        QStringLiteral("(2, 2, REPEAT('a', 256), REPEAT('b', 257), 'y')"),
        QStringLiteral("(3, 3, REPEAT('é', 70000), REPEAT(x'0d0a00', 99999), NULL)"),
        QStringLiteral("(4, 4, 'short', NULL, 'z')"),
        QStringLiteral("(5, 5, NULL, REPEAT('c', 300), '')")};
    for (const QString &row : rows)
        database->run(QStringLiteral("INSERT INTO odd VALUES ") + row);
    const QByteArray sql(
        "SELECT n, CAST(u AS BINARY), CAST(a AS BINARY), CAST(b AS BINARY), CAST(c AS BINARY), "
        "CAST(n AS BINARY) AS t, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', "
        "TIMESTAMP'2026-01-01 00:00:00.5') FROM odd");
    const Rows mine = streamed(sql);
    QVERIFY(mine);
    const auto theirs = openQueriedRows(m_connection, {sql, {}});
    QVERIFY(theirs);
    const auto expected = read(**theirs);
    QCOMPARE(expected.size(), rows.size());
    QCOMPARE(read(*mine), expected);
    QCOMPARE(read(*mine), expected); // with the room that the first run made
    QVERIFY(expected.at(1).at(0).isNull() && !expected.at(0).at(2).isNull());
    QCOMPARE(expected.at(4).at(3).size(), 3 * 99'999);
}

void SqlPageRowsTest::bindsAnything()
{
    if (!opened())
        QSKIP("no such server here");
    const Rows rows =
        streamed("SELECT CAST(? AS BINARY), CAST(? AS SIGNED), CAST(? AS BINARY)", {"a", "n", "none"});
    QVERIFY(rows);
    const QByteArray bytes("it's\0\\\xff", 8);
    const Values values{{"a", bytes}, {"n", qint64(-9'000'000'000)}, {"unused", 1}};
    QCOMPARE(read(*rows, values), (QList<QList<QByteArray>>{{bytes, "-9000000000", {}}}));
    const auto again = read(*rows, {{"a", QByteArray("")}, {"n", 7}, {"none", QByteArray("x")}});
    QCOMPARE(again, (QList<QList<QByteArray>>{{"", "7", "x"}}));
    QVERIFY(!again.first().first().isNull());
}

/** The server ends a statement whose first rows were read; the connection is good for the next. */
void SqlPageRowsTest::failsOnTheWay()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mariadb"));
    m_connection.close();
    if (!database || !mysqltls::isBuilt())
        QSKIP("no such server here");
    SourceSpec spec = database->spec();
    spec.statementTimeoutMs = 1'000;
    QVERIFY(m_connection.open(spec));
    const Rows rows = streamed("SELECT REPEAT('x', 60000), IF(seq < 40, 0, SLEEP(30)) FROM seq_1_to_50");
    QVERIFY(rows);
    QVERIFY(!rows->run({}));
    int read = 0;
    PageRows::Next next = PageRows::Next::Row;
    for (; (next = rows->next()) == PageRows::Next::Row; ++read) {
    }
    QVERIFY(next == PageRows::Next::Failed && read > 10 && read < 50);
    QCOMPARE(rows->error().code, base::ErrorCode::Timeout);
    rows->finish();
    QVERIFY(m_connection.storeTimeUs().has_value());
}

void SqlPageRowsTest::leavesTheRest()
{
    if (!opened(QStringLiteral("CREATE TABLE t (n INT)")))
        QSKIP("no such server here");
    QVERIFY(m_connection.query(QStringLiteral("INSERT INTO t VALUES (1), (2), (3)")));
    const Rows rows = streamed("SELECT n FROM t ORDER BY n");
    QVERIFY(rows);
    for (int i = 0; i < 3; ++i) {
        QVERIFY(!rows->run({}) && rows->next() == PageRows::Next::Row);
        QCOMPARE(rows->cells().front().toNumber(), 1);
        rows->finish();
        QVERIFY(m_connection.storeTimeUs().has_value());
    }
    QVERIFY(!openStreamedRows(m_connection, {"SELECT nothing FROM t", {}}).has_value());
}

void SqlPageRowsTest::seesAnAlteredTable()
{
    TestDatabase *database = opened(QStringLiteral("CREATE TABLE t (v INT)"));
    if (!database)
        QSKIP("no such server here");
    database->run(QStringLiteral("INSERT INTO t VALUES (17)"));
    const Rows rows = streamed("SELECT v FROM t");
    QVERIFY(rows);
    QCOMPARE(read(*rows), (QList<QList<QByteArray>>{{"17"}}));
    database->run(QStringLiteral("ALTER TABLE t MODIFY v VARCHAR(2000) CHARACTER SET utf8mb4"));
    database->run(QStringLiteral("UPDATE t SET v = REPEAT('seventeen', 100)"));
    QCOMPARE(read(*rows), (QList<QList<QByteArray>>{{QByteArray("seventeen").repeated(100)}}));
}

/** Longer and shorter values take turns in a pass of several ranges and pages. */
void SqlPageRowsTest::passOfLongValues()
{
    TestDatabase *database = opened(
        QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until "
                       "TIMESTAMP(6) NOT NULL, locked_at TIMESTAMP(6) NOT NULL, locked_by TEXT NOT NULL)"));
    if (!database)
        QSKIP("no such server here");
    QStringList values;
    for (int i = 0; i < 250; ++i)
        values.append(QStringLiteral("('n%1', '2037-01-01', '2026-01-01', REPEAT('%2', %3))")
                          .arg(i)
                          .arg(i % 10)
                          .arg(i % 7 == 0 ? 1000 + i : i % 5));
    database->run(QStringLiteral("INSERT INTO shedlock VALUES ") + values.join(QLatin1Char(',')));
    SourceSpec spec = database->spec();
    spec.pageSize = 10;
    LockSet set;
    set.preset = QStringLiteral("shedlock");
    set.scheme = "sql.shedlock";
    spec.locks = {set};
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    for (int pass = 0; pass < 2; ++pass) {
        const auto rows = probe.pass();
        QVERIFY(probe.ends.last().complete);
        QCOMPARE(probe.ends.last().scanned, 250);
        QCOMPARE(rows.size(), 250);
        for (int i = 0; i < 250; ++i) {
            const Observation lock = rows.value("n" + QByteArray::number(i));
            QCOMPARE(lock.owner, QByteArray(i % 7 == 0 ? 1000 + i : i % 5, char('0' + i % 10)));
            QVERIFY(lock.token == lock.owner && lock.held);
            QCOMPARE(lock.identity, (ShedlockIdentity{lock.owner, "2026-01-01 00:00:00.000000"}.encoded()));
        }
    }
}

LOCKKEEPER_TEST(SqlPageRowsTest)

} // namespace tst_sql_page_rows

#include "tst_sql_page_rows.moc"
