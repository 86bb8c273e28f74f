// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

namespace tst_sql_binlog {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;

namespace {

const QStringList kLogging{QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                           QStringLiteral("--binlog-format=ROW"), QStringLiteral("--sync-binlog=0")};

SourceSpec tailed(const QUrl &url, const QString &table = {})
{
    SourceSpec spec = shedlockSpec(url, table);
    spec.binlog = true;
    return spec;
}

/** The changes of all pushes so far, the last of each name. */
QHash<QByteArray, Observation> pushedRows(const StoreProbe &probe)
{
    QHash<QByteArray, Observation> rows;
    for (const Push &push : probe.pushes) {
        for (const Change &change : push.changes)
            rows.insert(change.lock.name, change.lock);
    }
    return rows;
}

qsizetype changeCount(const StoreProbe &probe)
{
    qsizetype count = 0;
    for (const Push &push : probe.pushes)
        count += push.changes.size();
    return count;
}

} // namespace

/** Reading the binary log of a private MariaDB. */
class SqlBinlogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void changesAreExactlyWhatAScanReads_data();
    void changesAreExactlyWhatAScanReads();
    void transactionsComeWhole();
    void resumesWhereItEnded();
    void resumesWithinATransaction();
    void goesOnOverARotation();
    void saysWhereTheLogWasPurged();
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();
    void mendsABrokenStream();
    void whatBreaksTheStreamAgainIsSaid();
    void whoWaitsForABrokenStreamIsAnswered();
    void aStreamThatWasLeftSaysNothingMore();
    void aSilentStreamProvesNothing();
    void survivesARestart();
    void aServerThatGoesIsNoGapOfItsLog();
    void theLogOfAnotherServerIsNone();
    void aGrantTakenAwayEndsIt();
    void statementsInsteadOfRowsEndIt();
    void columnsMayCome();
    void readColumnsMayChange();

private:
    /** Ends the connection that reads the log; no event is read meanwhile. */
    bool breakStream();
    /** The number of queries for the end of the log so far. */
    int placesAsked();

    MariaDbServer m_server{kLogging};
};

void SqlBinlogTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("CREATE DATABASE app"));
}

void SqlBinlogTest::init()
{
    m_server.exec(QStringLiteral("SET time_zone = '+00:00';\nDROP TABLE IF EXISTS shedlock;\n") +
                      shedlockTable(QStringLiteral("shedlock")),
                  QStringLiteral("app"));
}

void SqlBinlogTest::changesAreExactlyWhatAScanReads_data()
{
    QTest::addColumn<QString>("table");
    const auto row = [](const char *name, const QString &nameType, const QString &timeType,
                        const QString &holder) {
        QTest::newRow(name)
            << QStringLiteral("CREATE TABLE shedlock (extra INT, name %1 PRIMARY KEY, pad ENUM('a','b') "
                              "DEFAULT 'b', lock_until %2, locked_at %2, dec1 DECIMAL(12,3) DEFAULT 1.5, "
                              "locked_by %3)")
                   .arg(nameType, timeType, holder);
    };
    for (const int digits : {0, 1, 2, 3, 4, 5, 6}) {
        row(qPrintable(QStringLiteral("timestamp %1").arg(digits)), QStringLiteral("VARCHAR(64)"),
            QStringLiteral("TIMESTAMP(%1) NULL").arg(digits), QStringLiteral("VARCHAR(255)"));
        row(qPrintable(QStringLiteral("datetime %1").arg(digits)), QStringLiteral("VARCHAR(300)"),
            QStringLiteral("DATETIME(%1) NULL").arg(digits), QStringLiteral("VARCHAR(64)"));
    }
    row("bigint", QStringLiteral("CHAR(60)"), QStringLiteral("BIGINT"), QStringLiteral("CHAR(200)"));
    row("unsigned", QStringLiteral("VARBINARY(60)"), QStringLiteral("INT UNSIGNED"),
        QStringLiteral("TINYTEXT"));
    row("latin1", QStringLiteral("VARCHAR(64) CHARACTER SET latin1"), QStringLiteral("BIGINT UNSIGNED"),
        QStringLiteral("TEXT CHARACTER SET ucs2"));
    row("binary", QStringLiteral("BINARY(40)"), QStringLiteral("DATETIME(6) NULL"), QStringLiteral("BLOB"));
}

