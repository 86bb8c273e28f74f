// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/java_text.h"
#include "tests/support/program.h"
#include "tests/support/redis_agent_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_agent_redis_inputs {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** Unusual changes that others may make to the keys of a Redis server under an agent's watch. */
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
    void namesThatJavaWraps();
    void jsonLeasesRaceAndMissTheirHeartbeat();
    void permitsOfASet_data();
    void permitsOfASet();
    void clientsHaveALongerLease_data() { permitsOfASet_data(); }
    void clientsHaveALongerLease();
    void permitsThatEndedLeaveThePast_data() { permitsOfASet_data(); }
    void permitsThatEndedLeaveThePast();

private:
    /** "acquired a by x, …": the events of holds, in order. */
    QByteArray story() const
    {
        QList<QByteArray> lines;
        for (const LockEvent &event : std::as_const(m_rig.client->events)) {
            if (!event.key.name.isEmpty() && event.kind != EventKind::Changed)
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
    // After three more scans, the agent still claims nothing else.
    for (int scan = 0; scan < 3; ++scan)
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

/** Spring's RedisTemplate writes names and values as Java serialises strings, unless it is set up otherwise.
 */
void TestAgentRedisInputs::namesThatJavaWraps()
{
    const QByteArray key = base::javaName("lock:order:1");
    const QByteArray token("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    m_rig.redis->command({"SET", key, base::javaName(token), "PX", "600000"});
    m_rig.redis->command({"SET", "lock:order:1", "plain", "PX", "600000"});
    QVERIFY(m_rig.begin("  scheme = \"redis.token\"\n  match = \"lock:*\"\n  serializer = \"jdk\""));
    QTRY_COMPARE(m_rig.state(key).owner, base::javaName(token));
    QCOMPARE(m_rig.client->table.locks.size(), 1); // the set matches serialised names
    const auto ctl = [this](const QStringList &arguments) {
        return run("lockkeeperctl",
                   QStringList{QStringLiteral("--agent"), QLatin1String("local:") + m_rig.agent->socket()} +
                       arguments);
    };
    const Output list =
        ctl({QStringLiteral("locks"), QStringLiteral("--name"), QStringLiteral("lock:order:1")});
    QVERIFY2(list.out.contains("lock:order:1") && !list.out.contains("xac"), list.out.constData());
    QVERIFY2(list.out.contains(token.first(8)), list.out.constData());
    const Output release =
        ctl({QStringLiteral("release"), QStringLiteral("s"), QStringLiteral("lock:order:1"),
             QStringLiteral("--holder"), QString::fromLatin1(token), QStringLiteral("--reason"),
             QStringLiteral("test"), QStringLiteral("--yes")});
    QVERIFY2(release.status == 0, (release.out + release.err).constData());
    QCOMPARE(m_rig.redis->command({"EXISTS", key}).integer, 0);
    QCOMPARE(m_rig.redis->command({"EXISTS", "lock:order:1"}).integer, 1);
    const Output history =
        ctl({QStringLiteral("history"), QStringLiteral("--lock"), QStringLiteral("lock:order:1")});
    QVERIFY2(history.out.contains("lock:order:1") && !history.out.contains("xac"),
             (history.out + history.err).constData());
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
    write("one", "execute", 2, 2'000);
    QTRY_COMPARE(story(), given + ", acquired job:a by one");
    const auto state = [this] { return m_rig.state("job:a", "redis.json"); };
    for (quint32 beat = 1; beat <= 3; ++beat) {
        write("one", "execute", 2 + int(beat), 2'000);
        QTRY_COMPARE(state().renewals, beat);
    }
    // Nobody rewrites it: near its deadline it shows as expiring and silent, and then it has expired.
    const qint64 deadlineUs = state().expiresUs.value_or(0);
    QCOMPARE(domain::condition(state(), deadlineUs - 100'000), domain::Condition::Expiring);
    QCOMPARE(domain::liveness(state(), deadlineUs - 100'000).verdict, domain::Alive::Silent);
    QTRY_COMPARE(story(), given + ", acquired job:a by one, expired job:a by one");
    // Deadlines are exact from Redis 7 on.
    const qint64 slackUs = RedisServer::version() < 700 ? 10'000 : 0;
    QVERIFY(qAbs(m_rig.client->events.constLast().timeUs - deadlineUs) <= slackUs);
}

void TestAgentRedisInputs::permitsOfASet_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("polled") << QByteArray("poll_ms = 50\n");
    QTest::newRow("pushed") << QByteArray("push = true\npoll_ms = 60000\nreconcile_ms = 600000\n");
}

/**
 * redis.semaphore: permits expire, the set outgrows the agent's limit of reading, and its key gets another
 * type.
 */
void TestAgentRedisInputs::permitsOfASet()
{
    QFETCH(QByteArray, source);
    const bool pushed = source.startsWith("push");
    if (pushed && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    QVERIFY(m_rig.begin("  scheme = \"redis.semaphore\"\n  match = \"pool:*\"\n  lease = \"60s\"", source));
    const auto nowMs = [this] {
        return m_rig.redis->command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000;
    };
    const auto told = [this] { // "acquired one, …"
        QList<QByteArray> lines;
        for (const LockEvent &event : std::as_const(m_rig.client->events)) {
            if (!event.key.name.isEmpty() && event.kind != EventKind::Changed)
                lines.append(events::kindName(event.kind).toByteArray() + ' ' + event.owner);
        }
        return lines.join(", ");
    };
    const auto shown = [this](const QByteArray &member) -> std::optional<domain::Phase> {
        const auto it = m_rig.client->table.locks.constFind(
            {QStringLiteral("s"), "redis.semaphore", "db0/" + member, "pool:a"});
        return it == m_rig.client->table.locks.cend() ? std::nullopt : std::optional(it->phase);
    };
    const auto readNow = [this] {
        return m_rig.client->ask<protocol::Done>(protocol::ReadNow{}).has_value();
    };
    if (pushed)
        QTRY_COMPARE(m_rig.client->sources.value(QStringLiteral("s")).mode, domain::ObservationMode::Push);
    QVERIFY(readNow());
    m_rig.redis->command({"ZADD", "pool:a", QByteArray::number(nowMs()), "one"});
    QTRY_COMPARE(told(), QByteArray("acquired one"));
    m_rig.redis->command({"ZADD", "pool:a", QByteArray::number(nowMs() - 58'000), "two"});
    QTRY_COMPARE(told(), QByteArray("acquired one, acquired two"));
    QTRY_COMPARE(told(), QByteArray("acquired one, acquired two, expired two")); // and it still exists
    QCOMPARE(m_rig.redis->command({"ZCARD", "pool:a"}).integer, 2);
    // More permits than the agent reads: it keeps its knowledge of the two, and reports nothing about any of
    // them.
    QByteArrayList command{"ZADD", "pool:a"};
    const QByteArray longAgo = QByteArray::number(nowMs() - 600'000);
    for (int i = 0; i < 5'000; ++i)
        command += {longAgo, "many:" + QByteArray::number(i)};
    QCOMPARE(m_rig.redis->command(command).integer, 5'000);
    QTRY_COMPARE(shown(""), domain::Phase::Unknown);
    m_rig.redis->command({"ZREM", "pool:a", "two"});
    QVERIFY(readNow());
    QVERIFY(readNow());
    QCOMPARE(told(), QByteArray("acquired one, acquired two, expired two"));
    QCOMPARE(shown("one"), domain::Phase::Held);
    // Back below it.
    m_rig.redis->command({"ZREMRANGEBYSCORE", "pool:a", "-inf", longAgo});
    QTRY_VERIFY(!shown(""));
    QVERIFY(readNow());
    QCOMPARE(told(), QByteArray("acquired one, acquired two, expired two"));
    m_rig.redis->command({"ZADD", "pool:a", QByteArray::number(nowMs()), "three"});
    const QByteArray three("acquired one, acquired two, expired two, acquired three");
    QTRY_COMPARE(told(), three);
    m_rig.redis->command({"ZREM", "pool:a", "three"});
    QTRY_COMPARE(told(), three + ", released three");
    // The set no longer exists, and the permit with it.
    m_rig.redis->command({"SET", "pool:a", "text"});
    QTRY_COMPARE(told(), three + ", released three, released one");
    QTRY_COMPARE(shown(""), domain::Phase::Unknown);
    QVERIFY(readNow());
    QCOMPARE(told(), three + ", released three, released one");
}

/** redis-semaphore's clients have a lockTimeout of 30 s, and no lease is configured: 10 s are assumed. */
void TestAgentRedisInputs::clientsHaveALongerLease()
{
    QFETCH(QByteArray, source);
    if (source.startsWith("push") && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    QVERIFY(m_rig.begin("  preset = \"redis-semaphore\"\n  match = \"pool:*\"", source));
    const qint64 nowMs = m_rig.redis->command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000;
    const auto take = [&](const QByteArray &key, const QByteArray &member, qint64 thenMs) {
        return m_rig.redis->command({"EVAL",
                                     "redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2]) "
                                     "return redis.call('PEXPIREAT', KEYS[1], ARGV[1] + 30000)",
                                     "1", key, QByteArray::number(thenMs), member});
    };
    const auto shown = [this] {
        return m_rig.client->table.locks.value({QStringLiteral("s"), "redis.semaphore", "db0/one", "pool:a"});
    };
    QVERIFY(!take("pool:a", "one", nowMs - 12'000).isError());
    QTRY_COMPARE(this->story(), QByteArray("acquired pool:a by one"));
    for (int scan = 0; scan < 3; ++scan)
        QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    QCOMPARE(this->story(), QByteArray("acquired pool:a by one"));
    QCOMPARE(shown().phase, domain::Phase::Held);
    QCOMPARE(shown().expiresUs, domain::TimeUs((nowMs + 18'000) * 1'000));
    const domain::Finding told{"lease_short", domain::Severity::Warning, "10s 30s pool:*"};
    QTRY_VERIFY(m_rig.client->sources.value(QStringLiteral("s")).findings.contains(told));
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'a');
    order.key = shown().key;
    order.guard = shown().guard;
    order.because = domain::Because::Expired;
    order.reason = QStringLiteral("test");
    const auto answer = m_rig.client->ask<protocol::ReleaseResult>(order);
    QVERIFY(answer.has_value());
    QCOMPARE(answer->outcome, domain::Outcome::Refused);
    QCOMPARE(m_rig.redis->command({"ZCARD", "pool:a"}).integer, 1);
    // The agent reports the end when it comes.
    QVERIFY(!take("pool:a", "one", nowMs - 28'000).isError());
    QTRY_COMPARE(this->story(), QByteArray("acquired pool:a by one, expired pool:a by one"));
}

/** Their clients remove permits some time after their end: the table of a past moment equals the live table
 * then.
 */
void TestAgentRedisInputs::permitsThatEndedLeaveThePast()
{
    QFETCH(QByteArray, source);
    if (source.startsWith("push") && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    QVERIFY(m_rig.begin("  scheme = \"redis.semaphore\"\n  match = \"pool:*\"\n  lease = \"60s\"", source));
    const auto nowUs = [this] {
        const auto time = m_rig.redis->command({"TIME"}).list;
        return time.value(0).bytes.toLongLong() * 1'000'000 + time.value(1).bytes.toLongLong();
    };
    const auto phases = [](const QHash<domain::LockKey, domain::LockState> &table) {
        QMap<domain::Phase, int> count;
        for (const domain::LockState &state : table)
            ++count[state.phase];
        QStringList texts;
        for (auto it = count.cbegin(); it != count.cend(); ++it)
            texts.append(QStringLiteral("%1 in phase %2").arg(*it).arg(int(it.key())));
        return texts.join(QStringLiteral(", "));
    };
    const auto take = [&](const QByteArray &member, qint64 leftUs) {
        const qint64 scoreMs = (nowUs() + leftUs) / 1'000 - 60'000;
        m_rig.redis->command({"ZADD", "pool:a", QByteArray::number(scoreMs), member});
    };
    for (int i = 0; i < 40; ++i)
        take("p" + QByteArray::number(i), 300'000);
    const QString ended = QStringLiteral("40 in phase %1").arg(int(domain::Phase::Expired));
    QTRY_COMPARE(phases(m_rig.client->table.locks), ended);
    const qint64 endedUs = nowUs();
    m_rig.redis->command({"ZREMRANGEBYSCORE", "pool:a", "-inf", "+inf"});
    QTRY_VERIFY(nowUs() > endedUs + 1'000); // scores are whole milliseconds
    // From here on the agent knows that nothing else existed before.
    QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    take("live", 60'000'000);
    const QString live = QStringLiteral("1 in phase %1").arg(int(domain::Phase::Held));
    QTRY_COMPARE(phases(m_rig.client->table.locks), live);
    const qint64 liveUs = nowUs();
    const auto then = m_rig.client->list(60'000, endedUs);
    const auto now = m_rig.client->list(60'000, liveUs);
    QVERIFY(then && now);
    QCOMPARE(phases(*then), ended);
    QCOMPARE(phases(*now), live);
    QCOMPARE(m_rig.client->count(EventKind::Changed), 40);
}

LOCKKEEPER_TEST(TestAgentRedisInputs)

} // namespace tst_agent_redis_inputs

#include "tst_agent_redis_inputs.moc"
