// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_sql_faults {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

/** Faults of a server, an account or a table, at the start and during the watch. */
class SqlFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void opens_data();
    void opens();
    void missingBreakGrant();
    void revokedWhileWatched();
    void changedWhileWatched_data();
    void changedWhileWatched();
    void alteredPrecisionIsSafe();
    void lockedTableIsBusy();
    void aFailedLookEndsNoScan();
    void killedUnderLoad();
    void replyLostIsUnknown();
    void replyCutAfterTheRelease();
    void closeAnswersEverything();
    void closedOrFailedAnswersUnreachable();
    void destroyedWhileTheServerHangs();

private:
    SourceSpec spec(const QString &user = QStringLiteral("root")) const;

    MariaDbServer m_server{{}, true};
};

void SqlFaultsTest::initTestCase()
{
    QVERIFY(m_server.start());
}

void SqlFaultsTest::init()
{
    m_server.exec(QStringLiteral("SET time_zone = '+00:00';\nCREATE OR REPLACE DATABASE app"));
    m_server.exec(shedlockTable(QStringLiteral("shedlock"), 3), QStringLiteral("app"));
    m_server.exec(QStringLiteral(
        "INSERT INTO shedlock VALUES ('a', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, '2026-01-01', 'one');\n"
        "CREATE OR REPLACE USER lk IDENTIFIED BY 'secret'"));
}

SourceSpec SqlFaultsTest::spec(const QString &user) const
{
    SourceSpec made = shedlockSpec(m_server.url(QStringLiteral("app"), user));
    made.password = user == QLatin1String("root") ? "" : "secret";
    made.statementTimeoutMs = 1'000;
    made.connectTimeoutMs = 1'000;
    return made;
}

void SqlFaultsTest::opens_data()
{
    QTest::addColumn<QString>("grant");
    QTest::addColumn<QString>("change"); // to the specification
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("says");
    const QString observe = QStringLiteral("GRANT SELECT ON app.shedlock TO lk");
    QTest::newRow("wrong password") << observe << QStringLiteral("password") << ErrorCode::Authentication
                                    << QStringLiteral("password");
    QTest::newRow("missing database")
        << QStringLiteral("GRANT SELECT ON *.* TO lk") << QStringLiteral("database") << ErrorCode::NotFound
        << QStringLiteral("nowhere");
    QTest::newRow("no right to the database")
        << QStringLiteral("DO 1") << QString() << ErrorCode::PermissionDenied << QStringLiteral("app");
    QTest::newRow("no right to the table")
        << QStringLiteral("CREATE TABLE other (a INT);\nGRANT SELECT ON app.other TO lk") << QString()
        << ErrorCode::PermissionDenied << QStringLiteral("GRANT SELECT ON app.fem_shedlock TO 'lk'@'%'");
    QTest::newRow("may update, not read")
        << QStringLiteral("GRANT UPDATE ON app.shedlock TO lk") << QString() << ErrorCode::PermissionDenied
        << QStringLiteral("Run: GRANT SELECT ON app.shedlock TO 'lk'@'%';");
    QTest::newRow("table misspelt") << QStringLiteral("GRANT SELECT ON app.* TO lk")
                                    << QStringLiteral("table") << ErrorCode::SchemaMismatch
                                    << QStringLiteral("Did you mean \"shedlock\"?");
    QTest::newRow("other case") << QStringLiteral("GRANT SELECT ON app.* TO lk") << QStringLiteral("case")
                                << ErrorCode::SchemaMismatch << QStringLiteral("Did you mean \"shedlock\"?");
    QTest::newRow("column misspelt") << observe << QStringLiteral("column") << ErrorCode::SchemaMismatch
                                     << QStringLiteral("Did you mean \"locked_by\"?");
    QTest::newRow("SQL as a column") << observe << QStringLiteral("injection") << ErrorCode::SchemaMismatch
                                     << QStringLiteral("no column");
    QTest::newRow("no such socket") << observe << QStringLiteral("socket") << ErrorCode::Unreachable
                                    << QString();
    QTest::newRow("no such port") << observe << QStringLiteral("port") << ErrorCode::Unreachable << QString();
}