void SqlBinlogTest::changesAreExactlyWhatAScanReads()
{
    QFETCH(QString, table);
    m_server.exec(QStringLiteral("DROP TABLE shedlock;\n") + table, QStringLiteral("app"));
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY2(probe.pushStates.size() == 1 && probe.pushStates.first().on,
             qPrintable(probe.pushStates.value(0).why.line()));
    const bool numbers = table.contains(QLatin1String("INT"));
    auto *random = QRandomGenerator::global();
    const auto time = [&]() -> QString {
        const int kind = int(random->bounded(12));
        if (!numbers && kind == 0)
            return QStringLiteral("NULL");
        if (!numbers && kind == 1)
            return QStringLiteral("0");
        if (!numbers && kind == 2 && table.contains(QLatin1String("DATETIME")))
            return QStringLiteral("'2020-00-17 01:02:03.5'");
        if (numbers)
            return QString::number(random->bounded(4'000'000'000.0), 'f', 0);
        return QStringLiteral("FROM_UNIXTIME(%1.%2)")
            .arg(1 + random->bounded(2'000'000'000))
            .arg(random->bounded(1'000'000), 6, 10, QLatin1Char('0'));
    };
    m_server.exec(QStringLiteral("SET sql_mode = ''"));
    int statements = 0;
    for (int i = 0; i < 60; ++i) {
        const QString name = QStringLiteral("lock-%1").arg(random->bounded(20));
        const QStringList odd{QStringLiteral("''"),
                              QStringLiteral("NULL"),
                              QStringLiteral("'a  '"),
                              QStringLiteral("'üßé'"),
                              QStringLiteral("REPEAT('x', 40)"),
                              QStringLiteral("'1'")};
        const QString holder = odd.at(int(random->bounded(odd.size())));
        const QString sql = random->bounded(5) == 0
                                ? QStringLiteral("DELETE FROM shedlock WHERE name = '%1'").arg(name)
                                : QStringLiteral("REPLACE INTO shedlock (name, lock_until, locked_at, "
                                                 "locked_by) VALUES ('%1', %2, %3, %4)")
                                      .arg(name, time(), time(), holder);
        m_server.exec(sql, QStringLiteral("app"));
        ++statements;
    }
    m_server.exec(
        QStringLiteral(
            "INSERT INTO shedlock (name, lock_until, locked_at, locked_by) VALUES ('the last', 1, 1, 'x')"),
        QStringLiteral("app"));
    QVERIFY(waitFor([&] {
        for (const QByteArray &name : pushedRows(probe).keys()) {
            if (name.startsWith("the last"))
                return true;
        }
        return false;
    }));
    QHash<QByteArray, Observation> pushed = pushedRows(probe);
    pushed.removeIf([](const auto &it) { return !it.value().present; });
    const QHash<QByteArray, Observation> read = probe.scan();
    QVERIFY(read.size() > 5);
    QCOMPARE(pushed.size(), read.size());
    for (auto it = read.cbegin(); it != read.cend(); ++it) {
        QVERIFY2(pushed.contains(it.key()), it.key().constData());
        const Observation mine = pushed.value(it.key());
        QCOMPARE(mine.identity, it->identity);
        QCOMPARE(mine.freshness, it->freshness);
        QCOMPARE(mine.owner, it->owner);
        QCOMPARE(mine.token, it->token);
        QVERIFY(mine == *it);
    }
    for (const Push &push : std::as_const(probe.pushes)) {
        for (const Change &change : push.changes) {
            QVERIFY(change.timeUs > 0 && change.windowUs >= 0);
            QVERIFY(change.windowUs < 3'000'000);
        }
    }
}

void SqlBinlogTest::transactionsComeWhole()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(
        QStringLiteral(
            "BEGIN;\nINSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one');\n"
            "UPDATE shedlock SET locked_by = 'two';\nSAVEPOINT s;\n"
            "INSERT INTO shedlock VALUES ('b', '2036-01-01', NOW(6), 'undone');\nROLLBACK TO s;\nCOMMIT;\n"
            "BEGIN;\nINSERT INTO shedlock VALUES ('never', '2036-01-01', NOW(6), 'one');\nROLLBACK;\n"
            "UPDATE shedlock SET name = 'c' WHERE name = 'a';\nDELETE FROM shedlock"),
        QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) >= 4; }));
    QStringList told;
    for (const Push &push : std::as_const(probe.pushes)) {
        for (const Change &change : push.changes)
            told.append(
                QString::fromUtf8(change.lock.name + (change.lock.present ? "=" : "-") + change.lock.owner));
    }
    QCOMPARE(told.join(QLatin1Char(' ')), QStringLiteral("a=two a- c=two c-"));
}

