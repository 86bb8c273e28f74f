// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/routed_lock_client.h"
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/test_program.h"

#include <algorithm>

namespace tst_redis_waiting {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace std::chrono_literals;
using locks::Lock;

namespace {

const QByteArray kChannel("redisson_lock__channel:{k}");
const QByteArray kQueue("redisson_lock_queue:{k}");

/** Waiting handles, and the order in which they acquired the lock. */
class Line
{
public:
    void add(std::unique_ptr<Lock> lock)
    {
        const int number = int(m_locks.size());
        m_locks.push_back(std::move(lock));
        m_locks.back()->acquire({}, [this, number](const base::Result<bool> &result) {
            if (result && *result)
                got.append(number);
        });
    }
    Lock &at(int number) { return *m_locks.at(size_t(number)); }
    void drop(int number) { m_locks.at(size_t(number)).reset(); }

    QList<int> got;

private:
    std::vector<std::unique_ptr<Lock>> m_locks;
};

/** A server with a queue, which grants the lock when the test calls `grant`. */
class Granting final : public locks::LockClient
{
public:
    void tryAcquire(const locks::Lease &, Done) override {}
    void renew(const locks::Lease &, qint64, Done) override {}
    void release(const locks::Lease &, Done) override {}
    void enqueue(const locks::Lease &wanted, Done done) override
    {
        grant = [wanted, done = std::move(done)] { done({locks::Attempt::Done, wanted}); };
    }
    void leave(const locks::Lease &) override { left = true; }

    std::function<void()> grant;
    bool left = false;
};

/** Sends requests to one server until that server is retired. */
class Routed final : public locks::redis::RoutedLockClient
{
public:
    explicit Routed(LockClient *server) : RoutedLockClient(60'000, {}), m_server(server) {}
    void retire() { RoutedLockClient::retire(m_server); }

private:
    bool isKnown() const override { return true; }
    void find() override {}
    void send(const RoutedCall &question) override { question.ask(*m_server, question.done); }

    LockClient *m_server;
};

} // namespace

/** The ways in which waiters for Redisson's locks are woken. */
class TestRedisWaiting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    /** The lease of a minute is far from over, so only a message can wake the waiter. */
    void theChannelWakes()
    {
        LockSide holder(spec("redis.redisson"));
        LockSide waiter(spec("redis.redisson"));
        const auto held = holder.lock("k");
        QVERIFY(isTrue(taken(*held)));
        Line line;
        line.add(waiter.lock("k"));
        line.add(waiter.lock("k"));
        QTRY_COMPARE(subscribers(), 1);
        QVERIFY(line.got.isEmpty());
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_COMPARE(line.got.size(), 1);
        QVERIFY(isTrue(givenBack(line.at(line.got.first()))));
        QTRY_COMPARE(line.got.size(), 2);
        QTRY_COMPARE(subscribers(), 0); // no client waits any more
    }

    /** A holder in the same program leaves the other permits free. */
    void permitsOfOneProgram()
    {
        SourceSpec two = spec("redis.semaphore");
        two.locks.first().keys.limit = 2;
        LockSide side(two);
        const auto first = side.lock("k");
        const auto second = side.lock("k");
        const auto third = side.lock("k");
        QVERIFY(isTrue(awaited(*first)));
        QVERIFY(isTrue(awaited(*second, 20s)));
        QVERIFY(isFalse(awaited(*third, 200ms)));
        LockAnswer answer;
        third->acquire({}, [&answer](const base::Result<bool> &result) { answer = result; });
        QVERIFY(isTrue(givenBack(*first)));
        QTRY_VERIFY(isTrue(answer));
        QVERIFY(second->isHeld() && third->isHeld());
    }

