// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/redis_lock_clients.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

namespace tst_redis_lock_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;

namespace {
constexpr qint64 kTtlUs = 60'000'000;
}

/** The lock library's side: acquire, renew, release, each only of one's own. */
class TestRedisLockClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_answers.clear();
        m_client = newClient();
    }
    void cleanup() { m_client.reset(); }

    void aLeaseLivesFromAcquisitionToRelease()
    {
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        const AttemptResult taken = answer(1);
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY(!taken.error);
        QCOMPARE(taken.lease.name, QByteArray("lock:a"));
        QCOMPARE(taken.lease.token.size(), 32);
        QCOMPARE(taken.lease.ttlUs, kTtlUs);
        QCOMPARE(m_server.command({"GET", "lock:a"}).bytes, taken.lease.token);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer > 50'000);

        m_client->renew(2, taken.lease, 2 * kTtlUs);
        const AttemptResult renewed = answer(2);
        QCOMPARE(renewed.attempt, Attempt::Done);
        QCOMPARE(renewed.lease.token, taken.lease.token);
        QCOMPARE(renewed.lease.ttlUs, 2 * kTtlUs);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer > 110'000);

        m_client->release(3, renewed.lease);
        QCOMPARE(answer(3).attempt, Attempt::Done);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 0);
        m_client->release(4, renewed.lease);
        QCOMPARE(answer(4).attempt, Attempt::Lost);
    }

    void aHeldLockIsNotTaken()
    {
        m_server.command({"SET", "lock:a", "somebody"});
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        QCOMPARE(answer(1).attempt, Attempt::Held);
        QVERIFY(!answer(1).error);
        QVERIFY(answer(1).lease.token.isEmpty());
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
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        const Lease lease = answer(1).lease;
        QVERIFY(!m_server.command(meanwhile).isError());
        const qint64 before = m_server.command({"EXISTS", "lock:a"}).integer;
        m_client->renew(2, lease, kTtlUs);
        QCOMPARE(answer(2).attempt, Attempt::Lost);
        m_client->release(3, lease);
        QCOMPARE(answer(3).attempt, Attempt::Lost);
        QVERIFY(!answer(2).error && !answer(3).error);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, before);
        QVERIFY(m_server.command({"PTTL", "lock:a"}).integer <= 5'000);
    }

    void answersComeInOrderAndTokensDiffer()
    {
        constexpr int kMany = 200;
        for (int i = 0; i < kMany; ++i)
            m_client->tryAcquire(quint64(i), QByteArray("lock:") + QByteArray::number(i), kTtlUs);
        QTRY_COMPARE(m_answers.size(), kMany);
        QSet<QByteArray> tokens;
        for (int i = 0; i < kMany; ++i) {
            QCOMPARE(m_answers.at(i).request, quint64(i));
            tokens.insert(m_answers.at(i).lease.token);
        }
        QCOMPARE(tokens.size(), kMany);
    }

    void aLeaseOfNoLengthIsRefused()
    {
        m_client->tryAcquire(1, "lock:a", 999);
        QCOMPARE(answer(1).error->code, ErrorCode::Usage);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 0);
    }

    void itReconnectsOnTheNextRequest()
    {
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        QCOMPARE(answer(1).attempt, Attempt::Done);
        m_server.stop();
        m_client->tryAcquire(2, "lock:b", kTtlUs);
        m_client->release(3, answer(1).lease);
        QVERIFY(base::isTransient(answer(2).error->code));
        QVERIFY(base::isTransient(answer(3).error->code));
        QVERIFY(m_server.restart());
        m_client->tryAcquire(4, "lock:b", kTtlUs);
        QCOMPARE(answer(4).attempt, Attempt::Done);
        QVERIFY(!answer(4).error);
    }

    void aMissingRightIsNamed()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock:*", "-@all"});
        m_client = newClient(QStringLiteral("lk"), "pw");
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        QCOMPARE(answer(1).error->code, ErrorCode::PermissionDenied);
        QCOMPARE(answer(1).error->remedy, QStringLiteral("ACL SETUSER lk +set"));
    }

    void aWrongPasswordIsAnError()
    {
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock:*", "+@all"});
        m_client = newClient(QStringLiteral("lk"), "wrong");
        m_client->tryAcquire(1, "lock:a", kTtlUs);
        QCOMPARE(answer(1).error->code, ErrorCode::Authentication);
    }

private:
    std::unique_ptr<LockClient> newClient(const QString &user = {}, const QByteArray &password = {})
    {
        const SourceSpec spec = redisSpec(m_server.url(0, user), "lock:*", password);
        auto client = std::move(*redis::makeLockClient(spec, spec.locks.first()));
        connect(client.get(), &LockClient::answered, this,
                [this](const AttemptResult &result) { m_answers.append(result); });
        return client;
    }

    /** The answer to `request`; a failed comparison where it doesn't come. */
    AttemptResult answer(quint64 request)
    {
        const auto find = [&] {
            return std::find_if(m_answers.cbegin(), m_answers.cend(),
                                [&](const AttemptResult &result) { return result.request == request; });
        };
        if (!QTest::qWaitFor([&] { return find() != m_answers.cend(); }, 10'000))
            return {0, Attempt::Held, {}, base::Error{ErrorCode::Unknown, QStringLiteral("no answer"), {}}};
        return *find();
    }

    RedisServer m_server;
    std::unique_ptr<LockClient> m_client;
    QList<AttemptResult> m_answers;
};

LOCKKEEPER_TEST(TestRedisLockClient)

} // namespace tst_redis_lock_client

#include "tst_redis_lock_client.moc"