void SqlBinlogTest::resumesWhereItEnded()
{
    QByteArray position;
    {
        StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
        QVERIFY(probe.open());
        QVERIFY(probe.pushStates.constLast().blind);
        m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                      QStringLiteral("app"));
        QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
        position = probe.pushes.constLast().position;
        QVERIFY(!position.isEmpty());
    }
    m_server.exec(
        QStringLiteral(
            "DELETE FROM shedlock;\nINSERT INTO shedlock VALUES ('b', '2036-01-01', NOW(6), 'two')"),
        QStringLiteral("app"));
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constFirst().on);
    QVERIFY2(!probe.pushStates.constFirst().blind, qPrintable(probe.pushStates.constFirst().why.line()));
    QVERIFY(waitFor([&] { return changeCount(probe) >= 2; }));
    QCOMPARE(changeCount(probe), 2);
    QVERIFY(!pushedRows(probe).value("a").present);
    QCOMPARE(pushedRows(probe).value("b").owner, QByteArray("two"));
}

void SqlBinlogTest::resumesWithinATransaction()
{
    QByteArray position;
    {
        StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
        QVERIFY(probe.open());
        m_server.exec(
            QStringLiteral("INSERT INTO shedlock SELECT CONCAT('lock-', seq), '2036-01-01', NOW(6), 'holder' "
                           "FROM seq_1_to_1000"),
            QStringLiteral("app"));
        QVERIFY(waitFor([&] { return changeCount(probe) == 1'000; }));
        qsizetype before = 0;
        for (const Push &push : std::as_const(probe.pushes)) {
            before += push.changes.size();
            if (before == 400)
                position = push.position;
        }
        QVERIFY(!position.isEmpty());
    }
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("DELETE FROM shedlock WHERE name = 'lock-1'"), QStringLiteral("app"));
    QVERIFY(waitFor([&] { return pushedRows(probe).contains("lock-1"); }));
    QCOMPARE(changeCount(probe), 601);
}

void SqlBinlogTest::goesOnOverARotation()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    for (int i = 0; i < 3; ++i) {
        m_server.exec(
            QStringLiteral(
                "FLUSH BINARY LOGS;\nINSERT INTO shedlock VALUES ('r%1', '2036-01-01', NOW(6), 'one')")
                .arg(i),
            QStringLiteral("app"));
    }
    QVERIFY(waitFor([&] { return changeCount(probe) == 3; }));
    QCOMPARE(probe.pushStates.size(), 1);
}

void SqlBinlogTest::saysWhereTheLogWasPurged()
{
    QByteArray position;
    {
        StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
        QVERIFY(probe.open());
        m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                      QStringLiteral("app"));
        QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
        position = probe.pushes.constLast().position;
    }
    m_server.exec(QStringLiteral("FLUSH BINARY LOGS"));
    const QByteArray newest = m_server.exec(QStringLiteral("SHOW MASTER STATUS")).constFirst().constFirst();
    // The dump thread of the connection that has just ended may still hold the old file for a moment.
    QVERIFY(waitFor([&] {
        m_server.exec(QStringLiteral("PURGE BINARY LOGS TO '%1'").arg(QString::fromLatin1(newest)));
        return m_server.exec(QStringLiteral("SHOW BINARY LOGS")).size() == 1;
    }));
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constFirst().on);
    QVERIFY(probe.pushStates.constFirst().blind);
    QVERIFY2(probe.pushStates.constFirst().why.cause.contains(QLatin1String("log")),
             qPrintable(probe.pushStates.constFirst().why.line()));
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('b', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
}

