// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_redis_scheme_clients {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {

constexpr qint64 kTtlUs = 60'000'000;

/** One client and its answers. */
class Side
{
public:
    Side(const SourceSpec &spec, const QByteArray &owner)
        : m_client(*locks::redis::makeLockClient(spec, spec.locks.first(), owner))
    {
    }
    LockClient &client() { return *m_client; }
    AttemptResult acquire(const QByteArray &name, const QByteArray &token = {})
    {
        return acquired(*m_client, name, kTtlUs, token);
    }
    Attempt renew(const Lease &lease) { return renewed(*m_client, lease, 2 * kTtlUs).attempt; }
    Attempt release(const Lease &lease) { return released(*m_client, lease).attempt; }

private:
    std::unique_ptr<LockClient> m_client;
};

} // namespace

/** The lock library's side of the schemes beside redis.token. */
class TestRedisSchemeClients : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    void aLeaseLivesFromAcquisitionToRelease_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        for (const char *scheme : {"redis.json", "redis.redisson", "redis.semaphore"})
            QTest::newRow(scheme) << QByteArray(scheme);
    }
    void aLeaseLivesFromAcquisitionToRelease()
    {
        QFETCH(QByteArray, scheme);
        Side one(spec(scheme), "one");
        Side two(spec(scheme), "two");
        StoreHarness harness(std::move(*redis::makeStore(spec(scheme))));
        QVERIFY(harness.open());
        const AttemptResult taken = one.acquire("k");
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY(!taken.error);
        QCOMPARE(two.acquire("k").attempt, Attempt::Held);
        // The store sees what the client took.
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_pages.first().locks.size(), 1);
        const Observation seen = harness.m_pages.first().locks.first();
        QVERIFY(seen.held);
        QCOMPARE(seen.owner, taken.lease.token);
        QCOMPARE(one.renew(taken.lease), Attempt::Done);
        const Inspection later = harness.inspect(seen.name);
        QCOMPARE(later.guard.identity, seen.identity);
        if (scheme != "redis.semaphore")
            QVERIFY(later.lock.expiresUs > seen.expiresUs + kTtlUs / 2);
        QCOMPARE(one.release(taken.lease), Attempt::Done);
        QVERIFY(!harness.inspect(seen.name).lock.held);
        QCOMPARE(one.release(taken.lease), Attempt::Lost);
        QCOMPARE(one.renew(taken.lease), Attempt::Lost);
        // Broken, and lost.
        const AttemptResult again = two.acquire("k");
        QCOMPARE(again.attempt, Attempt::Done);
        QVERIFY(harness.scan());
        const QByteArray name = harness.m_pages.first().locks.first().name;
        QCOMPARE(harness.release(orderFor(harness.inspect(name), true)).outcome, Outcome::Released);
        QCOMPARE(two.renew(again.lease), Attempt::Lost);
        QCOMPARE(two.release(again.lease), Attempt::Lost);
    }

    void aRedissonLockIsEnteredAgain()
    {
        Side one(spec("redis.redisson"), {});
        const Lease lease = one.acquire("k").lease;
        QVERIFY(one.client().traits().reenters);
        QCOMPARE(one.acquire("k", lease.token).attempt, Attempt::Done);
        QCOMPARE(m_server.command({"HGET", "k", lease.token}).bytes, QByteArray("2"));
        // Another token is another owner, even of the same client.
        QCOMPARE(one.acquire("k").attempt, Attempt::Held);
        QCOMPARE(one.acquire("k", "other").attempt, Attempt::Held);
        RedisPlain waiter(m_server.socketPath());
        waiter.command({"SUBSCRIBE", "redisson_lock__channel:{k}"});
        QCOMPARE(one.release(lease), Attempt::Done);
        QCOMPARE(m_server.command({"HGET", "k", lease.token}).bytes, QByteArray("1"));
        QCOMPARE(one.release(lease), Attempt::Done);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
        QCOMPARE(waiter.next().list.value(2).bytes, QByteArray("0"));
    }

    void permitsAreLimited()
    {
        SourceSpec source = spec("redis.semaphore");
        source.locks.first().keys.limit = 2;
        source.locks.first().keys.leaseUs = 300'000;
        Side one(source, {});
        QCOMPARE(one.acquire("k").attempt, Attempt::Done);
        const Lease second = one.acquire("k", "chosen").lease;
        QCOMPARE(second.token, QByteArray("chosen"));
        QCOMPARE(one.acquire("k").attempt, Attempt::Held);
        QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 0); // they have run out
        QCOMPARE(one.acquire("k").attempt, Attempt::Done);
        QCOMPARE(one.renew(second), Attempt::Lost);
    }

    /** A token with a permit gets no second permit: one release would free both at once. */
    void aTokenHasOnePermit()
    {
        SourceSpec source = spec("redis.semaphore");
        source.locks.first().keys.limit = 3;
        Side one(source, {});
        QCOMPARE(one.acquire("k", "mine").attempt, Attempt::Done);
        const QByteArray since = m_server.command({"ZSCORE", "k", "mine"}).bytes;
        QCOMPARE(one.acquire("k", "mine").attempt, Attempt::Held);
        QCOMPARE(m_server.command({"ZSCORE", "k", "mine"}).bytes, since);
        QCOMPARE(one.acquire("k", "another").attempt, Attempt::Done);
        QCOMPARE(m_server.command({"ZCARD", "k"}).integer, 2);
    }

    /** Two clients write within half a second: the later one holds the lock, and the first one finds out. */
    void theLaterWriterHoldsAJsonLock()
    {
        Side one(spec("redis.json"), "one");
        std::optional<AttemptResult> answer;
        Lease wanted;
        wanted.name = "k";
        wanted.ttlUs = kTtlUs;
        QElapsedTimer timer;
        do { // again where a busy machine let the half second pass before the other one wrote
            m_server.command({"DEL", "k"});
            answer.reset();
            timer.start();
            one.client().tryAcquire(wanted, [&answer](const AttemptResult &result) { answer = result; });
            QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
        } while (answer);
        m_server.command({"SETEX", "k", "60", "{\"owner\":\"other\",\"state\":\"execute\",\"lastSync\":1}"});
        QTRY_VERIFY(answer.has_value());
        QCOMPARE(answer->attempt, Attempt::Held);
        QVERIFY(timer.elapsed() > 300);
        QVERIFY(m_server.command({"GET", "k"}).bytes.contains("other"));
    }

    void whatIsntFreeIsNeverOverwritten_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::addColumn<QList<QByteArray>>("make");
        const auto row = [](const char *name, const char *scheme, const QList<QByteArray> &make) {
            QTest::newRow(name) << QByteArray(scheme) << make;
        };
        row("json, a token", "redis.json", {"SET", "k", "token"});
        row("json, another state", "redis.json", {"SET", "k", "{\"owner\":\"x\",\"state\":\"paused\"}"});
        row("json, a hash", "redis.json", {"HSET", "k", "owner", "x"});
        row("redisson, a token", "redis.redisson", {"SET", "k", "token"});
        row("redisson, a read lock", "redis.redisson", {"HSET", "k", "mode", "read", "u:1", "1"});
        row("semaphore, a token", "redis.semaphore", {"SET", "k", "token"});
    }
    void whatIsntFreeIsNeverOverwritten()
    {
        QFETCH(QByteArray, scheme);
        QFETCH(QList<QByteArray>, make);
        m_server.command(make);
        const QByteArray before = m_server.command({"DUMP", "k"}).bytes;
        Side one(spec(scheme), "one");
        QCOMPARE(one.acquire("k").attempt, Attempt::Held);
        QCOMPARE(m_server.command({"DUMP", "k"}).bytes, before);
    }

    void anIdleJsonLockIsTaken()
    {
        m_server.command(
            {"SETEX", "k", "60", "{\"owner\":\"x\",\"state\":\"wait\",\"lastSync\":1795212345678}"});
        Side one(spec("redis.json"), "one");
        const Lease lease = one.acquire("k").lease;
        const QByteArray held = m_server.command({"GET", "k"}).bytes;
        QVERIFY2(held.contains("\"lastSync\":1795212345678") && held.contains(lease.token), held.constData());
        QCOMPARE(one.release(lease), Attempt::Done);
        const QByteArray idle = m_server.command({"GET", "k"}).bytes;
        QVERIFY2(idle.contains("\"wait\"") && !idle.contains("1795212345678"), idle.constData());
    }

private:
    SourceSpec spec(const QByteArray &scheme) const
    {
        SourceSpec source = redisSpec(m_server.url());
        source.locks.first().scheme = scheme;
        return source;
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisSchemeClients)

} // namespace tst_redis_scheme_clients

#include "tst_redis_scheme_clients.moc"
