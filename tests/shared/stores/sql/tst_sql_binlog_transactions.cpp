// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"

#include <QFile>
#include <QTest>

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

/** Transactions in the binary log that aren't the plain kind: prepared ones, and ones too large to keep. */
class SqlBinlogTransactionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void preparedOnesCountFromTheirCommit();
    void memoryIsBounded();

private:
    SourceSpec spec() const
    {
        SourceSpec spec = shedlockSpec(m_server.url(QStringLiteral("app")));
        spec.binlog = true;
        return spec;
    }
    void exec(const char *sql) { m_server.exec(QString::fromLatin1(sql), QStringLiteral("app")); }

    MariaDbServer m_server{{QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                            QStringLiteral("--binlog-format=ROW"), QStringLiteral("--sync-binlog=0")}};
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

void SqlBinlogTransactionsTest::preparedOnesCountFromTheirCommit()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    const auto told = [&probe] {
        QByteArrayList names;
        for (const Push &push : std::as_const(probe.pushes)) {
            for (const Change &change : push.changes)
                names.append(change.lock.name);
        }
        return names.join(' ');
    };
    // Each of a session of its own, which ends: a prepared transaction outlives it.
    const auto prepare = [this](const char *xid, const char *name) {
        m_server.execAside(
            QStringLiteral("XA START %1;\nINSERT INTO app.shedlock VALUES ('%2', '2036-01-01', "
                           "NOW(6), 'one');\nXA END %1;\nXA PREPARE %1")
                .arg(QLatin1String(xid), QLatin1String(name)));
    };
    prepare("'kept'", "kept");
    prepare("'undone', 'b', 7", "undone");
    exec("INSERT INTO shedlock VALUES ('plain', '2036-01-01', NOW(6), 'one')");
    QTRY_COMPARE(told(), QByteArray("plain")); // nobody else sees what is only prepared
    QVERIFY(!probe.pass().contains("kept"));
    exec("XA COMMIT 'kept'");
    QTRY_COMPARE(told(), QByteArray("plain kept"));
    exec("XA ROLLBACK 'undone', 'b', 7");
    exec("XA START 'once';\nINSERT INTO shedlock VALUES ('once', '2036-01-01', NOW(6), 'one');\n"
         "XA END 'once';\nXA COMMIT 'once' ONE PHASE");
    QTRY_COMPARE(told(), QByteArray("plain kept once"));
    QCOMPARE(probe.pushStates.size(), 1);
    QCOMPARE(probe.pass().size(), 3);
}

/** LOCKKEEPER_HUGE_ROWS: how many rows one transaction has; a recorded run has 1,000,000. */
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
    // More than is kept: everything may have changed, and what comes afterwards is told again.
    QVERIFY(waitFor([&] { return blind || changes > rows; }, 120'000));
    const double after = peakMib();
    qInfo("%d rows in one transaction: %.0f MiB more at the most, %s", rows, after - before,
          blind ? "said to be blind" : "all told");
    QVERIFY2(after - before < 256, QByteArray::number(after - before).constData());
    const qint64 told = changes;
    exec("INSERT INTO shedlock VALUES ('last', '2036-01-01', NOW(6), 'one')");
    QTRY_VERIFY(changes > told);
}

QTEST_GUILESS_MAIN(SqlBinlogTransactionsTest)
#include "tst_sql_binlog_transactions.moc"