void SqlBinlogTest::saysWhatIsMissing_data()
{
    QTest::addColumn<QString>("prepare");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("restore");
    const QString user =
        QStringLiteral("CREATE OR REPLACE USER u@localhost;\nGRANT SELECT ON app.* TO u@localhost");
    QTest::newRow("replication slave")
        << user << QStringLiteral("u")
        << QStringLiteral("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'u'@'localhost';") << QString();
    QTest::newRow("monitor") << user + QStringLiteral(";\nGRANT REPLICATION SLAVE ON *.* TO u@localhost")
                             << QStringLiteral("u")
                             << QStringLiteral("BINLOG MONITOR ON *.* TO 'u'@'localhost'") << QString();
    QTest::newRow("format") << QStringLiteral("SET GLOBAL binlog_format = MIXED") << QStringLiteral("root")
                            << QStringLiteral("SET GLOBAL binlog_format = ROW")
                            << QStringLiteral("SET GLOBAL binlog_format = ROW");
    QTest::newRow("image") << QStringLiteral("SET GLOBAL binlog_row_image = MINIMAL")
                           << QStringLiteral("root") << QStringLiteral("binlog_row_image = FULL")
                           << QStringLiteral("SET GLOBAL binlog_row_image = FULL");
}

void SqlBinlogTest::saysWhatIsMissing()
{
    QFETCH(QString, prepare);
    QFETCH(QString, user);
    QFETCH(QString, said);
    QFETCH(QString, restore);
    m_server.exec(prepare);
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"), user)));
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    if (!restore.isEmpty())
        m_server.exec(restore);
    QCOMPARE(probe.pushStates.size(), 1);
    QVERIFY(!probe.pushStates.constFirst().on);
    const QString line = probe.pushStates.constFirst().why.line();
    QVERIFY2(line.contains(said), qPrintable(line));
    QCOMPARE(probe.info.access.constLast().need, QByteArray("push:binlog"));
    QVERIFY(!probe.info.access.constLast().granted);
    QVERIFY(probe.scan().isEmpty()); // polling works all the same
    QVERIFY(probe.ends.constLast().complete);
}

void SqlBinlogTest::mendsABrokenStream()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    for (int i = 0; i < 5; ++i) {
        m_server.exec(
            QStringLiteral("INSERT INTO shedlock VALUES ('k%1', '2036-01-01', NOW(6), 'one')").arg(i),
            QStringLiteral("app"));
        QVERIFY(waitFor([&] { return changeCount(probe) == 2 * i + 1; }));
        const auto dumps = m_server.exec(
            QStringLiteral("SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"));
        QVERIFY(!dumps.isEmpty());
        m_server.exec(QStringLiteral("KILL ") + QString::fromLatin1(dumps.constLast().constFirst()));
        m_server.exec(QStringLiteral("UPDATE shedlock SET locked_by = 'two' WHERE name = 'k%1'").arg(i),
                      QStringLiteral("app"));
        QVERIFY(waitFor([&] { return changeCount(probe) == 2 * i + 2; }));
    }
    QCOMPARE(probe.pushStates.size(), 1);
    QVERIFY(probe.failures.isEmpty());
}

/** An event at this position ends each read of the log. The store doesn't retry silently for ever. */
void SqlBinlogTest::whatBreaksTheStreamAgainIsSaid()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
    QByteArray dump;
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(probe.pushStates.size(), 1);
        const auto isAnother = [&] {
            const auto rows = m_server.exec(QStringLiteral(
                "SELECT MAX(ID) FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"));
            const QByteArray now = rows.constFirst().constFirst();
            return !now.isEmpty() && std::exchange(dump, now) != now;
        };
        QVERIFY(waitFor(isAnother));
        m_server.exec(QStringLiteral("KILL ") + QString::fromLatin1(dump));
    }
    QVERIFY(waitFor([&] { return probe.pushStates.size() > 1; }));
    QVERIFY(!probe.pushStates.at(1).on && probe.pushStates.at(1).blind);
    // Started over, with a gap.
    QVERIFY(waitFor([&] { return probe.pushStates.constLast().on; }));
    QVERIFY(probe.pushStates.constLast().blind);
    m_server.exec(QStringLiteral("DELETE FROM shedlock"), QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 2; }));
}

