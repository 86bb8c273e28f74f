// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <signal.h>

namespace tst_agent_sql {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

/** A real agent on a real mariadbd with ShedLock's table. */
class TestAgentSql : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void lifeOfALock();
    void forceRelease_data();
    void forceRelease();
    void reloadReachesTheReading();
    void reloadReachesWhatMayBeBroken();
    void restartIsAGap();
    void droppedTableIsNoRelease();
    void checkNamesWhatIsWrong_data();
    void checkNamesWhatIsWrong();

private:
    QByteArray section(const QString &user = QStringLiteral("root"),
                       const QByteArray &table = "shedlock") const
    {
        return "[[source]]\nname = \"jobs\"\nurl = \"" +
               m_database.url(QStringLiteral("app"), user).toEncoded() +
               "\"\npoll_ms = 100\n\n  [[source.locks]]\n  scheme = \"sql.shedlock\"\n  table = \"" + table +
               "\"\n";
    }
    bool begin()
    {
        m_agent->configure(section());
        return startWatched();
    }
    void hold(const char *name, const char *by, int seconds)
    {
        m_database.exec(
            QStringLiteral("REPLACE INTO shedlock VALUES ('%1', NOW(3) + INTERVAL %2 SECOND, NOW(3), '%3')")
                .arg(QLatin1String(name))
                .arg(seconds)
                .arg(QLatin1String(by)),
            QStringLiteral("app"));
    }
    bool saw(EventKind kind, const QByteArray &name = {}, int timeoutMs = 10'000)
    {
        return m_client->saw(kind, name, timeoutMs);
    }
    domain::LockKey key(const QByteArray &name) const
    {
        return {QStringLiteral("jobs"), "sql.shedlock", "app.shedlock", name};
    }

    MariaDbServer m_database;
};

void TestAgentSql::initTestCase()
{
    QVERIFY(m_database.start());
    m_database.exec(
        QStringLiteral("CREATE DATABASE app;\nCREATE USER reader@localhost;\nCREATE USER nobody@localhost"));
}

void TestAgentSql::init()
{
    m_database.exec(
        QStringLiteral(
            "DROP TABLE IF EXISTS shedlock;\n"
            "CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
            "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL);\n"
            "GRANT SELECT ON app.shedlock TO reader@localhost"),
        QStringLiteral("app"));
    makeAgent();
}

void TestAgentSql::lifeOfALock()
{
    QVERIFY(begin());
    hold("nightly", "host-1", 1);
    QVERIFY(saw(EventKind::Acquired, "nightly"));
    const LockEvent acquired = m_client->last(EventKind::Acquired);
    QCOMPARE(acquired.owner, QByteArray("host-1"));
    QVERIFY(acquired.windowUs < 2'000); // locked_at holds the time, in milliseconds
    QVERIFY(saw(EventKind::Expired, "nightly"));
    const LockEvent expired = m_client->last(EventKind::Expired);
    qInfo("the end of a ShedLock lease is known after %.1f ms",
          double(expired.observedUs - expired.timeUs) / 1e3);
    QCOMPARE(expired.timeUs, acquired.expiresUs.value_or(0));
    QVERIFY(expired.observedUs - expired.timeUs < 5'000'000);
    hold("nightly", "host-2", 60);
    QTRY_COMPARE(m_client->events.constLast().owner, QByteArray("host-2"));
    m_database.exec(QStringLiteral("UPDATE shedlock SET lock_until = NOW(3)"), QStringLiteral("app"));
    QVERIFY(saw(EventKind::Released, "nightly"));
    QVERIFY(m_client->table.locks.contains(key("nightly"))); // the row stays, and the lock with it
}

void TestAgentSql::forceRelease_data()
{
    QTest::addColumn<QByteArray>("holder");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("its holder") << QByteArray("host-1") << Outcome::Released;
    QTest::newRow("another holder") << QByteArray("host-9") << Outcome::HolderChanged;
}

void TestAgentSql::forceRelease()
{
    QFETCH(QByteArray, holder);
    QFETCH(Outcome, outcome);
    QVERIFY(begin());
    hold("nightly", "host-1", 600);
    QVERIFY(saw(EventKind::Acquired, "nightly"));
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'f');
    order.key = key("nightly");
    order.holder = holder;
    order.reason = QStringLiteral("integration");
    order.dryRun = true;
    QCOMPARE(m_client->ask<protocol::ReleaseResult>(order)->outcome, outcome);
    order.dryRun = false;
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QVERIFY2(result->outcome == outcome, qPrintable(result->error.line()));
    const auto held = m_database.exec(QStringLiteral("SELECT lock_until > NOW(3), locked_by FROM shedlock"),
                                      QStringLiteral("app"));
    QCOMPARE(held.size(), 1); // never deleted
    QCOMPARE(held.constFirst().at(0), QByteArray(outcome == Outcome::Released ? "0" : "1"));
    QCOMPARE(held.constFirst().at(1), QByteArray("host-1"));
    const auto audit = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{});
    QVERIFY(audit);
    QCOMPARE(audit->entries.size(), 1); // a dry run leaves none
    QCOMPARE(audit->entries.constFirst().outcome, outcome);
    if (outcome == Outcome::Released) {
        QVERIFY(saw(EventKind::ForceReleased, "nightly"));
        QCOMPARE(m_client->events.constLast().command, order.command);
    }
}