    /** The waiter makes up for a release that it missed while its connection was lost. */
    void aChannelThatWasLostIsListenedToAgain()
    {
        m_server.command({"HSET", "k", "somebody:1", "1"}); // without an end: nothing else wakes
        LockSide waiter(spec("redis.redisson"));
        Line line;
        line.add(waiter.lock("k"));
        QTRY_COMPARE(subscribers(), 1);
        m_server.command({"DEL", "k"});
        m_server.command({"CLIENT", "KILL", "TYPE", "pubsub"});
        QTRY_COMPARE(line.got.size(), 1);
    }

    void aFairLockIsTakenInOrder()
    {
        constexpr int kWaiting = 6;
        const auto kind = spec("redis.redisson/fair");
        LockSide sides[] = {LockSide(kind), LockSide(kind), LockSide(kind)};
        const auto held = sides[0].lock("k");
        QVERIFY(isTrue(taken(*held)));
        Line line;
        for (int i = 0; i < kWaiting; ++i) {
            line.add(sides[i % 3].lock("k"));
            QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, i + 1);
        }
        // A client that doesn't wait doesn't overtake the waiters.
        const auto passer = sides[1].lock("k");
        QVERIFY(isFalse(taken(*passer)));
        line.drop(2); // a waiter that leaves doesn't block others
        QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, kWaiting - 1);
        QCOMPARE(m_server.command({"ZCARD", "redisson_lock_timeout:{k}"}).integer, kWaiting - 1);
        QVERIFY(isTrue(givenBack(*held)));
        for (int i = 1; i < kWaiting; ++i) {
            QTRY_COMPARE(line.got.size(), i);
            QVERIFY(line.at(line.got.last()).isHeld());
            QVERIFY(isFalse(taken(*passer)));
            QVERIFY(isTrue(givenBack(line.at(line.got.last()))));
        }
        QCOMPARE(line.got, (QList<int>{0, 1, 3, 4, 5}));
        QCOMPARE(m_server.command({"EXISTS", "k", kQueue, "redisson_lock_timeout:{k}"}).integer, 0);
        QVERIFY(isTrue(taken(*passer)));
    }

    void aFairLockIsEnteredAgain()
    {
        LockSide side(spec("redis.redisson/fair"));
        const auto lock = side.lock("k");
        QVERIFY(isTrue(awaited(*lock)));
        QVERIFY(isTrue(awaited(*lock)));
        QCOMPARE(lock->depth(), 2);
        QCOMPARE(m_server.command({"HGET", "k", lock->token()}).bytes, QByteArray("2"));
        QVERIFY(isTrue(givenBack(*lock)));
        QVERIFY(lock->isHeld());
        QVERIFY(isTrue(givenBack(*lock)));
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
    }

    void whoWaitsNoLongerLeavesTheQueue()
    {
        LockSide side(spec("redis.redisson/fair"));
        const auto held = side.lock("k");
        QVERIFY(isTrue(taken(*held)));
        const auto waiting = side.lock("k");
        QVERIFY(isFalse(awaited(*waiting, 300ms)));
        QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, 0);
        std::stop_source stop;
        LockAnswer answer;
        waiting->acquire(
            {}, [&answer](const base::Result<bool> &result) { answer = result; }, stop.get_token());
        QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, 1);
        stop.request_stop();
        QTRY_VERIFY(isFalse(answer));
        QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, 0);
        QTRY_COMPARE(turnSubscribers(), qsizetype(0));
    }

    /** A client that has left asks the server no more; a lock granted at that moment is released. */
    void whatIsGrantedToWhoHasLeftIsNotHeld()
    {
        auto *server = new Granting;
        Routed client(server);
        std::optional<locks::AttemptResult> told;
        client.enqueue({.name = "k", .token = "me", .ttlUs = 60'000'000, .proof = {}, .fencing = {}},
                       [&told](const locks::AttemptResult &result) { told = result; });
        client.retire(); // which takes it over
        QVERIFY(server->left && server->grant);
        server->grant();
        QVERIFY(told.has_value());
        QCOMPARE(told->attempt, locks::Attempt::Held);
        QVERIFY(told->error && base::isTransient(told->error->code)); // so that the caller asks again
        QCOMPARE(told->lease.token, QByteArray("me"));
    }

    /** No message announces an expired lease, nor a place in the queue whose owner died. */
    void whoIsGoneDoesNotKeepTheOthers()
    {
        m_server.command({"HSET", "k", "gone:1", "1"});
        m_server.command({"PEXPIRE", "k", "400"});
        m_server.command({"RPUSH", kQueue, "gone:2"});
        m_server.command({"ZADD", "redisson_lock_timeout:{k}", "1", "gone:2"});
        LockSide side(spec("redis.redisson/fair"));
        const auto lock = side.lock("k");
        QVERIFY(isTrue(awaited(*lock)));
        QCOMPARE(m_server.command({"LLEN", kQueue}).integer, 0);
    }

    /** The client asks again, under the same token. */
    void aFailedQuestionKeepsThePlace()
    {
        if (RedisServer::version() < 602)
            QSKIP("errors are counted from Redis 6.2 on");
        m_server.command({"HSET", "k", "somebody:1", "1"});
        LockSide side(spec("redis.redisson/fair"));
        Line line;
        line.add(side.lock("k"));
        QTRY_COMPARE(turnSubscribers(), qsizetype(1));
        const QByteArray place = m_server.command({"LINDEX", kQueue, "0"}).bytes;
        QVERIFY(!place.isEmpty());
        m_server.command({"DEL", "k"});
        m_server.command({"CONFIG", "RESETSTAT"});
        m_server.command({"CONFIG", "SET", "maxmemory", "1"});
        m_server.command({"PUBLISH", kChannel + ':' + place, "0"});
        QTRY_VERIFY(m_server.command({"INFO", "errorstats"}).bytes.contains("errorstat_OOM"));
        m_server.command({"CONFIG", "SET", "maxmemory", "0"});
        QTRY_COMPARE_WITH_TIMEOUT(line.got.size(), 1, 30'000);
        QCOMPARE(line.at(0).token(), place);
        QCOMPARE(m_server.command({"EXISTS", kQueue}).integer, 0);
    }

    void aLinkThatIsLostCostsNoTurn()
    {
        LockSide holder(spec("redis.redisson/fair"));
        LockSide waiter(spec("redis.redisson/fair"));
        const auto held = holder.lock("k");
        QVERIFY(isTrue(taken(*held)));
        Line line;
        line.add(waiter.lock("k"));
        QTRY_COMPARE(m_server.command({"LLEN", kQueue}).integer, 1);
        QTRY_COMPARE(turnSubscribers(), qsizetype(1));
        m_server.command({"CLIENT", "KILL", "TYPE", "pubsub"});
        m_server.command({"CLIENT", "KILL", "TYPE", "normal"});
        (void)givenBack(*held);
        m_server.command({"DEL", "k"}); // whatever became of that
        QTRY_COMPARE_WITH_TIMEOUT(line.got.size(), 1, 30'000);
        QCOMPARE(m_server.command({"LLEN", kQueue}).integer, 0);
    }

    /** A turn costs two scripts: one to release, one to acquire. No other client asks or subscribes. */
    void aTurnCostsTwoCommands()
    {
        constexpr int kWaiting = 20;
        LockSide sides[] = {LockSide(spec("redis.redisson/fair")), LockSide(spec("redis.redisson/fair"))};
        const auto held = sides[0].lock("*k[");
        QVERIFY(isTrue(taken(*held)));
        Line line;
        for (int i = 0; i < kWaiting; ++i)
            line.add(sides[i % 2].lock("*k["));
        QTRY_COMPARE(m_server.command({"LLEN", "redisson_lock_queue:{*k[}"}).integer, kWaiting);
        QTRY_COMPARE(turnSubscribers(), qsizetype(2));
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_COMPARE(line.got.size(), 1);
        constexpr int kSettled =
            3; // turns, after which both sides have asked for changes that they may have missed
        qint64 before = 0;
        for (int i = 1; i < kWaiting; ++i) {
            if (i == kSettled)
                before = commands();
            QVERIFY(isTrue(givenBack(line.at(line.got.last()))));
            QTRY_COMPARE(line.got.size(), i + 1);
        }
        QVERIFY2(commands() - before <= 2 * (kWaiting - kSettled) + 2,
                 QByteArray::number(commands() - before).constData());
        QTRY_COMPARE(turnSubscribers(), qsizetype(0));
    }

    /** An ACL of channels grants no pattern but its own letters. */
    void whoMayUseNoPatternHasAChannelEach()
    {
        if (RedisServer::version() < 602)
            QSKIP("channels have rights from Redis 6.2 on");
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~*", "+@all", "resetchannels",
                          "&redisson_lock__channel:*"});
        SourceSpec user = lockSpec(m_server.url(0, QStringLiteral("lk")), "redis.redisson/fair");
        user.password = "pw";
        LockSide holder(user);
        LockSide waiter(user);
        const auto held = holder.lock("k");
        QVERIFY(isTrue(taken(*held)));
        Line line;
        line.add(waiter.lock("k"));
        line.add(waiter.lock("k"));
        const auto channels = [this] {
            return m_server.command({"PUBSUB", "CHANNELS", kChannel + ":*"}).list.size();
        };
        QTRY_COMPARE(channels(), 2);
        QCOMPARE(turnSubscribers(), qsizetype(0));
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_COMPARE(line.got.size(), 1);
        QVERIFY(isTrue(givenBack(line.at(line.got.first()))));
        QTRY_COMPARE(line.got.size(), 2);
        QTRY_COMPARE(channels(), 0);
    }

    void whoMayNotListenLooksByItself_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"redis.redisson", "redis.redisson/fair"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    /** An ACL grants no channels by itself. The lease of ten minutes is far from over. */
    void whoMayNotListenLooksByItself()
    {
        QFETCH(QByteArray, kind);
        if (RedisServer::version() < 602)
            QSKIP("channels have rights from Redis 6.2 on");
        m_server.command({"ACL", "SETUSER", "deaf", "reset", "on", ">pw", "~*", "+@all", "resetchannels"});
        SourceSpec user = lockSpec(m_server.url(0, QStringLiteral("deaf")), kind);
        user.password = "pw";
        LockSide holder(spec(kind));
        LockSide waiter(user);
        const auto held = holder.lock("k", 10min);
        QVERIFY(isTrue(taken(*held)));
        m_server.command({"CONFIG", "RESETSTAT"});
        Line line;
        line.add(waiter.lock("k"));
        // A queued client asks three times while it joins and is refused its channels.
        QTRY_VERIFY_WITH_TIMEOUT(commands() >= 4, 20'000);
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_COMPARE_WITH_TIMEOUT(line.got.size(), 1, 20'000);
    }

private:
    /** The number of client requests so far, however much their scripts did. */
    qint64 commands()
    {
        qint64 count = 0;
        const QList<QByteArray> lines = m_server.command({"INFO", "commandstats"}).bytes.split('\n');
        for (const QByteArray &line : lines) {
            if (line.startsWith("cmdstat_eval") || line.contains("subscribe"))
                count += line.mid(line.indexOf('=') + 1).split(',').first().toLongLong();
        }
        return count;
    }
    SourceSpec spec(const QByteArray &kind) const { return lockSpec(m_server.url(), kind); }
    qint64 subscribers() { return m_server.command({"PUBSUB", "NUMSUB", kChannel}).list.value(1).integer; }
    /** Clients; NUMPAT counts the pattern that they share once. */
    qsizetype turnSubscribers()
    {
        return m_server.command({"CLIENT", "LIST", "TYPE", "pubsub"}).bytes.count(" psub=1 ");
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisWaiting)

} // namespace tst_redis_waiting

#include "tst_redis_waiting.moc"