bool SqlBinlogTest::breakStream()
{
    const auto dumps = [this] {
        return m_server.exec(
            QStringLiteral("SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"));
    };
    const auto before = dumps();
    if (before.isEmpty())
        return false;
    m_server.exec(QStringLiteral("KILL ") + QString::fromLatin1(before.constLast().constFirst()));
    QElapsedTimer timer;
    timer.start();
    while (!dumps().isEmpty()) {
        if (timer.hasExpired(10'000))
            return false;
    }
    return true;
}

int SqlBinlogTest::placesAsked()
{
    return m_server.exec(QStringLiteral("SHOW GLOBAL STATUS LIKE 'Com_show_binlog_status'"))
        .value(0)
        .value(1)
        .toInt();
}

/** A stream that can't continue doesn't reach the place either that the scan waits for. */
void SqlBinlogTest::whoWaitsForABrokenStreamIsAnswered()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
    QVERIFY(breakStream());
    m_server.exec(QStringLiteral("ALTER TABLE shedlock ADD COLUMN note INT;\n"
                                 "INSERT INTO shedlock VALUES ('b', '2036-01-01', NOW(6), 'one', 1)"),
                  QStringLiteral("app"));
    const int before = placesAsked();
    probe.askScan();
    QElapsedTimer timer;
    timer.start();
    while (placesAsked() == before)
        QVERIFY(!timer.hasExpired(10'000));
    QVERIFY(waitFor([&] { return !probe.ends.isEmpty(); }));
    QVERIFY(probe.ends.constLast().complete);
    QVERIFY(waitFor([&] { return probe.pushStates.size() == 2; }));
    QVERIFY(probe.pushStates.constLast().on && probe.pushStates.constLast().blind);
}

/** The stream's end is on its way to this thread when an earlier message closes the store. */
void SqlBinlogTest::aStreamThatWasLeftSaysNothingMore()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("ALTER TABLE shedlock MODIFY locked_by VARCHAR(200) NOT NULL"),
                  QStringLiteral("app"));
    m_server.exec(QStringLiteral("SELECT 1")); // by now it has ended
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
    QCoreApplication::processEvents();
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

/** The store's other connection shows the time, and nothing that the log would have reported. */
void SqlBinlogTest::aSilentStreamProvesNothing()
{
    ProxyThread proxy(m_server.socketPath());
    QVERIFY(proxy.listen());
    SourceSpec spec = tailed(m_server.url(QStringLiteral("app")));
    spec.url.setPath(proxy.path());
    StoreProbe probe(spec);
    qint64 seenUs = 0;
    connect(&probe.store(), &Store::pageTold, this, [&seenUs](const Page &page) { seenUs = page.endedUs; });
    QVERIFY(probe.open());
    proxy.muteNewest();
    const qint64 insertedUs =
        m_server.exec(QStringLiteral("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)"))
            .constFirst()
            .constFirst()
            .toLongLong();
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    const int before = placesAsked();
    QVERIFY(waitFor([&] { return seenUs > insertedUs || placesAsked() > before; }));
    probe.askScan(); // its page comes after what was asked before
    QVERIFY(waitFor([&] { return !probe.pages.isEmpty(); }));
    if (seenUs >= insertedUs) // a page that covers the insertion comes after its change
        QCOMPARE(changeCount(probe), 1);
}

void SqlBinlogTest::survivesARestart()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
    const QByteArray position = probe.pushes.constLast().position;
    m_server.stop();
    probe.askScan();
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }, 30'000));
    QVERIFY(m_server.start());
    m_server.exec(QStringLiteral("SET time_zone = '+00:00';\nDELETE FROM shedlock"), QStringLiteral("app"));
    probe.pushStates.clear();
    probe.pushes.clear();
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constLast().on);
    QVERIFY2(!probe.pushStates.constLast().blind, qPrintable(probe.pushStates.constLast().why.line()));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
}

/** The stream detects the loss first. The store checks its main link before it drops anything. */
void SqlBinlogTest::aServerThatGoesIsNoGapOfItsLog()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
    m_server.stop();
    const bool noticed =
        waitFor([&] { return !probe.failures.isEmpty() || probe.pushStates.size() > 1; }, 30'000);
    QVERIFY(m_server.start());
    QVERIFY(noticed);
    QCOMPARE(probe.pushStates.size(), 1);
    QVERIFY(base::isTransient(probe.failures.constFirst().code));
}

