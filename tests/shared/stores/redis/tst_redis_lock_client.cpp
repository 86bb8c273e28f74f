// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>
#include <QTimer>

#include <functional>

namespace tst_redis_lock_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {
constexpr qint64 kTtlUs = 60'000'000;
}

/** The lock library's side: it acquires, renews and releases only its own locks. */
class TestRedisLockClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_client = newClient();
    }
    void cleanup() { m_client.reset(); }

    void aLeaseLivesFromAcquisitionToRelease_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::newRow("a new token") << QByteArray();
        QTest::newRow("a chosen one") << QByteArray("any\0bytes\xff", 10);
    }
    void aLeaseLivesFromAcquisitionToRelease()
    {
        QFETCH(QByteArray, token);
        const AttemptResult taken = acquired(*m_client, "lock:a", kTtlUs, token);
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY(!taken.error);
        QCOMPARE(taken.lease.name, QByteArray("lock:a"));
        if (token.isEmpty())
            QCOMPARE(taken.lease.token.size(), 32);
        else
            QCOMPARE(taken.lease.token, token);
        QCOMPARE(taken.lease.ttlUs, kTtlUs);
        QCOMPARE(m_server.command({"GET", "lock:a"}).bytes, taken.lease.token);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer > 50'000);
        QCOMPARE(acquired(*m_client, "lock:a", kTtlUs, taken.lease.token).attempt, Attempt::Held);

        const AttemptResult longer = renewed(*m_client, taken.lease, 2 * kTtlUs);
        QCOMPARE(longer.attempt, Attempt::Done);
        QCOMPARE(longer.lease.token, taken.lease.token);
        QCOMPARE(longer.lease.ttlUs, 2 * kTtlUs);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer > 110'000);

        QCOMPARE(released(*m_client, longer.lease).attempt, Attempt::Done);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 0);
        QCOMPARE(released(*m_client, longer.lease).attempt, Attempt::Lost);
    }

    void aHeldLockIsNotTaken()
    {
        m_server.command({"SET", "lock:a", "somebody"});
        const AttemptResult held = acquired(*m_client, "lock:a", kTtlUs);
        QCOMPARE(held.attempt, Attempt::Held);
        QVERIFY(!held.error);
        QVERIFY(held.lease.token.isEmpty());
        QCOMPARE(m_server.command({"GET", "lock:a"}).bytes, QByteArray("somebody"));
    }

    void aLeaseOfAnotherIsLeftAlone_data()
    {
        QTest::addColumn<QList<QByteArray>>("meanwhile");
        QTest::newRow("taken over") << QList<QByteArray>{"SET", "lock:a", "successor", "PX", "5000"};
        QTest::newRow("gone") << QList<QByteArray>{"DEL", "lock:a"};
        QTest::newRow("another type") << QList<QByteArray>{
            "EVAL", "redis.call('DEL',KEYS[1]) redis.call('HSET',KEYS[1],'f','v')", "1", "lock:a"};
    }
    void aLeaseOfAnotherIsLeftAlone()
    {
        QFETCH(QList<QByteArray>, meanwhile);
        const Lease lease = acquired(*m_client, "lock:a", kTtlUs).lease;
        QVERIFY(!m_server.command(meanwhile).isError());
        const qint64 before = m_server.command({"EXISTS", "lock:a"}).integer;
        const AttemptResult longer = renewed(*m_client, lease, kTtlUs);
        QCOMPARE(longer.attempt, Attempt::Lost);
        const AttemptResult given = released(*m_client, lease);
        QCOMPARE(given.attempt, Attempt::Lost);
        QVERIFY(!longer.error && !given.error);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, before);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer <= 5'000);
    }

    /** A chain of requests that are answered without sleeping leaves the event loop its turns. */
    void aChainLeavesTheLoopItsTurn()
    {
        constexpr int kMany = 5'000;
        const Lease lease = acquired(*m_client, "lock:a", kTtlUs).lease;
        int answers = 0;
        int whenTimeWasUp = kMany;
        const std::function<void()> next = [&] {
            m_client->renew(lease, kTtlUs, [&](const AttemptResult &result) {
                QCOMPARE(result.attempt, Attempt::Done);
                if (++answers < kMany)
                    next();
            });
        };
        next();
        QTimer::singleShot(1, this, [&] { whenTimeWasUp = answers; });
        QTRY_COMPARE_WITH_TIMEOUT(answers, kMany, 60'000);
        QVERIFY2(whenTimeWasUp < kMany / 10, qPrintable(QString::number(whenTimeWasUp)));
    }

    void answersComeInOrderAndTokensDiffer()
    {
        constexpr int kMany = 200;
        QList<QPair<int, QByteArray>> answers;
        for (int i = 0; i < kMany; ++i)
            m_client->tryAcquire(wanted(QByteArray("lock:") + QByteArray::number(i)),
                                 [&answers, i](const AttemptResult &result) {
                                     answers.append({i, result.lease.token});
                                 });
        QVERIFY(answers.isEmpty());
        QTRY_COMPARE(answers.size(), kMany);
        QSet<QByteArray> tokens;
        for (int i = 0; i < kMany; ++i) {
            QCOMPARE(answers.at(i).first, i);
            tokens.insert(answers.at(i).second);
        }
        QCOMPARE(tokens.size(), kMany);
    }

    /** An answer is never too early or too late, even if the link breaks in the call or the client ends. */
    void aClientThatGoesAnswersNothing()
    {
        QCOMPARE(acquired(*m_client, "lock:a", kTtlUs).attempt, Attempt::Done);
        int answers = 0;
        const auto count = [&answers](const AttemptResult &) { ++answers; };
        m_client->tryAcquire(wanted("lock:b"), count);
        Lease none = wanted("lock:c");
        none.ttlUs = 0;
        m_client->tryAcquire(none, count); // its refusal is queued
        m_client.reset();
        QTRY_COMPARE(m_server.command({"EXISTS", "lock:b"}).integer, 1);
        QCoreApplication::processEvents();
        QCOMPARE(answers, 0);
        // A callback may destroy the client, though other requests wait for the same link.
        m_server.stop();
        m_client = newClient();
        for (int i = 0; i < 3; ++i)
            m_client->tryAcquire(wanted("lock:b"), [this, &answers](const AttemptResult &) {
                ++answers;
                m_client.reset();
            });
        QTRY_COMPARE(answers, 1);
        QCoreApplication::processEvents();
        QCOMPARE(answers, 1);
        QVERIFY(m_server.restart());
    }

    void aLeaseOfNoLengthIsRefused()
    {
        QCOMPARE(acquired(*m_client, "lock:a", 999).error->code, ErrorCode::Usage);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 0);
    }

    void itReconnectsOnTheNextRequest()
    {
        const AttemptResult taken = acquired(*m_client, "lock:a", kTtlUs);
        QCOMPARE(taken.attempt, Attempt::Done);
        m_server.stop();
        QList<AttemptResult> answers;
        const auto take = [&answers](const AttemptResult &result) { answers.append(result); };
        m_client->tryAcquire(wanted("lock:b"), take);
        m_client->release(taken.lease, take);
        QVERIFY(answers.isEmpty());
        QTRY_COMPARE(answers.size(), 2);
        QVERIFY(base::isTransient(answers.at(0).error->code));
        QVERIFY(base::isTransient(answers.at(1).error->code));
        QVERIFY(m_server.restart());
        const AttemptResult again = acquired(*m_client, "lock:b", kTtlUs);
        QCOMPARE(again.attempt, Attempt::Done);
        QVERIFY(!again.error);
    }

    void aMissingRightIsNamed()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock:*", "-@all"});
        m_client = newClient(QStringLiteral("lk"), "pw");
        const AttemptResult refused = acquired(*m_client, "lock:a", kTtlUs);
        QCOMPARE(refused.error->code, ErrorCode::PermissionDenied);
        QVERIFY2(refused.error->remedy.startsWith(QStringLiteral("ACL SETUSER lk ~lock:* ")),
                 qPrintable(refused.error->remedy));
        m_client = newClient(QStringLiteral("lk"), "pw", false);
        QCOMPARE(acquired(*m_client, "lock:a", kTtlUs).error->remedy, QStringLiteral("ACL SETUSER lk +set"));
    }

    void aWrongPasswordIsAnError()
    {
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock:*", "+@all"});
        m_client = newClient(QStringLiteral("lk"), "wrong");
        QCOMPARE(acquired(*m_client, "lock:a", kTtlUs).error->code, ErrorCode::Authentication);
    }

private:
    std::unique_ptr<LockClient> newClient(const QString &user = {}, const QByteArray &password = {},
                                          bool fencing = true)
    {
        SourceSpec spec = redisSpec(m_server.url(0, user), "lock:*", password);
        spec.locks.first().keys.fencing = fencing;
        return std::move(*locks::redis::makeLockClient(spec, spec.locks.first()));
    }

    static Lease wanted(const QByteArray &name)
    {
        Lease wanted;
        wanted.name = name;
        wanted.ttlUs = kTtlUs;
        return wanted;
    }

    RedisServer m_server;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestRedisLockClient)

} // namespace tst_redis_lock_client

#include "tst_redis_lock_client.moc"