/** The store decides which rows it reads: it takes over another reconcile_ms without a new connection. */
void TestAgentSql::reloadReachesTheReading()
{
    m_database.exec(QStringLiteral("CREATE INDEX by_deadline ON shedlock (lock_until)"),
                    QStringLiteral("app"));
    hold("idle", "host-1", -60);
    const auto every = [this](const QByteArray &reconcileMs) {
        return section().replace("poll_ms = 100", "poll_ms = 100\nreconcile_ms = " + reconcileMs);
    };
    m_agent->configure(every("86400000"));
    QVERIFY(startWatched());
    const auto isListed = [this] {
        return m_client->list().value_or(QHash<domain::LockKey, domain::LockState>()).contains(key("idle"));
    };
    QTRY_VERIFY(isListed());
    m_database.exec(QStringLiteral("DELETE FROM shedlock"), QStringLiteral("app"));
    for (const char *name : {"one", "two"}) { // scans that read only held rows, and see no free row
        hold(name, "host-2", 600);
        QVERIFY(saw(EventKind::Acquired, name));
    }
    QVERIFY(isListed());
    m_agent->configure(every("1000"));
    m_agent->signal(SIGHUP);
    QTRY_VERIFY(!isListed());
    QCOMPARE(m_client->count(EventKind::SourceUp), 1);
}

void TestAgentSql::reloadReachesWhatMayBeBroken()
{
    const QByteArray never = section() + "  break = \"never\"\n";
    m_agent->configure(never);
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
    m_client->subscribe(0, true);
    for (const char *name : {"first", "second"}) {
        hold(name, "host-1", 600);
        QVERIFY(saw(EventKind::Acquired, name));
    }
    QCOMPARE(m_client->breakLock(key("first")), Outcome::Refused);
    m_agent->configure(section());
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(m_client->count(EventKind::SourceUp), 2);
    const auto ends = [this](const char *name, Outcome wanted) { // once: a second one finds it free
        return QTest::qWaitFor([&] { return m_client->breakLock(key(name)) == wanted; }, 10'000);
    };
    QVERIFY(ends("first", Outcome::Released));
    m_agent->configure(never);
    m_agent->signal(SIGHUP);
    QVERIFY(ends("second", Outcome::Refused));
    QCOMPARE(m_database
                 .exec(QStringLiteral("SELECT COUNT(*) FROM shedlock WHERE lock_until > NOW(3)"),
                       QStringLiteral("app"))
                 .first()
                 .first(),
             QByteArray("1"));
}

void TestAgentSql::restartIsAGap()
{
    QVERIFY(begin());
    hold("nightly", "host-1", 600);
    QVERIFY(saw(EventKind::Acquired, "nightly"));
    m_database.stop();
    QVERIFY(saw(EventKind::SourceDown));
    QVERIFY(saw(EventKind::GapOpened));
    QVERIFY(m_database.start());
    QVERIFY(saw(EventKind::GapClosed, {}, 20'000));
    QVERIFY(!saw(EventKind::Released, {}, 200) && !saw(EventKind::Expired, {}, 10));
    QVERIFY(m_client->table.locks.value(key("nightly")).isHeld());
}

void TestAgentSql::droppedTableIsNoRelease()
{
    QVERIFY(begin());
    hold("nightly", "host-1", 600);
    QVERIFY(saw(EventKind::Acquired, "nightly"));
    m_database.exec(QStringLiteral("DROP TABLE shedlock"), QStringLiteral("app"));
    QVERIFY(saw(EventKind::SourceDown));
    QVERIFY(!saw(EventKind::Released, {}, 200));
    const auto state = [this] { return m_client->sources.value(QStringLiteral("jobs")); };
    QTRY_VERIFY(state().error.line().contains(QStringLiteral("shedlock")));
}

void TestAgentSql::checkNamesWhatIsWrong_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArrayList>("words");
    QTest::newRow("all is well") << QStringLiteral("root") << QByteArray("shedlock") << 0
                                 << QByteArrayList{"every source can be observed"};
    QTest::newRow("may only look") << QStringLiteral("reader") << QByteArray("shedlock") << 0
                                   << QByteArrayList{"MISSING", "force-release", "GRANT SELECT, UPDATE"};
    QTest::newRow("may nothing") << QStringLiteral("nobody") << QByteArray("shedlock") << 1
                                 << QByteArrayList{"Access denied", "GRANT SELECT"};
    QTest::newRow("wrong table") << QStringLiteral("root") << QByteArray("shedlok") << 1
                                 << QByteArrayList{"agent.toml:", "shedlok", "shedlock"};
}

void TestAgentSql::checkNamesWhatIsWrong()
{
    QFETCH(QString, user);
    QFETCH(QByteArray, table);
    QFETCH(int, status);
    QFETCH(QByteArrayList, words);
    m_agent->configure(section(user, table));
    QByteArray output;
    const int got = m_agent->run({QStringLiteral("--check")}, &output);
    QVERIFY2(got == status, output.constData());
    for (const QByteArray &word : words)
        QVERIFY2(output.contains(word), (word + " isn't in: " + output).constData());
}

LOCKKEEPER_TEST(TestAgentSql)

} // namespace tst_agent_sql

#include "tst_agent_sql.moc"
