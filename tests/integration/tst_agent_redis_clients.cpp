// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/foreign_client.h"
#include "tests/support/redis_agent_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_agent_redis_clients {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using events::EventKind;
using events::LockEvent;

namespace {

constexpr const char *kPolled = "poll_ms = 50\n";
/** No poll and no scan comes in time. */
constexpr const char *kPushed = "push = true\npoll_ms = 60000\nreconcile_ms = 600000\n";

/** A program of tests/clients over the rig's server, one client of it. */
class Partner
{
public:
    Partner(const QByteArray &name, const RedisServer &server)
        : client(ForeignClient::named(name)), m_program(client)
    {
        m_program.start({{QStringLiteral("REDIS_SOCKET"), server.socketPath()},
                         {QStringLiteral("REDIS_PORT"), QString::number(server.port())}});
    }
    /** Null where the client is ready; otherwise the reason why not. */
    QByteArray missing() { return m_program.isReady() ? QByteArray() : m_program.why.toUtf8(); }
    QByteArray ask(const QByteArray &command) { return m_program.ask(client.kind + command); }
    QByteArray waited() { return m_program.waited(); }

    const ForeignClient client;

private:
    ForeignProgram m_program;
};

} // namespace

/**
 * Locks of other people's libraries: redis-py, redlock and redis-semaphore (npm), Redisson. Every acquisition
 * and release of theirs is reported once, with the right owner and the right end; then the lock is broken.
 */
class TestAgentRedisClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_rig.startServer({}, true)); }
    void cleanup()
    {
        QCOMPARE(m_rig.client->faults, QStringList());
        m_rig.stop();
    }

    void everyHoldIsReportedOnce_data();
    void everyHoldIsReportedOnce();
    void aFairQueueIsShownAndWoken_data();
    void aFairQueueIsShownAndWoken();
    void fairWaitsLastToTheirHolds_data() { aFairQueueIsShownAndWoken_data(); }
    void fairWaitsLastToTheirHolds();

private:
    void beginFair(bool pushed, Partner &partner, QByteArray &taken);
    qsizetype count(EventKind kind) const { return m_rig.client->count(kind); }
    /** Changes are pushed, and a full pass has shown the locks from before. */
    bool isPushed() const
    {
        const domain::SourceState source = m_rig.client->sources.value(QStringLiteral("s"));
        return source.mode == domain::ObservationMode::Push && source.passUs > 0;
    }
    LockEvent last(EventKind kind) const { return m_rig.client->last(kind); }

    RedisAgentRig m_rig;
};

void TestAgentRedisClients::everyHoldIsReportedOnce_data()
{
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<QByteArray>("lockSet");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<bool>("pushed");
    const auto row = [](const char *client, const char *lockSet, const char *key) {
        for (const bool pushed : {false, true})
            QTest::addRow("%s, %s", client, pushed ? "pushed" : "polled")
                << QByteArray(client) << QByteArray(lockSet) << QByteArray(key) << pushed;
    };
    row("redis-py", "preset = \"redis-py\"\nmatch = \"job*\"", "job");
    row("node-redlock", "preset = \"node-redlock\"\nmatch = \"job*\"", "job");
    row("redis-semaphore mutex", "preset = \"redis-semaphore-mutex\"", "mutex:job");
    row("redis-semaphore semaphore", "preset = \"redis-semaphore\"\nlease = \"60s\"", "semaphore:job");
    for (const char *client : {"redisson lock", "redisson fair", "redisson read", "redisson write"})
        row(client, "preset = \"redisson\"\nmatch = \"job*\"", "job");
    row("redisson permit", "preset = \"redisson-permits\"", "{job}:timeout");
}

