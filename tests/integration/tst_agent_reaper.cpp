// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <csignal>

namespace tst_agent_reaper {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;

/** A real agent with a reaper policy in its configuration, on real servers. */
class TestAgentReaper : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void withoutDeadline();
    void rowPastItsDeadline();
    void offUnlessTold();

private:
    bool begin(const QByteArray &sources)
    {
        m_agent->configure(sources);
        if (!m_agent->start() || !m_client->open(m_agent->socket()))
            return false;
        m_client->subscribe(0);
        return true;
    }
    bool saw(EventKind kind, const QByteArray &name) { return m_client->saw(kind, name); }
    QList<domain::AuditEntry> audit()
    {
        const auto page = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{0, {}, 100, true});
        return page && page->verified ? page->entries : QList<domain::AuditEntry>();
    }
    static QByteArray rows(const MariaDbServer &database, const QByteArray &more)
    {
        return "[[source]]\nname = \"jobs\"\nurl = \"" + database.url(QStringLiteral("app")).toEncoded() +
               "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"sql.insert\"\n  table = \"leases\"\n"
               "  name = \"name\"\n  holder = \"holder\"\n  acquired_at = \"created_at\"\n"
               "  expires_at = \"expires_at\"\n" +
               more;
    }
};

void TestAgentReaper::withoutDeadline()
{
    RedisServer redis;
    MariaDbServer database;
    QVERIFY(redis.start() && database.start());
    redis.command(
        {"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"}); // its client's next one may be alike
    redis.command({"SET", "lock:live", "bob", "PX", "60000"});
    database.exec(QStringLiteral("CREATE DATABASE app"));
    database.exec(
        QStringLiteral("CREATE TABLE jobs (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(64) UNIQUE)"),
        QStringLiteral("app"));
    database.exec(QStringLiteral("INSERT INTO jobs (name) VALUES ('dead')"), QStringLiteral("app"));
    const QByteArray policy("  reaper = \"stuck\"\n  reaper_delay = \"1s\"\n");
    QVERIFY(begin("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                  "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n"
                  "  no_expiry_after = \"1s\"\n" +
                  policy + "[[source]]\nname = \"jobs\"\nurl = \"" +
                  database.url(QStringLiteral("app")).toEncoded() +
                  "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"sql.insert\"\n  table = \"jobs\"\n"
                  "  name = \"name\"\n  id = \"id\"\n  stuck_after = \"2s\"\n" +
                  policy));
    QVERIFY(saw(EventKind::Stuck, "lock:dead"));
    QVERIFY(saw(EventKind::ForceReleased, "dead"));
    const events::LockEvent event = m_client->last(EventKind::ForceReleased);
    QCOMPARE(database.exec(QStringLiteral("SELECT id FROM jobs"), QStringLiteral("app")).size(), 0);
    QCOMPARE(redis.command({"GET", "lock:live"}).bytes, QByteArray("bob"));
    QVERIFY(!redis.command({"GET", "lock:dead"}).isNil());
    QTRY_COMPARE(audit().size(), 1);
    const domain::AuditEntry entry = audit().constFirst();
    QCOMPARE(entry.outcome, Outcome::Released);
    QCOMPARE(entry.who + QLatin1Char(' ') + entry.role, QStringLiteral("reaper policy"));
    QCOMPARE(entry.because, domain::Because::Stuck);
    QCOMPARE(entry.command, event.command);
}

void TestAgentReaper::rowPastItsDeadline()
{
    MariaDbServer database;
    QVERIFY(database.start());
    database.exec(QStringLiteral("CREATE DATABASE app"));
    database.exec(
        QStringLiteral("CREATE TABLE leases (name VARCHAR(64) PRIMARY KEY, holder VARCHAR(64) NOT NULL, "
                       "created_at DATETIME(6) NOT NULL, expires_at DATETIME(6) NOT NULL)"),
        QStringLiteral("app"));
    const auto left = [&database] {
        return database.exec(QStringLiteral("SELECT name FROM leases"), QStringLiteral("app")).size();
    };
    const QByteArray policy = "  reaper = \"expired\"\n  reaper_delay = \"1s\"\n";
    QVERIFY(begin(rows(database, policy + "  reaper_dry_run = true\n")));
    QVERIFY(m_client->saw(EventKind::SourceUp));
    database.exec(
        QStringLiteral("INSERT INTO leases VALUES ('dead', 'alice', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + "
                       "INTERVAL 1 SECOND), ('live', 'bob', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL 1 "
                       "HOUR)"),
        QStringLiteral("app"));
    QVERIFY(saw(EventKind::Expired, "dead"));
    const auto would = [this] {
        const auto entries = audit();
        return entries.size() == 1 && entries.constFirst().outcome == Outcome::WouldRelease;
    };
    QTRY_VERIFY_WITH_TIMEOUT(would(), 10'000);
    QCOMPARE(left(), 2);
    // Taken out of dry-run by SIGHUP: the same link, the same policy, and now it acts.
    m_agent->configure(rows(database, policy));
    m_agent->signal(SIGHUP);
    QVERIFY(saw(EventKind::ForceReleased, "dead"));
    QCOMPARE(left(), 1);
    const auto entries = audit();
    QCOMPARE(entries.size(), 2);
    QCOMPARE(entries.constFirst().because, domain::Because::Expired);
    QCOMPARE(std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                           [](const events::LockEvent &e) { return e.kind == EventKind::SourceDown; }),
             0);
}

void TestAgentReaper::offUnlessTold()
{
    RedisServer redis;
    QVERIFY(redis.start());
    redis.command({"SET", "lock:dead", "3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"});
    QVERIFY(begin("[[source]]\nname = \"orders\"\nurl = \"" + redis.url().toEncoded() +
                  "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n"
                  "  no_expiry_after = \"1s\"\n"));
    QVERIFY(saw(EventKind::Stuck, "lock:dead"));
    QVERIFY(!m_client->waitForEvent([](const auto &e) { return e.kind == EventKind::ForceReleased; }, 2'500));
    QCOMPARE(audit().size(), 0);
    QCOMPARE(redis.command({"GET", "lock:dead"}).bytes, QByteArray("3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a"));
}

LOCKKEEPER_TEST(TestAgentReaper)

} // namespace tst_agent_reaper

#include "tst_agent_reaper.moc"
