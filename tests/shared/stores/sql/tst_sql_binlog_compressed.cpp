// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTest>

#include <sys/resource.h>

namespace tst_sql_binlog_compressed {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

namespace {
QList<Change> changesOf(const StoreProbe &probe)
{
    QList<Change> changes;
    for (const Push &push : std::as_const(probe.pushes))
        changes += push.changes;
    return changes;
}

/** "name=holder" or "name-" for each change reported so far. */
QByteArray told(const StoreProbe &probe)
{
    QByteArrayList lines;
    for (const Change &change : changesOf(probe))
        lines.append(change.lock.present ? change.lock.name + '=' + change.lock.owner
                                         : change.lock.name + '-');
    return lines.join(' ');
}

SourceSpec pushed(const TestDatabase &database)
{
    SourceSpec spec = layoutSpec(database, layoutNamed("lock-holder"));
    spec.binlog = true;
    return spec;
}

qint64 peakMib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}
} // namespace

/** Binary logs that are compressed: MariaDB's, event by event, and MySQL's, a transaction in one event. */
class SqlBinlogCompressedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyChangeOnce_data() { servers(); }
    void everyChangeOnce();
    void resumesWithinATransaction_data() { servers(); }
    void resumesWithinATransaction();
    void switchedOnWhileRead_data() { servers(); }
    void switchedOnWhileRead();
    void memoryIsBounded();

private:
    static void servers();
    /** An empty table on the row's server, which compresses from now on; null where there is none. */
    TestDatabase *begin();
    /** True if the server really compressed its writes since begin(). */
    bool isCompressed(int least);

    TestDatabases m_databases;
    TestDatabase *m_database = nullptr;
};

void SqlBinlogCompressedTest::servers()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QStringList>("on");
    QTest::addColumn<QStringList>("off");
    const auto texts = [](std::initializer_list<const char *> list) {
        QStringList made;
        for (const char *text : list)
            made.append(QString::fromLatin1(text));
        return made;
    };
    QTest::newRow("mariadb") << QStringLiteral("mariadb-binlog")
                             << texts({"SET GLOBAL log_bin_compress_min_len = 10",
                                       "SET GLOBAL log_bin_compress = ON"})
                             << texts({"SET GLOBAL log_bin_compress = OFF"});
    QTest::newRow("mysql") << QStringLiteral("mysql")
                           << texts({"SET GLOBAL binlog_transaction_compression = ON"})
                           << texts({"SET GLOBAL binlog_transaction_compression = OFF"});
    QTest::newRow("mysql, as small as it goes")
        << QStringLiteral("mysql")
        << texts({"SET GLOBAL binlog_transaction_compression = ON",
                  "SET GLOBAL binlog_transaction_compression_level_zstd = 22"})
        << texts({"SET GLOBAL binlog_transaction_compression_level_zstd = 3",
                  "SET GLOBAL binlog_transaction_compression = OFF"});
}

TestDatabase *SqlBinlogCompressedTest::begin()
{
    QFETCH(QStringList, on);
    m_database = m_databases.freshOfRow(layoutNamed("lock-holder").create);
    if (!m_database)
        return nullptr;
    for (const QString &sql : std::as_const(on))
        m_database->exec(sql);
    m_database->exec(QStringLiteral("FLUSH BINARY LOGS"));
    return m_database;
}

bool SqlBinlogCompressedTest::isCompressed(int least)
{
    const QByteArray file = m_database->exec(QStringLiteral("SHOW BINARY LOGS")).constLast().value(0);
    int count = 0;
    for (const Row &row :
         m_database->exec(QStringLiteral("SHOW BINLOG EVENTS IN '%1'").arg(QString::fromUtf8(file))))
        count += row.value(2).contains("_compressed") || row.value(2) == "Transaction_payload";
    return count >= least;
}

void SqlBinlogCompressedTest::everyChangeOnce()
{
    QFETCH(QStringList, off);
    QFETCH(QString, server);
    if (!begin())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const auto undo = qScopeGuard([&] {
        for (const QString &sql : std::as_const(off))
            m_database->exec(sql);
    });
    StoreProbe probe(pushed(*m_database));
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));
    StockClient cli(StockClient::Kind::MariaDbCli, stockAddress(*m_database));
    StockClient python(StockClient::Kind::PyMySql, stockAddress(*m_database));
    const auto run = [&](StockClient &client, const char *sql) {
        QVERIFY2(client.run(m_database->translated(QString::fromUtf8(sql))), client.output().constData());
    };
    // Some locks live far shorter than any scan, one for less than a transaction.
    run(cli, "INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('a', 'one', {NOW})");
    run(python, "INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('b', 'two', {NOW}), "
                "('c', 'üß', {NOW})");
    run(cli, "UPDATE `lock` SET holder = 'three' WHERE lock_key = 'a'");
    run(cli, "DELETE FROM `lock` WHERE lock_key = 'b'");
    for (const char *sql :
         {"BEGIN", "INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('d', 'x', {NOW})",
          "UPDATE `lock` SET holder = 'four' WHERE lock_key = 'd'", "SAVEPOINT s",
          "UPDATE `lock` SET holder = 'undone' WHERE lock_key = 'a'", "ROLLBACK TO s",
          "DELETE FROM `lock` WHERE lock_key = 'c'", "COMMIT"})
        run(cli, sql);
    run(python, "INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('e', 'no', {NOW})");
    run(python, "ROLLBACK"); // nothing: it commits each statement by itself
    run(cli, "DELETE FROM `lock` WHERE lock_key = 'e'");
    run(cli, "BEGIN");
    run(cli, "INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('never', 'no', {NOW})");
    run(cli, "ROLLBACK");
    run(cli, "DELETE FROM `lock` WHERE lock_key IN ('a', 'd')");
    const QByteArray wanted = "a=one b=two c=üß a=three b- d=four c- e=no e- a- d-";
    QTRY_COMPARE(told(probe), wanted);
    QVERIFY(isCompressed(5));
    for (const Change &change : changesOf(probe)) {
        QCOMPARE(change.windowUs == 0, server == QLatin1String("mysql"));
        QVERIFY(change.windowUs < 60'000'000);
    }
    QVERIFY(probe.scan().isEmpty());
    QCOMPARE(told(probe), wanted); // nothing comes twice
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