void SqlFaultsTest::opens()
{
    QFETCH(QString, grant);
    QFETCH(QString, change);
    QFETCH(QString, says);
    m_server.exec(grant);
    SourceSpec made = spec(QStringLiteral("lk"));
    if (change == QLatin1String("password"))
        made.password = "wrong";
    else if (change == QLatin1String("database"))
        made.url = m_server.url(QStringLiteral("nowhere"), QStringLiteral("lk"));
    else if (change == QLatin1String("table"))
        made.locks[0].table.table = QStringLiteral("shedlok");
    else if (change == QLatin1String("case"))
        made.locks[0].table.table = QStringLiteral("SHEDLOCK");
    else if (change == QLatin1String("column"))
        made.locks[0].table.holder = QStringLiteral("lockedby");
    else if (change == QLatin1String("injection"))
        made.locks[0].table.holder = QStringLiteral("locked_by) FROM shedlock; DROP TABLE shedlock; --");
    else if (change == QLatin1String("socket"))
        made.url = QUrl(QStringLiteral("mysql+unix:///nowhere/s?db=app&user=lk"));
    else if (change == QLatin1String("port"))
        made.url.setUrl(QStringLiteral("mysql://lk@127.0.0.1:1/app"));
    StoreProbe probe(made);
    QVERIFY(!probe.open());
    QCOMPARE(probe.failures.size(), 1);
    const base::Error error = probe.failures.first();
    QVERIFY2(error.line().contains(says), qPrintable(error.line()));
    QTEST(error.code, "code");
    QVERIFY(!error.line().contains(QLatin1String("secret")));
    QCOMPARE(m_server.exec(QStringLiteral("SELECT COUNT(*) FROM shedlock")).first().first(), "1");
}

void SqlFaultsTest::missingBreakGrant()
{
    m_server.exec(QStringLiteral("GRANT SELECT ON app.shedlock TO lk"));
    StoreProbe probe(spec(QStringLiteral("lk")));
    QVERIFY(probe.open());
    const QString grant = QStringLiteral("GRANT SELECT, UPDATE (lock_until) ON app.shedlock TO 'lk'@'%';");
    QCOMPARE(probe.info.access.value(1), (domain::Access{"break:shedlock", false, true, grant}));
    const ReleaseReport report = probe.release(probe.inspect("a").guard);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, ErrorCode::PermissionDenied);
    QVERIFY(report.error.remedy.contains(grant));
    QVERIFY(probe.failures.isEmpty());
    // The statement that the message names is enough.
    m_server.exec(QString(grant).chopped(1));
    StoreProbe again(spec(QStringLiteral("lk")));
    QVERIFY(again.open());
    QVERIFY(again.info.access.value(1).granted);
    QCOMPARE(again.release(again.inspect("a").guard).outcome, Outcome::Released);
}

void SqlFaultsTest::revokedWhileWatched()
{
    m_server.exec(QStringLiteral("GRANT SELECT ON app.shedlock TO lk"));
    StoreProbe probe(spec(QStringLiteral("lk")));
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 1);
    m_server.exec(QStringLiteral("REVOKE SELECT ON app.shedlock FROM lk"));
    QVERIFY(probe.scan().isEmpty());
    QVERIFY(!probe.ends.last().complete);
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
    QCOMPARE(probe.failures.last().code, ErrorCode::PermissionDenied);
    QVERIFY(probe.failures.last().remedy.contains(QLatin1String("GRANT SELECT ON app.shedlock TO 'lk'@'%'")));
}

void SqlFaultsTest::changedWhileWatched_data()
{
    QTest::addColumn<QString>("change");
    QTest::newRow("dropped") << QStringLiteral("DROP TABLE shedlock");
    QTest::newRow("renamed") << QStringLiteral("RENAME TABLE shedlock TO shedlock_old");
    QTest::newRow("column renamed") << QStringLiteral(
        "ALTER TABLE shedlock CHANGE locked_by owner VARCHAR(255)");
    QTest::newRow("database dropped") << QStringLiteral("DROP DATABASE app");
}

void SqlFaultsTest::changedWhileWatched()
{
    QFETCH(QString, change);
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 1);
    const domain::Guard guard = probe.inspect("a").guard;
    m_server.exec(change);
    // Not one word about locks that would have been released.
    QVERIFY(probe.scan().isEmpty());
    QVERIFY(!probe.ends.last().complete);
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
    // A column is missing, or the whole table.
    const QList<ErrorCode> schemaErrors{ErrorCode::SchemaMismatch, ErrorCode::NotFound};
    QVERIFY2(schemaErrors.contains(probe.failures.last().code), qPrintable(probe.failures.last().line()));
    QVERIFY(probe.release(guard).outcome == Outcome::Unreachable);
}