/** A balancer routes the second connection to another server. */
void SqlBinlogTest::theLogOfAnotherServerIsNone()
{
    // Servers on one machine are distinguished by the second in which they started.
    const auto isOlder = [this] {
        const auto rows = m_server.exec(QStringLiteral(
            "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'UPTIME'"));
        return rows.constFirst().constFirst().toInt() > 0;
    };
    QVERIFY(waitFor(isOlder));
    MariaDbServer other(kLogging);
    QVERIFY(other.start());
    other.exec(QStringLiteral("CREATE DATABASE app"));
    other.exec(shedlockTable(QStringLiteral("shedlock")), QStringLiteral("app"));
    ProxyThread proxy(m_server.socketPath());
    QVERIFY(proxy.listen());
    SourceSpec spec = tailed(m_server.url(QStringLiteral("app")));
    spec.url.setPath(proxy.path());
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constLast().on);
    proxy.leadTo(other.socketPath());
    QVERIFY(breakStream());
    const auto said = [&probe] {
        return probe.pushStates.constLast().why.cause.contains(QLatin1String("another server"));
    };
    QVERIFY(waitFor(said));
    QVERIFY(!probe.pushStates.constLast().on);
    proxy.leadTo(m_server.socketPath());
    QVERIFY(waitFor([&] { return probe.pushStates.constLast().on; }, 30'000));
    QVERIFY(probe.pushStates.constLast().blind && probe.failures.isEmpty());
    m_server.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
}

void SqlBinlogTest::aGrantTakenAwayEndsIt()
{
    m_server.exec(
        QStringLiteral("CREATE OR REPLACE USER u@localhost;\nGRANT SELECT ON app.* TO u@localhost;\n"
                       "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO u@localhost"));
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"), QStringLiteral("u"))));
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));
    m_server.exec(QStringLiteral("REVOKE REPLICATION SLAVE ON *.* FROM u@localhost"));
    const auto dumps = m_server.exec(
        QStringLiteral("SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"));
    m_server.exec(QStringLiteral("KILL ") + QString::fromLatin1(dumps.constLast().constFirst()));
    QVERIFY(waitFor([&] { return !probe.pushStates.constLast().on; }));
    QVERIFY(probe.pushStates.constLast().blind);
    QVERIFY(probe.pushStates.constLast().why.line().contains(QLatin1String("GRANT REPLICATION SLAVE")));
    QVERIFY(probe.failures.isEmpty());
    m_server.exec(QStringLiteral("GRANT REPLICATION SLAVE ON *.* TO u@localhost"));
}

void SqlBinlogTest::statementsInsteadOfRowsEndIt()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(
        QStringLiteral("SET SESSION binlog_format = STATEMENT;\n"
                       "/* app */ INSERT INTO shedlock VALUES ('s', '2036-01-01', '2026-01-01', 'one');\n"
                       "SET SESSION binlog_format = ROW"),
        QStringLiteral("app"));
    QVERIFY(waitFor([&] { return !probe.pushStates.constLast().on; }));
    QVERIFY(probe.pushStates.constLast().blind);
    QVERIFY(probe.pushStates.constLast().why.line().contains(QLatin1String("binlog_format = ROW")));
    QCOMPARE(probe.scan().size(), 1);
}

void SqlBinlogTest::columnsMayCome()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("ALTER TABLE shedlock ADD COLUMN note VARCHAR(10) FIRST;\n"
                                 "INSERT INTO shedlock VALUES ('n', 'a', '2036-01-01', NOW(6), 'one')"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return changeCount(probe) == 1; }));
    QCOMPARE(pushedRows(probe).value("a").owner, QByteArray("one"));
    QCOMPARE(probe.pushStates.size(), 1);
    int gaps = 1;
    for (const char *statement :
         {"TRUNCATE TABLE shedlock", "SET STATEMENT lock_wait_timeout = 5 FOR TRUNCATE TABLE shedlock"}) {
        m_server.exec(QLatin1String(statement), QStringLiteral("app"));
        ++gaps;
        QVERIFY2(waitFor([&] { return probe.pushStates.size() == gaps; }), statement);
        QVERIFY(probe.pushStates.constLast().on && probe.pushStates.constLast().blind);
    }
}

void SqlBinlogTest::readColumnsMayChange()
{
    StoreProbe probe(tailed(m_server.url(QStringLiteral("app"))));
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("ALTER TABLE shedlock MODIFY locked_at TIMESTAMP(3) NULL"),
                  QStringLiteral("app"));
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
    QVERIFY(base::isTransient(probe.failures.constLast().code));
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constLast().on);
}

LOCKKEEPER_TEST(SqlBinlogTest)

} // namespace tst_sql_binlog

#include "tst_sql_binlog.moc"
