// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QTimer>

#include <algorithm>
#include <csignal>

namespace tst_agent_redis {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

/** A real agent on a real redis-server. */
class TestAgentRedis : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void lifeOfALock();
    void expiryIsKnownInTime();
    void anOldGuardFreesNoLaterHold_data();
    void anOldGuardFreesNoLaterHold();
    void forceRelease_data();
    void forceRelease();
    void restartUnderLoad();
    void frozenServerIsAGap();
    void wrongPasswordIsNamedAndCured();

private:
    QByteArray section(const QByteArray &more = {}) const
    {
        return "[[source]]\nname = \"orders\"\nurl = \"" + m_redis->url().toEncoded() +
               "\"\npoll_ms = 100\n" + more +
               "  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n  no_expiry_after = "
               "\"1s\"\n";
    }
    bool begin(const QByteArray &more = {})
    {
        m_agent->configure(section(more));
        return m_agent->start() && m_client->open(m_agent->socket());
    }
    domain::LockKey key(const QByteArray &name) const
    {
        return {QStringLiteral("orders"), "redis.token", "db0", name};
    }
    bool saw(EventKind kind, const QByteArray &name = {}, int timeoutMs = 10'000)
    {
        return m_client->saw(kind, name, timeoutMs);
    }

    std::unique_ptr<RedisServer> m_redis;
};

void TestAgentRedis::init()
{
    m_redis = std::make_unique<RedisServer>();
    makeAgent();
    QVERIFY(m_redis->start({QStringLiteral("--appendonly"), QStringLiteral("yes")}));
}

void TestAgentRedis::cleanup()
{
    endAgent();
    m_redis.reset();
}

void TestAgentRedis::lifeOfALock()
{
    QVERIFY(begin());
    m_client->subscribe(0, true);
    QVERIFY(saw(EventKind::SourceUp));
    m_redis->command({"SET", "lock:a", "alice", "PX", "60000"});
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    const LockEvent acquired = m_client->events.constLast();
    QCOMPARE(acquired.owner, QByteArray("alice"));
    QVERIFY(acquired.windowUs > 0 && acquired.windowUs < 5'000'000);
    QVERIFY(acquired.observedUs >= acquired.timeUs);
    QVERIFY(std::abs(acquired.expiresUs.value_or(0) - acquired.timeUs - 60'000'000) < 5'000'000);
    m_redis->command({"SET", "lock:a", "bob", "PX", "60000"});
    QVERIFY(saw(EventKind::TakenOver, "lock:a"));
    QCOMPARE(m_client->events.constLast().owner, QByteArray("bob"));
    QCOMPARE(m_client->events.constLast().detail.previous.value_or(std::nullopt),
             std::optional(QStringLiteral("alice")));
    m_redis->command({"DEL", "lock:a"});
    QVERIFY(saw(EventKind::Released, "lock:a"));
    QCOMPARE(m_client->events.constLast().owner, QByteArray("bob"));
    m_redis->command({"SET", "lock:\xff\n", QByteArray("no\0name", 7)});
    QVERIFY(saw(EventKind::Acquired, "lock:\xff\n"));
    QCOMPARE(m_client->events.constLast().owner, QByteArray("no\0name", 7));
    QVERIFY(saw(EventKind::Stuck, "lock:\xff\n")); // without expiry, in a scheme that has one
    QVERIFY(m_client->table.locks.contains(key("lock:\xff\n")));
}

void TestAgentRedis::expiryIsKnownInTime()
{
    QVERIFY(begin());
    m_client->subscribe(0, false);
    QVERIFY(saw(EventKind::SourceUp));
    constexpr int kCount = 20;
    for (int i = 0; i < kCount; ++i)
        m_redis->command(
            {"SET", "lock:" + QByteArray::number(i), "x", "PX", QByteArray::number(1'000 + 53 * i)});
    const auto expired = [this] {
        return std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                             [](const LockEvent &e) { return e.kind == EventKind::Expired; });
    };
    QTRY_COMPARE_WITH_TIMEOUT(expired(), kCount, 15'000);
    QList<qint64> late;
    for (const LockEvent &event : std::as_const(m_client->events)) {
        if (event.kind == EventKind::Expired)
            late.append(event.observedUs - event.timeUs);
    }
    std::sort(late.begin(), late.end());
    qInfo("an expiry is known after %.1f ms (median), %.1f ms (worst)", double(late.at(kCount / 2)) / 1e3,
          double(late.constLast()) / 1e3);
    QVERIFY(late.constFirst() >= 0);
    QVERIFY(late.at(kCount / 2) < 100'000);
}

void TestAgentRedis::anOldGuardFreesNoLaterHold_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<bool>("sameDeadline");
    QTest::newRow("true") << QByteArray("true") << false;
    QTest::newRow("a host") << QByteArray("job-runner-2") << false;
    QTest::newRow("true, until midnight") << QByteArray("true") << true;
    QTest::newRow("a client's own id") << QByteArray("3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a") << false;
}

/** The second hold carries the value of the first; the guard was that of the first. */
void TestAgentRedis::anOldGuardFreesNoLaterHold()
{
    QFETCH(QByteArray, token);
    QFETCH(bool, sameDeadline);
    QVERIFY(begin());
    m_client->subscribe(0, true);
    const qint64 untilMs = QDateTime::currentMSecsSinceEpoch() + 3'600'000;
    const auto take = [&](qint64 laterMs) {
        m_redis->command({"SET", "lock:x", token, "NX", "PXAT", QByteArray::number(untilMs + laterMs)});
    };
    take(0);
    QVERIFY(saw(EventKind::Acquired, "lock:x"));
    const QByteArray guard = m_client->table.locks.value(key("lock:x")).guard;
    QVERIFY(!guard.isEmpty());
    m_redis->command({"DEL", "lock:x"});
    QVERIFY(saw(EventKind::Released, "lock:x"));
    take(sameDeadline ? 0 : 30'000);
    QVERIFY(m_client->waitForEvent([&](const LockEvent &) {
        return m_client->table.locks.value(key("lock:x")).isHeld() &&
               m_client->table.locks.value(key("lock:x")).guard != guard;
    }));
    for (const bool ifNotRenewed : {false, true}) {
        protocol::ForceRelease order;
        order.command = QByteArray(32, ifNotRenewed ? 'e' : 'f');
        order.key = key("lock:x");
        order.guard = guard;
        order.ifNotRenewed = ifNotRenewed;
        order.reason = QStringLiteral("integration");
        const auto result = m_client->ask<protocol::ReleaseResult>(order);
        QVERIFY(result);
        QCOMPARE(domain::outcomeName(result->outcome), domain::outcomeName(Outcome::HolderChanged));
    }
    QCOMPARE(m_redis->command({"GET", "lock:x"}).bytes, token);
    // Its own guard frees it.
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'd');
    order.key = key("lock:x");
    order.guard = m_client->table.locks.value(key("lock:x")).guard;
    order.reason = QStringLiteral("integration");
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(domain::outcomeName(result->outcome), domain::outcomeName(Outcome::Released));
}

void TestAgentRedis::forceRelease_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<int>("ttlMs");
    QTest::addColumn<domain::Because>("because");
    QTest::addColumn<bool>("renewedMeanwhile");
    QTest::addColumn<Outcome>("outcome");
    const QByteArray distinct("3b5f0c1e8d0a4c7e9f2b6a1d5e4c3b2a");
    using domain::Because;
    QTest::newRow("operator") << distinct << 60'000 << Because::Operator << false << Outcome::Released;
    QTest::newRow("operator, renewed")
        << distinct << 60'000 << Because::Operator << true << Outcome::HolderChanged;
    QTest::newRow("stuck") << distinct << 0 << Because::Stuck << false << Outcome::Refused;
    QTest::newRow("expired, but it isn't")
        << distinct << 60'000 << Because::Expired << false << Outcome::Refused;
    const QByteArray plain("true");
    QTest::newRow("plain") << plain << 60'000 << Because::Operator << false << Outcome::Released;
    QTest::newRow("plain, renewed") << plain << 60'000 << Because::Operator << true << Outcome::HolderChanged;
    QTest::newRow("plain, without expiry") << plain << 0 << Because::Operator << false << Outcome::Refused;
}

void TestAgentRedis::forceRelease()
{
    QFETCH(QByteArray, token);
    QFETCH(int, ttlMs);
    QFETCH(domain::Because, because);
    QFETCH(bool, renewedMeanwhile);
    QFETCH(Outcome, outcome);
    QVERIFY(begin());
    m_client->subscribe(0, true);
    m_redis->command({"SET", "lock:a", token});
    if (ttlMs > 0)
        m_redis->command({"PEXPIRE", "lock:a", QByteArray::number(ttlMs)});
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    if (because == domain::Because::Stuck)
        QVERIFY(saw(EventKind::Stuck, "lock:a"));
    protocol::Inspect inspect;
    inspect.key = key("lock:a");
    const auto read = m_client->ask<protocol::Inspected>(inspect);
    QVERIFY(read && read->present);
    if (renewedMeanwhile)
        m_redis->command({"PEXPIRE", "lock:a", "90000"});
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'b');
    order.key = key("lock:a");
    order.ticket = read->ticket;
    order.because = because;
    order.reason = QStringLiteral("integration");
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(domain::outcomeName(result->outcome), domain::outcomeName(outcome));
    const auto audit = m_client->ask<protocol::AuditPage>(protocol::AuditQuery{});
    QVERIFY(audit);
    QCOMPARE(audit->entries.constFirst().outcome, outcome);
    QCOMPARE(audit->entries.constFirst().command, order.command);
    const bool there = m_redis->command({"EXISTS", "lock:a"}).integer == 1;
    QCOMPARE(there, outcome != Outcome::Released);
    if (!there) {
        QVERIFY(saw(EventKind::ForceReleased, "lock:a"));
        QCOMPARE(m_client->events.constLast().command, order.command);
    }
}

void TestAgentRedis::restartUnderLoad()
{
    for (int i = 0; i < 50; ++i)
        m_redis->command({"SET", "lock:kept" + QByteArray::number(i), "alice"});
    QVERIFY(begin());
    m_client->subscribe(0, true);
    QTRY_COMPARE(m_client->table.locks.size(), 50);
    QTimer load;
    int turn = 0;
    connect(&load, &QTimer::timeout, this, [this, &turn] {
        m_redis->command(
            {"SET", "lock:busy" + QByteArray::number(++turn % 20), QByteArray::number(turn), "PX", "500"});
    });
    load.start(5);
    for (int round = 0; round < 3; ++round) {
        const qsizetype from = m_client->events.size();
        QVERIFY(m_redis->restart());
        const auto since = [this, from](EventKind kind) {
            return std::any_of(m_client->events.cbegin() + from, m_client->events.cend(),
                               [kind](const LockEvent &e) { return e.kind == kind; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(since(EventKind::SourceDown) && since(EventKind::GapOpened), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(since(EventKind::SourceUp) && since(EventKind::GapClosed), 10'000);
    }
    load.stop();
    QVERIFY(m_client->ask<protocol::Done>(protocol::ReadNow{}));
    for (const LockEvent &event : std::as_const(m_client->events)) {
        const bool ended = event.kind == EventKind::Released || event.kind == EventKind::Expired ||
                           event.kind == EventKind::TakenOver;
        QVERIFY2(!(ended && event.key.name.startsWith("lock:kept")), "an end that never was");
    }
}

void TestAgentRedis::frozenServerIsAGap()
{
    m_redis->command({"SET", "lock:a", "alice"});
    QVERIFY(begin());
    m_client->subscribe(0, true);
    QVERIFY(saw(EventKind::Acquired, "lock:a"));
    m_redis->pause();
    QVERIFY(saw(EventKind::SourceDown, {}, 20'000));
    QTRY_VERIFY(m_client->sources.value(QStringLiteral("orders")).link != domain::Link::Up);
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'e');
    order.key = key("lock:a");
    order.holder = "alice";
    order.reason = QStringLiteral("frozen");
    const auto result = m_client->ask<protocol::ReleaseResult>(order);
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Unreachable);
    m_redis->resume();
    QVERIFY(saw(EventKind::GapClosed, {}, 20'000));
    QVERIFY(!saw(EventKind::Released, "lock:a", 100));
    QVERIFY(m_client->table.locks.contains(key("lock:a")));
}

void TestAgentRedis::wrongPasswordIsNamedAndCured()
{
    m_redis->command({"CONFIG", "SET", "requirepass", "right"});
    const QString secret = m_agent->folder() + QStringLiteral("/secret");
    const auto write = [&secret](const QByteArray &password) {
        QFile file(secret);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(password);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    };
    write("wrong");
    QVERIFY(begin("password = \"file:" + QFile::encodeName(secret) + "\"\n"));
    m_client->subscribe(std::nullopt);
    const auto state = [this] { return m_client->sources.value(QStringLiteral("orders")); };
    QTRY_COMPARE(state().link, domain::Link::Down);
    QCOMPARE(state().error.code, base::ErrorCode::Authentication);
    QVERIFY(!m_agent->log().contains("right") && !m_agent->log().contains("wrong"));
    write("right");
    m_agent->signal(SIGHUP); // the configuration names the same file: its content is what changed
    QTRY_COMPARE_WITH_TIMEOUT(state().link, domain::Link::Up, 15'000);
    QVERIFY(!m_client->end);
}

LOCKKEEPER_TEST(TestAgentRedis)

} // namespace tst_agent_redis

#include "tst_agent_redis.moc"