void SqlFaultsTest::alteredPrecisionIsSafe()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    const domain::Guard guard = probe.inspect("a").guard;
    m_server.exec(
        QStringLiteral("ALTER TABLE shedlock MODIFY lock_until DATETIME(1), MODIFY locked_at DATETIME(0)"));
    QVERIFY(probe.release(guard).outcome != Outcome::Released);
    QVERIFY(probe.readPoints("a").held);
}

void SqlFaultsTest::lockedTableIsBusy()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    m_server.exec(QStringLiteral("LOCK TABLES shedlock WRITE"));
    QElapsedTimer timer;
    timer.start();
    probe.scan();
    m_server.exec(QStringLiteral("UNLOCK TABLES"));
    QVERIFY(timer.elapsed() < 20'000); // the server would wait for a day
    QVERIFY(!probe.ends.last().complete);
    QVERIFY(base::isTransient(probe.ends.last().error.code));
    // A driver may give the link up; otherwise the link is as good as before.
    if (probe.failures.isEmpty())
        QCOMPARE(probe.scan().size(), 1);
}

void SqlFaultsTest::aFailedLookEndsNoScan()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    probe.store().setPaused(true);
    probe.askScan();
    m_server.exec(QStringLiteral("LOCK TABLES shedlock WRITE"));
    probe.askPoints({{0, "a"}});
    QVERIFY(waitFor([&] { return probe.looked > 0 || !probe.ends.isEmpty(); }));
    m_server.exec(QStringLiteral("UNLOCK TABLES"));
    QVERIFY(probe.ends.isEmpty());
    QCOMPARE(probe.looked, 1);
    QVERIFY(probe.pages.isEmpty());
    probe.store().setPaused(false);
    QVERIFY(waitFor([&] { return !probe.ends.isEmpty(); }));
    if (probe.failures.isEmpty())
        QVERIFY(probe.ends.last().complete);
}

