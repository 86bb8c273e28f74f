// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/token_client.h"
#include "shared/locks/store_options.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

namespace tst_redis_fencing {

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

/** The fencing tokens of the lock library's own clients. */
class TestRedisFencing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_server.command({"ACL", "LOG", "RESET"});
    }

    void tokensGrow_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"redis.token", "redis.redisson", "redis.redisson/fair"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    void tokensGrow()
    {
        QFETCH(QByteArray, kind);
        const auto one = clientOf(lockSpec(m_server.url(), kind));
        const auto two = clientOf(lockSpec(m_server.url(), kind));
        QVERIFY(one->traits().fencing);
        qint64 last = 0;
        const auto next = [&last](LockClient &client) {
            const AttemptResult taken = acquired(client, "k", kTtlUs);
            const qint64 token = taken.lease.fencing.toLongLong();
            if (taken.attempt != Attempt::Done || token <= last)
                qWarning() << "after" << last << "came" << taken.lease.fencing;
            return taken.attempt == Attempt::Done && token > std::exchange(last, token) ? taken.lease
                                                                                        : Lease{};
        };
        Lease lease = next(*one);
        QVERIFY(!lease.token.isEmpty());
        QCOMPARE(acquired(*two, "k", kTtlUs).attempt, Attempt::Held);
        QVERIFY(renewed(*one, lease, kTtlUs).lease.fencing == lease.fencing);
        QCOMPARE(released(*one, lease).attempt, Attempt::Done);
        QVERIFY(!next(*two).token.isEmpty());
        m_server.command({"DEL", "k"}); // broken
        QVERIFY(!next(*one).token.isEmpty());
        m_server.command({"PEXPIRE", "k", "1"}); // run out
        QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
        QVERIFY(!next(*two).token.isEmpty());
        if (kind != "redis.token")
            return;
        m_server.command({"FLUSHALL"}); // the counter is lost, or has ended
        QVERIFY(!next(*one).token.isEmpty());
        QVERIFY(m_server.command({"PTTL", "lockkeeper:fencing:{k}"}).integer > 0);
    }

    void redissonsCounterIsRedissons()
    {
        m_server.command({"SET", "redisson_lock_token:{k}", "41"});
        const auto client = clientOf(lockSpec(m_server.url(), "redis.redisson"));
        QCOMPARE(acquired(*client, "k", kTtlUs).lease.fencing, QByteArray("42"));
    }

    /** The fencing counter beside a lock says nothing about a holder of the plain lock. */
    void aPlainLocksHolderHasNoToken()
    {
        locks::StoreOptions options;
        options.url = m_server.url().toString();
        options.scheme = QStringLiteral("redis.redisson");
        const auto plain = std::move(*locks::LockManager::open(options));
        QVERIFY(!plain->traits().fencing);
        options.keys = {{QStringLiteral("fencing"), true}};
        const auto fenced = std::move(*locks::LockManager::open(options));
        const auto lock = *fenced->lock("k");
        QVERIFY(isTrue(taken(*lock)));
        QVERIFY(lock->fencingToken());
        QCOMPARE(holderOf(*fenced, "k").fencing, lock->fencingToken());
        QVERIFY(isTrue(givenBack(*lock)));
        m_server.command({"HSET", "k", "8743c9c0-0795-4907-87fd-6c719a6b4586:12", "1"}); // as getLock() does
        m_server.command({"PEXPIRE", "k", "30000"});
        const locks::HolderInfo holder = holderOf(*plain, "k");
        QCOMPARE(holder.owner, QByteArray("8743c9c0-0795-4907-87fd-6c719a6b4586:12"));
        QVERIFY(!holder.fencing);
    }

    void theyCanBeLeftOut_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"redis.token/unfenced", "redis.redisson/unfenced", "redis.semaphore"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    void theyCanBeLeftOut()
    {
        QFETCH(QByteArray, kind);
        const auto client = clientOf(lockSpec(m_server.url(), kind));
        QVERIFY(!client->traits().fencing);
        const AttemptResult taken = acquired(*client, "k", kTtlUs);
        QCOMPARE(taken.attempt, Attempt::Done);
        QVERIFY(taken.lease.fencing.isEmpty());
        QCOMPARE(m_server.command({"DBSIZE"}).integer, 1);
    }

    void countersAreNoLocks_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("token") << QByteArray("redis.token");
        QTest::newRow("json") << QByteArray("redis.json");
        QTest::newRow("redisson") << QByteArray("redis.redisson");
    }
    void countersAreNoLocks()
    {
        QFETCH(QByteArray, kind);
        const auto client = clientOf(lockSpec(m_server.url(), kind));
        QCOMPARE(acquired(*client, "k", kTtlUs).attempt, Attempt::Done);
        m_server.command({"SET", "lockkeeper:fencing:{other}", "7"});
        StoreHarness harness(std::move(*redis::makeStore(lockSpec(m_server.url(), kind))));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_pages.first().locks.size(), 1);
        QCOMPARE(harness.m_pages.first().locks.first().name, QByteArray("k"));
    }

    void aHeldLockTellsHowLong_data() { tokensGrow_data(); }
    void aHeldLockTellsHowLong()
    {
        QFETCH(QByteArray, kind);
        const auto one = clientOf(lockSpec(m_server.url(), kind));
        QCOMPARE(acquired(*one, "k", kTtlUs).attempt, Attempt::Done);
        const qint64 left = acquired(*one, "k", kTtlUs).freeInUs;
        QVERIFY(left > kTtlUs / 2 && left <= kTtlUs);
        m_server.command({"PERSIST", "k"});
        QCOMPARE(acquired(*one, "k", kTtlUs).freeInUs, -1);
    }

    void aMissingRightIsNamed_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("rule");
        QTest::newRow("token") << QByteArray("redis.token") << QStringLiteral("~lockkeeper:fencing:*");
        QTest::newRow("redisson") << QByteArray("redis.redisson") << QStringLiteral("~redisson_lock_token:*");
    }
    void aMissingRightIsNamed()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        QFETCH(QByteArray, kind);
        QFETCH(QString, rule);
        m_server.command({"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~k*", "+@all"});
        SourceSpec spec = lockSpec(m_server.url(0, QStringLiteral("lk")), kind);
        spec.password = "pw";
        spec.locks.first().match = "k*";
        const auto client = clientOf(spec);
        const AttemptResult refused = acquired(*client, "k", kTtlUs);
        QVERIFY(refused.error);
        QCOMPARE(refused.error->code, ErrorCode::PermissionDenied);
        QVERIFY2(refused.error->remedy.contains(rule), qPrintable(refused.error->remedy));
        QVERIFY(refused.error->remedy.contains(QStringLiteral("without fencing")));
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
        // The rule that the remedy names is enough.
        const QString statement = refused.error->remedy.section(QStringLiteral(" ("), 0, 0);
        QCOMPARE(m_server.command(statement.toUtf8().split(' ')).bytes, QByteArray("OK"));
        QCOMPARE(acquired(*client, "k", kTtlUs).attempt, Attempt::Done);
    }

    /** The rules as the operators' document gives them. */
    void theseRightsAreEnough_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("rules");
        const QByteArray all = "~k* +info +client|setname +eval +evalsha ";
        const QByteArray token = all + "+set +type +get +pexpire +del";
        QTest::newRow("token") << QByteArray("redis.token/unfenced") << token;
        QTest::newRow("token, fenced")
            << QByteArray("redis.token") << token + " ~lockkeeper:fencing:* +exists +pttl +incr +time";
        const QByteArray redisson = all +
                                    "&redisson_lock__channel:* +subscribe +unsubscribe +ping +publish +type "
                                    "+exists +hexists +hincrby +hdel +pttl +pexpire";
        QTest::newRow("redisson") << QByteArray("redis.redisson/unfenced") << redisson;
        const QByteArray fenced = redisson + " ~redisson_lock_token:* +incr";
        QTest::newRow("redisson, fenced") << QByteArray("redis.redisson") << fenced;
        const QByteArray fair = fenced +
                                " ~redisson_lock_queue:* ~redisson_lock_timeout:* +time +lindex +lrange "
                                "+rpush +lpop +lrem +zadd +zrem +zscore +zrange +zincrby";
        QTest::newRow("redisson, fair") << QByteArray("redis.redisson/fair") << fair;
        QTest::newRow("redisson, fair, by one pattern")
            << QByteArray("redis.redisson/fair") << fair + " allchannels +psubscribe +punsubscribe";
    }
    void theseRightsAreEnough()
    {
        if (RedisServer::version() < 602)
            QSKIP("channels have rights from Redis 6.2 on");
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, rules);
        QList<QByteArray> statement{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "resetchannels", "-@all"};
        QCOMPARE(m_server.command(statement + rules.split(' ')).bytes, QByteArray("OK"));
        SourceSpec spec = lockSpec(m_server.url(0, QStringLiteral("lk")), kind);
        spec.password = "pw";
        LockSide one(spec);
        LockSide two(spec);
        const auto held = one.lock("k");
        const LockAnswer answer = taken(*held);
        QVERIFY2(isTrue(answer), answer && !*answer ? qPrintable(answer->error().line()) : "held");
        QVERIFY(isTrue(answerOf([&](auto done) { held->renew(std::move(done)); })));
        const auto waiting = two.lock("k");
        QVERIFY(isFalse(awaited(*waiting, std::chrono::milliseconds(300))));
        LockAnswer waited;
        waiting->acquire({}, [&waited](const base::Result<bool> &result) { waited = result; });
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_VERIFY_WITH_TIMEOUT(isTrue(waited), 20'000);
        const RedisReply denied = m_server.command({"ACL", "LOG"});
        for (const RedisReply &entry : denied.list) // but the pattern that a fair lock does without
            QCOMPARE(entry.list.value(7).bytes, QByteArray("psubscribe"));
        QCOMPARE(denied.list.size(), kind.endsWith("/fair") && !rules.contains("psubscribe") ? 1 : 0);
    }

    void counterAndLockShareASlot_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char *name : {"a", "job:{7}:x", "{7}", "a{", "x{y}{z}"})
            QTest::newRow(name) << QByteArray(name);
    }
    void counterAndLockShareASlot()
    {
        QFETCH(QByteArray, name);
        const QByteArray key = locks::redis::fencingKeyOf(name);
        QVERIFY(key.startsWith("lockkeeper:fencing:"));
        QCOMPARE(stores::redis::hashSlotOf(key), stores::redis::hashSlotOf(name));
    }

private:
    static locks::HolderInfo holderOf(locks::LockManager &manager, const QByteArray &name)
    {
        std::optional<locks::HolderInfo> holder;
        bool answered = false;
        manager.readHolder(name, [&](const base::Result<std::optional<locks::HolderInfo>> &read) {
            holder = read.value_or(std::nullopt);
            answered = true;
        });
        (void)QTest::qWaitFor([&] { return answered; }, 20'000);
        return holder.value_or(locks::HolderInfo{});
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisFencing)

} // namespace tst_redis_fencing

#include "tst_redis_fencing.moc"
