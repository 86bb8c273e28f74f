// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

namespace tst_sql_binlog_transactions {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

namespace {
/** The most resident memory that this process has had since resetPeak(), in MiB. */
double peakMib()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmHWM:"))
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
    }
    return 0;
}

bool resetPeak()
{
    QFile clear(QStringLiteral("/proc/self/clear_refs"));
    return clear.open(QIODevice::WriteOnly) && clear.write("5") == 1;
}
} // namespace

/** Transactions in the binary log that are too large to keep. */
class SqlBinlogTransactionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void comesInPieces();
    void memoryIsBounded();
    void anEventTooLargeIsSaid();
    void whatWasUndoneInPartIsUnknown();

private:
    SourceSpec spec() const
    {
        SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
        spec.binlog = true;
        return spec;
    }
    void exec(const char *sql) { m_server.exec(QString::fromLatin1(sql), QStringLiteral("app")); }

    MariaDbServer m_server{{QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                            QStringLiteral("--binlog-format=ROW"), QStringLiteral("--sync-binlog=0"),
                            QStringLiteral("--max-allowed-packet=256M")}};
};

void SqlBinlogTransactionsTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("CREATE DATABASE app"));
}

void SqlBinlogTransactionsTest::init()
{
    exec("SET time_zone = '+00:00'");
    exec("DROP TABLE IF EXISTS shedlock");
    m_server.exec(shedlockTable(QStringLiteral("shedlock")), QStringLiteral("app"));
}

void SqlBinlogTransactionsTest::comesInPieces()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    exec("INSERT INTO shedlock SELECT CONCAT('lock-', seq), '2036-01-01', NOW(6), 'holder' FROM "
         "seq_1_to_100000");
    const auto count = [&probe] {
        qsizetype changes = 0;
        for (const Push &push : std::as_const(probe.pushes))
            changes += push.changes.size();
        return changes;
    };
    QVERIFY(waitFor([&] { return count() >= 100'000 || probe.pushStates.size() > 1; }, 60'000));
    QCOMPARE(probe.pushStates.size(), 1);
    QCOMPARE(count(), 100'000);
    for (const Push &push : std::as_const(probe.pushes))
        QVERIFY(push.changes.size() <= 200 && !push.position.isEmpty());
}

/** LOCKKEEPER_HUGE_ROWS: the number of rows in one transaction; a recorded run has 1,000,000. */
void SqlBinlogTransactionsTest::memoryIsBounded()
{
    const int rows = qEnvironmentVariableIsSet("LOCKKEEPER_HUGE_ROWS")
                         ? qEnvironmentVariableIntValue("LOCKKEEPER_HUGE_ROWS")
                         : 400'000;
    sql::SqlStore store(spec());
    bool opened = false;
    bool blind = false;
    qint64 changes = 0;
    connect(&store, &Store::opened, this, [&] { opened = true; });
    connect(&store, &Store::pushStateChanged, this,
            [&](const PushState &state) { blind = blind || state.blind; });
    connect(&store, &Store::pushed, this, [&](const Push &push) { changes += push.changes.size(); });
    store.open();
    QTRY_VERIFY(opened);
    exec("INSERT INTO shedlock VALUES ('first', '2036-01-01', NOW(6), 'one')");
    QTRY_COMPARE(changes, 1);
    blind = false;
    const double before = resetPeak() ? peakMib() : 0;
    m_server.exec(QStringLiteral("INSERT INTO shedlock SELECT CONCAT('lock-', seq), '2036-01-01', NOW(6), "
                                 "CONCAT('a holder with a name of some length, as they have ', UUID()) "
                                 "FROM seq_1_to_%1")
                      .arg(rows),
                  QStringLiteral("app"));
    // More rows than the store keeps: everything may have changed, and later changes are reported again.
    QVERIFY(waitFor([&] { return blind || changes > rows; }, 120'000));
    const double after = peakMib();
    qInfo("%d rows in one transaction: %.0f MiB more at the most, %s", rows, after - before,
          blind ? "said to be blind" : "all told");
    QVERIFY2(after - before < 256, QByteArray::number(after - before).constData());
    const qint64 told = changes;
    exec("INSERT INTO shedlock VALUES ('last', '2036-01-01', NOW(6), 'one')");
    QTRY_VERIFY(changes > told);
}

/** The client library would buffer the whole event: it isn't read, and the source is polled for a while. */
void SqlBinlogTransactionsTest::anEventTooLargeIsSaid()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constLast().on);
    exec("CREATE TABLE others (large LONGBLOB)");
    exec("INSERT INTO others VALUES (REPEAT('x', 140 * 1024 * 1024))");
    QVERIFY(waitFor([&] { return !probe.pushStates.constLast().on; }, 60'000));
    QVERIFY(probe.pushStates.constLast().blind);
    QCOMPARE(probe.pushStates.constLast().why.code, base::ErrorCode::TooLarge);
    exec("INSERT INTO shedlock VALUES ('after', '2036-01-01', NOW(6), 'one')");
    QVERIFY(probe.scan().contains("after"));
}

/** After a change to a non-transactional table, the log contains the undone changes and their rollback. */
void SqlBinlogTransactionsTest::whatWasUndoneInPartIsUnknown()
{
    exec("CREATE OR REPLACE TABLE plain (id INT) ENGINE = MyISAM");
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    exec("BEGIN;\n"
         "INSERT INTO shedlock VALUES ('kept', '2036-01-01', NOW(6), 'one');\n"
         "SAVEPOINT here;\n"
         "INSERT INTO shedlock VALUES ('undone', '2036-01-01', NOW(6), 'one');\n"
         "INSERT INTO plain VALUES (1);\n"
         "ROLLBACK TO here;\n"
         "INSERT INTO shedlock VALUES ('undone', '2036-01-01', NOW(6), 'one');\n"
         "ROLLBACK TO here;\n" // what was kept before is no more known by that
         "COMMIT;\n"
         "INSERT INTO shedlock VALUES ('after', '2036-01-01', NOW(6), 'one')");
    QStringList told;
    const auto isAfter = [&] {
        told.clear();
        for (const Push &push : std::as_const(probe.pushes)) {
            for (const Change &change : push.changes)
                told.append(QString::fromUtf8(change.lock.name));
        }
        return told.contains(QLatin1String("after"));
    };
    QVERIFY(waitFor(isAfter));
    QCOMPARE(told, QStringList{QStringLiteral("after")});
    QVERIFY(probe.pushStates.size() == 2 && probe.pushStates.constLast().blind);
}

LOCKKEEPER_TEST(SqlBinlogTransactionsTest)

} // namespace tst_sql_binlog_transactions

#include "tst_sql_binlog_transactions.moc"