void TestAgentRedisClients::everyHoldIsReportedOnce()
{
    QFETCH(QByteArray, client);
    QFETCH(QByteArray, lockSet);
    QFETCH(QByteArray, key);
    QFETCH(bool, pushed);
    if (pushed && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    constexpr int kCycles = 8;
    Partner partner(client, *m_rig.redis);
    if (const QByteArray missing = partner.missing(); !missing.isEmpty())
        QSKIP(missing.constData());
    QVERIFY(m_rig.begin(lockSet, pushed ? kPushed : kPolled));
    if (pushed)
        QTRY_VERIFY(isPushed());
    for (int cycle = 1; cycle <= kCycles; ++cycle) {
        const QByteArray taken = partner.ask(" acquire job 60000");
        QVERIFY2(taken.startsWith("acquired "), taken.constData());
        QTRY_COMPARE(count(EventKind::Acquired), cycle);
        QCOMPARE(last(EventKind::Acquired).owner, taken.mid(9));
        QCOMPARE(last(EventKind::Acquired).key.name, key);
        QVERIFY(std::abs(last(EventKind::Acquired).expiresUs.value_or(0) - last(EventKind::Acquired).timeUs -
                         60'000'000) < 10'000'000);
        if (cycle == kCycles)
            break;
        QCOMPARE(partner.ask(" release"), QByteArray("released"));
        QTRY_COMPARE(count(EventKind::Released), cycle);
        QCOMPARE(last(EventKind::Released).owner, taken.mid(9));
    }
    QCOMPARE(m_rig.client->breakLock(last(EventKind::Acquired).key), Outcome::Released);
    QCOMPARE(partner.ask(" release"), QByteArray(partner.client.holderNotices ? "lost" : "released"));
    QTRY_COMPARE(count(EventKind::ForceReleased), 1);
    QCOMPARE(last(EventKind::ForceReleased).owner, last(EventKind::Acquired).owner);
    QVERIFY(m_rig.client->ask<protocol::Done>(protocol::ReadNow{}));
    for (const LockEvent &event : std::as_const(m_rig.client->events))
        QVERIFY(!event.detail.missed);
    QCOMPARE(count(EventKind::Acquired), kCycles);
    QCOMPARE(count(EventKind::Released), kCycles - 1);
    QCOMPARE(count(EventKind::TakenOver) + count(EventKind::Expired) + count(EventKind::Stuck), 0);
    // Broken as its own release would have left it: the next one gets it.
    QVERIFY(partner.ask(" acquire job 60000").startsWith("acquired "));
}

/** Observes a fair lock "job", taken by the partner; `taken` stays empty where that can't be. */
void TestAgentRedisClients::beginFair(bool pushed, Partner &partner, QByteArray &taken)
{
    if (pushed && RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
    if (const QByteArray missing = partner.missing(); !missing.isEmpty())
        QSKIP(missing.constData());
    QVERIFY(m_rig.begin("preset = \"redisson\"\nmatch = \"job*\"", pushed ? kPushed : kPolled));
    if (pushed)
        QTRY_VERIFY(isPushed());
    const QByteArray answer = partner.ask(" acquire job 60000");
    QVERIFY2(answer.startsWith("acquired "), answer.constData());
    taken = answer;
}

void TestAgentRedisClients::aFairQueueIsShownAndWoken_data()
{
    QTest::addColumn<bool>("pushed");
    QTest::newRow("polled") << false;
    QTest::newRow("pushed") << true;
}

void TestAgentRedisClients::aFairQueueIsShownAndWoken()
{
    QFETCH(bool, pushed);
    Partner partner("redisson fair", *m_rig.redis);
    QByteArray taken;
    beginFair(pushed, partner, taken);
    if (taken.isEmpty())
        return;
    QCOMPARE(partner.ask(" acquire job 60000"), taken); // enters again
    QCOMPARE(partner.ask("#2 wait job"), QByteArray("waiting"));
    const auto state = [this] { return m_rig.state("job", "redis.redisson"); };
    QTRY_COMPARE(state().waiters.size(), 1);
    QVERIFY(state().waitersVisible);
    QCOMPARE(state().depth, 2u);
    const QByteArray next = state().waiters.first().id;
    QVERIFY(state().waiters.first().detail.startsWith("until 20"));
    QVERIFY(m_rig.client->saw(EventKind::WaitStart));
    QCOMPARE(m_rig.client->breakLock(state().key), Outcome::Released);
    QCOMPARE(partner.waited(), "got " + next); // woken by the break, not by its own time-out
}

/**
 * Three clients wait in a fair queue. Chains shows them in their order, no hand-over cuts the waits behind
 * it, and each hold shows its holder's waiting time.
 */
void TestAgentRedisClients::fairWaitsLastToTheirHolds()
{
    QFETCH(bool, pushed);
    Partner partner("redisson fair", *m_rig.redis);
    QByteArray taken;
    beginFair(pushed, partner, taken);
    if (taken.isEmpty())
        return;
    const auto state = [this] { return m_rig.state("job", "redis.redisson"); };
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(partner.ask('#' + QByteArray::number(i + 2) + " take job"), QByteArray("waiting"));
        QTRY_COMPARE(state().waiters.size(), i + 1);
    }
    QList<QByteArray> queue{taken.mid(9)};
    for (const domain::Waiter &waiter : state().waiters)
        queue.append(waiter.id);

    const auto page = m_rig.client->ask<protocol::ChainsPage>(protocol::ChainsQuery{});
    QVERIFY(page && page->graphs.size() == 1);
    QList<QByteArray> shown;
    for (const domain::ChainNode &node : domain::chainsOf(page->graphs.constFirst()).nodes)
        shown.append(node.session.id);
    QCOMPARE(shown, queue);

    constexpr qint64 kHeldUs = 1'500'000;
    QElapsedTimer held;
    held.start();
    QTRY_VERIFY(held.hasExpired(kHeldUs / 1000));
    QCOMPARE(partner.ask(" release"), QByteArray("released"));
    for (int i = 1; i <= 3; ++i) {
        QCOMPARE(partner.waited(), "got " + queue.at(i));
        QTRY_COMPARE(state().owner, queue.at(i));
        QCOMPARE(partner.ask('#' + QByteArray::number(i + 1) + " release"), QByteArray("released"));
    }
    QTRY_COMPARE(count(EventKind::WaitEnd), 3);
    QTRY_VERIFY(!state().isHeld());
    QCOMPARE(count(EventKind::WaitStart), 3);
    protocol::ContentionQuery query;
    query.source = QStringLiteral("s");
    const auto cost = m_rig.client->ask<protocol::ContentionPage>(query);
    QVERIFY(cost && cost->locks.size() == 1);
    QCOMPARE(cost->locks.constFirst().waits.count, 3);
    QVERIFY(cost->locks.constFirst().waits.p50Us >= kHeldUs);
    QVERIFY(cost->locks.constFirst().waits.totalUs >= 3 * kHeldUs);

    const auto holds = m_rig.client->ask<protocol::HoldPage>(protocol::HoldsQuery{});
    QVERIFY(holds && holds->holds.size() == 4);
    QVERIFY(!holds->holds.at(3).waitedUs); // the first one didn't wait
    for (int i = 1; i <= 3; ++i) {
        const protocol::Hold &hold = holds->holds.at(3 - i); // newest first
        QCOMPARE(hold.owner, queue.at(i));
        QVERIFY2(hold.waitedUs && *hold.waitedUs >= kHeldUs,
                 qPrintable(QString::number(hold.waitedUs.value_or(-1))));
        QVERIFY(hold.waitSeen);
    }
}

LOCKKEEPER_TEST(TestAgentRedisClients)

} // namespace tst_agent_redis_clients

#include "tst_agent_redis_clients.moc"