/** A compressed transaction is one event: rows that were reported aren't reported again, the others are. */
void SqlBinlogCompressedTest::resumesWithinATransaction()
{
    QFETCH(QStringList, off);
    if (!begin())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const auto undo = qScopeGuard([&] {
        for (const QString &sql : std::as_const(off))
            m_database->exec(sql);
    });
    QStringList values;
    for (int i = 0; i < 1'000; ++i)
        values.append(QStringLiteral("('lock-%1', 'holder', {NOW})").arg(i));
    QByteArray inside;
    QByteArray after;
    {
        StoreProbe probe(pushed(*m_database));
        QVERIFY(probe.open());
        m_database->run(QStringLiteral("INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ") +
                        values.join(QLatin1String(", ")));
        QTRY_COMPARE(changesOf(probe).size(), 1'000);
        qsizetype before = 0;
        for (const Push &push : std::as_const(probe.pushes)) {
            before += push.changes.size();
            if (before == 400)
                inside = push.position;
        }
        after = probe.pushes.constLast().position;
    }
    m_database->run(QStringLiteral("DELETE FROM `lock` WHERE lock_key = 'lock-1'"));
    m_database->exec(QStringLiteral("FLUSH BINARY LOGS"));
    m_database->run(QStringLiteral("DELETE FROM `lock` WHERE lock_key = 'lock-2'"));
    for (const auto &[position, count] : {std::pair(inside, 602), std::pair(after, 2)}) {
        QVERIFY(!position.isEmpty());
        StoreProbe probe(pushed(*m_database));
        probe.store().resumeAfter(position);
        QVERIFY(probe.open());
        QVERIFY2(!probe.pushStates.constLast().blind, qPrintable(probe.pushStates.constLast().why.line()));
        QTRY_VERIFY(told(probe).endsWith("lock-1- lock-2-"));
        QCOMPARE(changesOf(probe).size(), count);
        QSet<QByteArray> names;
        for (const Change &change : changesOf(probe).first(count - 2))
            names.insert(change.lock.name);
        QCOMPARE(names.size(), count - 2);
    }
}

/** Each session adopts a changed setting at its own time: plain and compressed transactions alternate. */
void SqlBinlogCompressedTest::switchedOnWhileRead()
{
    QFETCH(QStringList, on);
    QFETCH(QStringList, off);
    if (!begin())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    StoreProbe probe(pushed(*m_database));
    QVERIFY(probe.open());
    QByteArrayList wanted;
    for (int i = 0; i < 6; ++i) {
        for (const QString &sql : std::as_const(i % 2 == 0 ? off : on))
            m_database->exec(sql);
        m_database->run(
            QStringLiteral("INSERT INTO `lock` (lock_key, holder, creation_time) VALUES ('%1', 'one', {NOW})")
                .arg(i));
        wanted.append(QByteArray::number(i) + "=one");
    }
    for (const QString &sql : std::as_const(off))
        m_database->exec(sql);
    QTRY_COMPARE(told(probe), wanted.join(' '));
    QVERIFY(isCompressed(3));
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

/** A payload of 300,000 rows is reported as too large, in bounded memory; later changes are reported. */
void SqlBinlogCompressedTest::memoryIsBounded()
{
    TestDatabase *database = m_databases.fresh(QStringLiteral("mysql"), layoutNamed("lock-holder").create);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const auto undo = qScopeGuard(
        [&] { database->exec(QStringLiteral("SET GLOBAL binlog_transaction_compression = OFF")); });
    database->exec(QStringLiteral("SET GLOBAL binlog_transaction_compression = ON"));
    StoreProbe probe(pushed(*database));
    QVERIFY(probe.open());
    StockClient client(StockClient::Kind::MariaDbCli, stockAddress(*database));
    QVERIFY(client.run(QStringLiteral("SET SESSION cte_max_recursion_depth = 1000000")));
    const qint64 before = peakMib();
    client.send(QStringLiteral("INSERT INTO `lock` (lock_key, holder, creation_time) WITH RECURSIVE seq (n) "
                               "AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < 300000) SELECT "
                               "CONCAT('lock-', n), UUID(), UTC_TIMESTAMP(6) FROM seq"));
    QVERIFY(client.finish(120'000));
    QVERIFY(waitFor([&] { return probe.pushStates.constLast().blind || changesOf(probe).size() > 299'999; },
                    60'000));
    QVERIFY(probe.pushStates.constLast().on);
    QVERIFY2(peakMib() - before < 192, QByteArray::number(peakMib() - before).constData());
    const qsizetype count = changesOf(probe).size();
    database->run(QStringLiteral("DELETE FROM `lock` WHERE lock_key = 'lock-7'"));
    QTRY_VERIFY(changesOf(probe).size() > count);
    QCOMPARE(changesOf(probe).constLast().lock.name, QByteArray("lock-7"));
}

LOCKKEEPER_TEST(SqlBinlogCompressedTest)

} // namespace tst_sql_binlog_compressed

#include "tst_sql_binlog_compressed.moc"