void SqlFaultsTest::killedUnderLoad()
{
    m_server.exec(QStringLiteral(
        "INSERT INTO shedlock SELECT CONCAT('n', seq), '2036-01-01', '2026-01-01', 'h' FROM seq_1_to_50000"));
    SourceSpec made = spec();
    made.pageSize = 10;
    QByteArray lastInstance;
    for (int i = 0; i < 3; ++i) {
        StoreProbe probe(made);
        QVERIFY(probe.open());
        QVERIFY(probe.info.instance != lastInstance);
        lastInstance = probe.info.instance;
        const domain::Guard guard = probe.inspect("a").guard;
        probe.askScan();
        QVERIFY(waitFor([&] { return probe.pages.size() > 3; }));
        m_server.kill();
        QVERIFY(waitFor([&] { return !probe.failures.isEmpty() && !probe.ends.isEmpty(); }));
        QVERIFY(!probe.ends.last().complete);
        QVERIFY(base::isTransient(probe.failures.last().code));
        QVERIFY(!probe.open()); // refused while it is down
        QVERIFY(m_server.start());
        QVERIFY(probe.open());
        QCOMPARE(probe.scan().size(), 50'001);
        // A guard of the server's earlier run is void.
        QCOMPARE(probe.release(guard).outcome, Outcome::HolderChanged);
    }
}

void SqlFaultsTest::replyLostIsUnknown()
{
    stores::sql::ReleaseSeams seams;
    seams.beforeWrite = [this] { m_server.freeze(); };
    StoreProbe probe(spec(), seams);
    QVERIFY(probe.open());
    const domain::Guard guard = probe.inspect("a").guard;
    const ReleaseReport report = probe.release(guard);
    m_server.thaw();
    QCOMPARE(report.outcome, Outcome::Unknown);
    QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
    QCOMPARE(probe.reports.size(), 1);
    // The server may have obeyed or not: a read over a new link shows it, and the same guard is still safe.
    StoreProbe again(spec());
    QVERIFY(again.open());
    QCOMPARE(again.readPoints("a").identity, guard.identity);
    const Outcome then = again.release(guard).outcome;
    const QList<Outcome> safe{Outcome::Released, Outcome::AlreadyFree};
    QVERIFY2(safe.contains(then), domain::outcomeName(then).data());
}

/** The row was released, but the answer was cut off: the outcome is unknown, and nothing is sent again. */
void SqlFaultsTest::replyCutAfterTheRelease()
{
    ProxyThread proxy(m_server.socketPath());
    QVERIFY(proxy.listen());
    int cutAfter = 0;
    stores::sql::ReleaseSeams seams;
    seams.beforeWrite = [&] { proxy.cutAnswersAfter(cutAfter); };
    SourceSpec through = spec();
    through.url.setPath(proxy.path());
    StoreProbe probe(through, seams);
    const auto updates = [this] {
        return m_server.exec(QStringLiteral("SHOW GLOBAL STATUS LIKE 'Com_update'")).at(0).at(1).toLongLong();
    };
    const auto isFree = [this] {
        return m_server
                   .exec(QStringLiteral(
                       "SELECT lock_until <= UTC_TIMESTAMP(6) FROM app.shedlock WHERE name = 'a'"))
                   .at(0)
                   .at(0) == "1";
    };
    constexpr int kRounds = 100;
    constexpr int kResetAnswer = 11; // Qt resets a statement before it runs it again: an OK packet
    const qint64 before = updates();
    for (int round = 0; round < kRounds; ++round) {
        proxy.cutAnswersAfter(-1);
        QVERIFY(probe.open());
        m_server.exec(QStringLiteral("SET time_zone = '+00:00';\nUPDATE app.shedlock SET locked_by = '%1', "
                                     "lock_until = UTC_TIMESTAMP(6) + INTERVAL 1 HOUR")
                          .arg(round));
        cutAfter = kResetAnswer + 1 + round % 3 * 4; // after the first byte of the answer, or more of it
        QCOMPARE(probe.release(probe.inspect("a").guard).outcome, Outcome::Unknown);
        QVERIFY(waitFor([&] { return probe.failures.size() == round + 1; }));
        QVERIFY(waitFor(isFree));
    }
    QCOMPARE(probe.reports.size(), kRounds);
    QCOMPARE(updates() - before, 2 * kRounds); // one by the application and one by the release, each round
}

void SqlFaultsTest::closeAnswersEverything()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    const domain::Guard guard = probe.inspect("a").guard;
    m_server.freeze();
    probe.askScan();
    probe.askPoints({{0, "a"}});
    probe.askInspection({0, "a"});
    ReleaseOrder order;
    order.guard = guard;
    probe.sendRelease(order);
    QElapsedTimer timer;
    timer.start();
    probe.store().close();
    QVERIFY(timer.elapsed() < spec().statementTimeoutMs / 2);
    m_server.thaw();
    QCOMPARE(probe.ends.size(), 1);
    QCOMPARE(probe.looked, 1);
    QVERIFY(probe.pages.isEmpty());
    QCOMPARE(probe.inspections.size(), 2); // the one before the server hung, and this
    QVERIFY(probe.inspections.last().error);
    QCOMPARE(probe.reports.size(), 1);
    QCOMPARE(probe.reports.last().outcome, Outcome::Unreachable); // it was never sent
    QVERIFY(probe.open());
    QVERIFY(probe.readPoints("a").held);
    QCOMPARE(probe.ends.size(), 1);
    QVERIFY(probe.failures.isEmpty());
}

void SqlFaultsTest::closedOrFailedAnswersUnreachable()
{
    StoreProbe probe(spec());
    ReleaseOrder order;
    QCOMPARE(probe.release(order).outcome, Outcome::Unreachable);
    QVERIFY(probe.inspect("a").error);
    probe.scan();
    QCOMPARE(probe.ends.last().error.code, ErrorCode::Unreachable);
    probe.askPoints({});
    QVERIFY(waitFor([&] { return probe.looked == 1; }));
    QVERIFY(probe.pages.isEmpty());
}

void SqlFaultsTest::destroyedWhileTheServerHangs()
{
    auto probe = std::make_unique<StoreProbe>(spec());
    QVERIFY(probe->open());
    m_server.freeze();
    probe->askScan();
    QElapsedTimer timer;
    timer.start();
    probe.reset();
    const qint64 took = timer.elapsed();
    m_server.thaw();
    QVERIFY2(took < 1'500, QByteArray::number(took).constData());
}

LOCKKEEPER_TEST(SqlFaultsTest)

} // namespace tst_sql_faults

#include "tst_sql_faults.moc"
