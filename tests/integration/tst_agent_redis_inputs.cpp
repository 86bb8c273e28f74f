// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_agent_rig.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::Kind;
using events::LockEvent;

/** What others may do to the keys of a Redis server that an agent watches. */
class TestAgentRedisInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_rig.startServer()); }
    void cleanup()
    {
        QCOMPARE(m_rig.client->faults, QStringList());
        m_rig.stop();
    }
    void whatHappensToALock_data();
    void whatHappensToALock();
    void namesAndValuesOfEverySize();
    void jsonLeasesRaceAndMissTheirHeartbeat();

private:
    /** "acquired a by x, …": what was told of the locks, in order. */
    QByteArray story() const
    {
        QList<QByteArray> lines;
        for (const LockEvent &event : std::as_const(m_rig.client->events)) {
            if (!event.key.name.isEmpty())
                lines.append(events::kindName(event.kind).toByteArray() + ' ' + event.key.name.left(20) +
                             " by " + event.owner.left(20));
        }
        return lines.join(", ");
    }

    RedisAgentRig m_rig;
};

void TestAgentRedisInputs::whatHappensToALock_data()
{
    QTest::addColumn<QList<QByteArray>>("act");
    QTest::addColumn<QByteArray>("story");
    QTest::addColumn<bool>("unknown");
    const auto row = [](const char *name, const QList<QByteArray> &act, const char *story,
                        bool unknown = false) { QTest::newRow(name) << act << QByteArray(story) << unknown; };
    row("a hash takes its place",
        {"EVAL", "redis.call('DEL', 'lock:a') return redis.call('HSET', 'lock:a', 'f', 'v')", "0"},
        "acquired lock:a by alice, released lock:a by alice", true);
    row("another key is renamed onto it", {"RENAME", "spare", "lock:a"},
        "acquired lock:a by alice, taken_over lock:a by bob");
    row("it is renamed away", {"RENAME", "lock:a", "moved"},
        "acquired lock:a by alice, released lock:a by alice");
    row("everything is flushed", {"FLUSHALL"}, "acquired lock:a by alice, released lock:a by alice");
    row("the database is swapped", {"SWAPDB", "0", "1"},
        "acquired lock:a by alice, released lock:a by alice");
    row("a script sets and deletes another in one go",
        {"EVAL", "redis.call('SET', 'lock:b', 'x') return redis.call('DEL', 'lock:b')", "0"},
        "acquired lock:a by alice");
    row("a script deletes and sets it again as it was",
        {"EVAL", "redis.call('DEL', 'lock:a') return redis.call('SET', 'lock:a', 'alice', 'PX', 60000)", "0"},
        "acquired lock:a by alice");
}

void TestAgentRedisInputs::whatHappensToALock()
{
    QFETCH(QList<QByteArray>, act);
    QFETCH(QByteArray, story);
    QFETCH(bool, unknown);
    m_rig.redis->command({"SET", "spare", "bob"});
    QVERIFY(m_rig.begin("  scheme = \"redis.token\"\n  match = \"lock:*\""));
    m_rig.redis->command({"SET", "lock:a", "alice", "PX", "60000"});
    QTRY_COMPARE(this->story(), QByteArray("acquired lock:a by alice"));
    QVERIFY(!m_rig.redis->command(act).isError());
    QTRY_COMPARE(this->story(), story);
    // Three passes later still nothing else is claimed.
    for (int pass = 0; pass < 3; ++pass)
        QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    QCOMPARE(this->story(), story);
    const auto state = m_rig.state("lock:a");
    QCOMPARE(!state.key.name.isEmpty() && state.phase == domain::Phase::Unknown, unknown);
    if (unknown)
        QCOMPARE(state.release.why, domain::ReleaseOff::WrongType);
}

void TestAgentRedisInputs::namesAndValuesOfEverySize()
{
    QVERIFY(m_rig.begin("  scheme = \"redis.token\"\n  match = \"*\""));
    const QByteArray nul("lock:\0a", 7);
    const QByteArray longName(1 << 20, 'n');
    m_rig.redis->command({"SET", nul, "alice"});
    m_rig.redis->command({"SET", longName, "bob"});
    m_rig.redis->command({"SETRANGE", "big", "536870911", "x"}); // 512 MiB, the most there can be, of NUL
    const auto state = [this](const QByteArray &name) { return m_rig.state(name); };
    QTRY_COMPARE(state(nul).owner, QByteArray("alice"));
    QTRY_COMPARE(state(longName).owner, QByteArray("bob"));
    QTRY_COMPARE(state("big").release.why, domain::ReleaseOff::Truncated);
    QVERIFY(state("big").owner.size() <= 64 * 1024);
    QVERIFY(m_rig.agent->residentKib() < 200 * 1024);
}

/** redis.json: two writers within half a second, and a holder that no longer writes. */
void TestAgentRedisInputs::jsonLeasesRaceAndMissTheirHeartbeat()
{
    QVERIFY(m_rig.begin("  scheme = \"redis.json\"\n  match = \"job:*\""));
    const auto write = [this](const QByteArray &owner, const QByteArray &state, int lastSync, int ttlMs) {
        m_rig.redis->command({"SET", "job:a",
                              "{\"owner\":\"" + owner + "\",\"state\":\"" + state +
                                  "\",\"lastSync\":" + QByteArray::number(lastSync) + '}',
                              "PX", QByteArray::number(ttlMs)});
    };
    write("one", "wait", 1, 60'000);
    QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    QCOMPARE(story(), QByteArray());
    write("one", "execute", 1, 60'000);
    QTRY_COMPARE(story(), QByteArray("acquired job:a by one"));
    write("two", "execute", 1, 60'000);
    QTRY_COMPARE(story(), QByteArray("acquired job:a by one, taken_over job:a by two"));
    write("two", "execute", 1, 60'000); // the heartbeat
    QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    write("two", "wait", 2, 60'000);
    const QByteArray given("acquired job:a by one, taken_over job:a by two, released job:a by two");
    QTRY_COMPARE(story(), given);
    write("one", "execute", 2, 1'500);
    QTRY_COMPARE(story(), given + ", acquired job:a by one");
    // Nobody rewrites it: near its deadline it shows as expiring, and then it has expired.
    const auto state = [this] { return m_rig.state("job:a", "redis.json"); };
    const qint64 deadlineUs = state().expiresUs.value_or(0);
    QCOMPARE(domain::condition(state(), deadlineUs - 100'000), domain::Condition::Expiring);
    QTRY_COMPARE(story(), given + ", acquired job:a by one, expired job:a by one");
    // Deadlines are exact from Redis 7 on.
    const qint64 slackUs = RedisServer::version() < 700 ? 10'000 : 0;
    QVERIFY(qAbs(m_rig.client->events.constLast().timeUs - deadlineUs) <= slackUs);
}

QTEST_GUILESS_MAIN(TestAgentRedisInputs)
#include "tst_agent_redis_inputs.moc"
