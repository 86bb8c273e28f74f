// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/lock_answers.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>

namespace tst_redis_lock_faults {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace std::chrono_literals;
using base::ErrorCode;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lock;

/** Links that are cut, servers that are late, and callers that do things in the wrong order. */
class TestRedisLockFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_proxy = std::make_unique<Proxy>(m_server.socketPath());
        QVERIFY(m_proxy->listen());
    }
    void cleanup() { m_proxy.reset(); }

    void whatMayBeTakenIsGivenBack_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"redis.token", "redis.token/unfenced", "redis.redisson",
                                 "redis.redisson/fair", "redis.semaphore", "redis.json"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    void whatMayBeTakenIsGivenBack()
    {
        QFETCH(QByteArray, kind);
        const auto client = clientOf(proxied(kind));
        QCOMPARE(acquired(*client, "first", 60'000'000).attempt, Attempt::Done); // opens the link
        m_proxy->cutAnswersAfter(answersBefore(kind));
        const AttemptResult cut = acquired(*client, "k", 60'000'000);
        QVERIFY(cut.error);
        QVERIFY(base::isTransient(cut.error->code));
        QVERIFY(!cut.lease.token.isEmpty());
        QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
        m_proxy->cutAnswersAfter(-1);
        QCOMPARE(released(*client, cut.lease).attempt, Attempt::Done);
        QVERIFY(!isHeld(kind));
    }

    void aHandleGivesBackWhatItWasNotToldOf_data() { whatMayBeTakenIsGivenBack_data(); }
    void aHandleGivesBackWhatItWasNotToldOf()
    {
        QFETCH(QByteArray, kind);
        LockSide side(proxied(kind));
        const auto first = side.lock("first");
        QVERIFY(isTrue(taken(*first)));
        m_proxy->cutAnswersAfter(answersBefore(kind));
        const auto lock = side.lock("k");
        const LockAnswer answer = taken(*lock);
        m_proxy->cutAnswersAfter(-1);
        QVERIFY(answer && !*answer);
        QVERIFY(!lock->isHeld());
        QVERIFY(becomesIdle(side));
        QVERIFY(!isHeld(kind));
        // The same while the client waits: it retries until it has the lock. Each link after the first
        // attempt is cut in its handshake, so that nothing is released before the cuts end.
        m_server.command({"DEL", "k"});
        m_proxy->cutAnswersAfter(answersBefore(kind));
        LockAnswer waited;
        lock->acquire({}, [&waited](const base::Result<bool> &result) { waited = result; });
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(kind), 30'000);
        QVERIFY(!waited);
        m_proxy->cutAnswersAfter(-1);
        QTRY_VERIFY_WITH_TIMEOUT(waited.has_value(), 30'000);
        QVERIFY(isTrue(waited));
        QVERIFY(lock->isHeld());
        if (kind.startsWith("redis.redisson")) // acquired once, however often it was requested
            QCOMPARE(m_server.command({"HGET", "k", lock->token()}).bytes, QByteArray("1"));
    }

    /** Another request is about to open the next link when the half second is over. */
    void aLinkLostWhileAWriteSettlesIsToldSo()
    {
        std::optional<AttemptResult> told;
        std::function<void()> askForAnother;
        const auto client = clientOf(proxied("redis.json"));
        client->tryAcquire({.name = "k", .token = {}, .ttlUs = 60'000'000, .proof = {}, .fencing = {}},
                           [&told](const AttemptResult &result) { told = result; });
        QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
        m_proxy->setDelayMs(20'000);
        m_proxy->cutLinks();
        askForAnother = [&] {
            client->tryAcquire(
                {.name = "other", .token = {}, .ttlUs = 60'000'000, .proof = {}, .fencing = {}},
                [&](const AttemptResult &) {
                    if (!told) // it was lost with the cut link
                        askForAnother();
                });
        };
        askForAnother();
        QTRY_VERIFY_WITH_TIMEOUT(told.has_value(), 20'000);
        QVERIFY(told->error);
        QVERIFY2(base::isTransient(told->error->code), qPrintable(told->error->line()));
        QVERIFY(!told->lease.token.isEmpty());
    }

    void whatWasNeverSentIsNotTaken()
    {
        const auto client = clientOf(proxied("redis.token"));
        m_proxy.reset();
        const AttemptResult none = acquired(*client, "k", 60'000'000);
        QVERIFY(none.error);
        QVERIFY(none.lease.token.isEmpty());
    }

    /** By then the address leads to another server, while the old server keeps its links. */
    void leavesAServerThatIsAReplicaNow()
    {
        RedisServer primary;
        QVERIFY(primary.start());
        const auto client = clientOf(proxied("redis.token"));
        const AttemptResult taken = acquired(*client, "k", 60'000'000);
        QCOMPARE(taken.attempt, Attempt::Done);
        primary.command({"SET", "k", taken.lease.token, "PX", "60000"});
        m_proxy->leadTo(primary.socketPath());
        m_server.command({"REPLICAOF", "127.0.0.1", "1"});
        const AttemptResult refused = renewed(*client, taken.lease, 60'000'000);
        const AttemptResult kept = renewed(*client, taken.lease, 60'000'000);
        m_server.command({"REPLICAOF", "NO", "ONE"});
        QVERIFY(refused.error);
        QCOMPARE(refused.error->code, ErrorCode::ReadOnly);
        QVERIFY2(!kept.error, qPrintable(kept.error.value_or(base::Error{}).line()));
        QCOMPARE(kept.attempt, Attempt::Done);
    }

    void anAnswerAfterTheLeaseIsNoLock_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"redis.token", "redis.redisson", "redis.redisson/fair"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    void anAnswerAfterTheLeaseIsNoLock()
    {
        QFETCH(QByteArray, kind);
        LockSide side(proxied(kind));
        const auto first = side.lock("first");
        QVERIFY(isTrue(taken(*first)));
        m_proxy->setDelayMs(300);
        const auto lock = side.lock("k", 200ms);
        const LockAnswer answer = taken(*lock);
        QVERIFY(answer && !*answer);
        QCOMPARE(answer->error().code, ErrorCode::Timeout);
        QVERIFY(!lock->isHeld());
        QVERIFY(!lock->fencingToken());
    }

    void aRenewalThatIsLateLosesIt()
    {
        LockSide side(proxied("redis.token"));
        const auto lock = side.lock("k", 3s);
        QSignalSpy lost(lock.get(), &Lock::lost);
        QVERIFY(isTrue(taken(*lock)));
        const std::stop_token told = lock->lostToken();
        m_proxy->setDelayMs(20'000);
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 20'000);
        QVERIFY(told.stop_requested());
        QVERIFY(!lock->isHeld());
        QVERIFY(isFalse(answerOf([&](auto done) { lock->renew(std::move(done)); })));
        QVERIFY(isFalse(givenBack(*lock)));
    }

    void whatSomebodyElseTookIsLost()
    {
        LockSide side(lockSpec(m_server.url(), "redis.token"));
        const auto lock = side.lock("k");
        QVERIFY(isTrue(taken(*lock)));
        m_server.command({"SET", "k", "successor"});
        QVERIFY(isFalse(answerOf([&](auto done) { lock->renew(std::move(done)); })));
        QVERIFY(!lock->isHeld());
        QVERIFY(isFalse(givenBack(*lock)));
        QCOMPARE(m_server.command({"GET", "k"}).bytes, QByteArray("successor"));
    }

    /** In the client's view, the server restarted without its keys. The next renewal is minutes away. */
    void whatAServerHasForgottenIsLost()
    {
        LockSide side(lockSpec(m_server.url(), "redis.token"));
        const auto lock = side.lock("k", 10min);
        QSignalSpy lost(lock.get(), &Lock::lost);
        QVERIFY(isTrue(taken(*lock)));
        m_server.command({"DEL", "k"});
        m_server.command({"CLIENT", "KILL", "TYPE", "normal"});
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 20'000);
        QVERIFY(!lock->isHeld());
    }

    void givingBackTwice()
    {
        LockSide side(lockSpec(m_server.url(), "redis.token"));
        const auto lock = side.lock("k");
        QVERIFY(isTrue(taken(*lock)));
        QVERIFY(isTrue(givenBack(*lock)));
        QVERIFY(isFalse(givenBack(*lock)));
        QVERIFY(isTrue(taken(*lock)));
        QVERIFY(lock->isHeld());
    }

    /** A handle may outlive its manager, in any state. */
    void theConnectionGoesFirst()
    {
        LockSide side(lockSpec(m_server.url(), "redis.redisson"));
        const auto held = side.lock("k");
        QVERIFY(isTrue(taken(*held)));
        const auto waiting = side.lock("k");
        LockAnswer answer;
        waiting->acquire({}, [&answer](const base::Result<bool> &result) { answer = result; });
        const auto acquiring = side.lock("other");
        acquiring->tryAcquire([](const base::Result<bool> &) {});
        side.manager.reset();
        QVERIFY(!held->isHeld());
        QTRY_VERIFY(answer.has_value());
        QVERIFY(!*answer);
        QVERIFY(!isTrue(taken(*held)));
        QVERIFY(isFalse(givenBack(*held)));
    }

    void aPlaceInTheQueueIsGivenUp_data()
    {
        QTest::addColumn<bool>("leaves");
        QTest::newRow("who waited has gone") << true;
        QTest::newRow("and another one taken") << false;
    }
    /** The server is unreachable just then. A remaining place would block everybody for five minutes. */
    void aPlaceInTheQueueIsGivenUp()
    {
        QFETCH(bool, leaves);
        const auto length = [this] { return m_server.command({"LLEN", "redisson_lock_queue:{k}"}).integer; };
        m_server.command({"HSET", "k", "somebody:1", "1"});
        if (!leaves)
            m_server.command({"PEXPIRE", "k", "3000"}); // the client asks again then
        LockSide side(proxied("redis.redisson/fair"));
        const auto lock = side.lock("k");
        LockAnswer answer;
        std::stop_source stop;
        lock->acquire(
            {}, [&answer](const base::Result<bool> &result) { answer = result; }, stop.get_token());
        QTRY_COMPARE(length(), 1);
        m_proxy->cutAnswersAfter(0); // every link, in its handshake
        m_proxy->cutLinks();
        const int links = m_proxy->links();
        if (leaves) {
            stop.request_stop();
            QTRY_VERIFY(answer && !isTrue(answer)); // an error if the cut hit the request
        } else {
            QTRY_COMPARE_WITH_TIMEOUT(m_server.command({"EXISTS", "k"}).integer, 0, 20'000);
        }
        QTRY_VERIFY_WITH_TIMEOUT(m_proxy->links() >= links + (leaves ? 1 : 8), 30'000);
        m_proxy->cutAnswersAfter(-1);
        if (leaves) {
            QTRY_COMPARE_WITH_TIMEOUT(length(), 0, 30'000);
            return;
        }
        QTRY_VERIFY_WITH_TIMEOUT(isTrue(answer), 30'000);
        QCOMPARE(length(), 0);
    }

    /** A handle may end in each of its states. */
    void aHandleThatGoesLeavesNothing_data() { whatMayBeTakenIsGivenBack_data(); }
    void aHandleThatGoesLeavesNothing()
    {
        QFETCH(QByteArray, kind);
        LockSide side(lockSpec(m_server.url(), kind));
        const auto nothingIsLeft = [&] { return becomesIdle(side) && !isHeld(kind); };
        auto acquiring = side.lock("k");
        bool answered = false;
        acquiring->tryAcquire([&answered](const base::Result<bool> &) { answered = true; });
        acquiring.reset();
        QVERIFY(nothingIsLeft());
        auto held = side.lock("k");
        QVERIFY(isTrue(taken(*held)));
        QVERIFY(isHeld(kind));
        auto waiting = side.lock("k");
        waiting->acquire({}, [&answered](const base::Result<bool> &) { answered = true; });
        waiting.reset();
        held.reset();
        QVERIFY(nothingIsLeft());
        QCOMPARE(m_server.command({"EXISTS", "redisson_lock_queue:{k}"}).integer, 0);
        QVERIFY(!answered);
    }

    void namesAreExact_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("bytes") << QByteArray("\0\xff\r\n*1 {\"'", 10);
        QTest::newRow("a hash tag") << QByteArray("a{b}c");
        QTest::newRow("half a hash tag") << QByteArray("a}b{");
        QTest::newRow("a mebibyte") << QByteArray(1'024 * 1'024, 'n');
    }
    void namesAreExact()
    {
        QFETCH(QByteArray, name);
        for (const char *kind : {"redis.token", "redis.redisson", "redis.redisson/fair", "redis.semaphore"}) {
            LockSide side(lockSpec(m_server.url(), kind));
            const auto lock = side.lock(name);
            QVERIFY2(isTrue(taken(*lock)), kind);
            QCOMPARE(m_server.command({"EXISTS", name}).integer, 1);
            QVERIFY(isTrue(givenBack(*lock)));
            QCOMPARE(m_server.command({"EXISTS", name}).integer, 0);
        }
    }

    void namesAndLengthsThatAreRefused()
    {
        LockSide side(lockSpec(m_server.url(), "redis.token"));
        QCOMPARE(side.manager->lock({}).error().code, ErrorCode::Usage);
        QCOMPARE(side.manager->lock(QByteArray(1'024 * 1'024 + 1, 'n')).error().code, ErrorCode::TooLarge);
        for (const auto ttl : {0us, -1us, 999us})
            QCOMPARE(side.manager->lock("k", {.ttl = ttl}).error().code, ErrorCode::Usage);
        LockSide json(lockSpec(m_server.url(), "redis.json"));
        QCOMPARE(json.manager->lock("k", {.ttl = 500ms}).error().code, ErrorCode::Usage); // it takes so long
    }

private:
    /** Waits until every answer has come, also to releases. */
    static bool becomesIdle(LockSide &side)
    {
        const auto idle = std::make_shared<bool>(false);
        side.manager->whenIdle([idle] { *idle = true; });
        return QTest::qWaitFor([&idle] { return *idle; }, 20'000);
    }
    SourceSpec proxied(const QByteArray &kind)
    {
        SourceSpec spec = lockSpec(m_server.url(), kind);
        spec.url.setPath(m_proxy->path());
        return spec;
    }
    /** redis.json reads first, which acquires nothing: the bytes of that answer and the start of the next. */
    static qint64 answersBefore(const QByteArray &kind) { return kind == "redis.json" ? 8 : 0; }
    bool isHeld(const QByteArray &kind)
    {
        if (kind == "redis.json")
            return m_server.command({"GET", "k"}).bytes.contains("execute");
        return m_server.command({"EXISTS", "k"}).integer == 1;
    }

    RedisServer m_server;
    std::unique_ptr<Proxy> m_proxy;
};

LOCKKEEPER_TEST(TestRedisLockFaults)

} // namespace tst_redis_lock_faults

#include "tst_redis_lock_faults.moc"
