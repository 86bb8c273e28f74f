// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/hash_slot.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/foreign_client.h"
#include "tests/support/lock_fighter.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/test_program.h"

namespace tst_redis_cluster_locks {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Lock;

/** Redisson's locks in a cluster: each has its queue at the node of its slot, which may change. */
class TestRedisClusterLocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_cluster.start()); }

    /** The leases of a minute are far from over, so only a message can wake the waiters. */
    void aFairLockIsTakenInOrder()
    {
        LockSide sides[] = {LockSide(fair()), LockSide(fair())};
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            const QByteArray name = m_cluster.keyAt(i, "order:");
            RedisServer &node = m_cluster.node(i);
            std::unique_ptr<Lock> held = sides[0].lock(name);
            QVERIFY(isTrue(taken(*held)));
            std::vector<std::unique_ptr<Lock>> waiting;
            QList<int> got;
            for (int number = 0; number < 4; ++number) {
                waiting.push_back(sides[number % 2].lock(name));
                waiting.back()->acquire({}, [&got, number](const base::Result<bool> &result) {
                    if (result && *result)
                        got.append(number);
                });
                QTRY_COMPARE(node.command({"LLEN", queueOf(name)}).integer, number + 1);
            }
            waiting.at(1).reset(); // a waiter that leaves doesn't block others
            QTRY_COMPARE(node.command({"LLEN", queueOf(name)}).integer, 3);
            for (int turn = 1; turn <= 3; ++turn) {
                QVERIFY(isTrue(givenBack(*held)));
                QTRY_COMPARE(got.size(), turn);
                held = std::move(waiting.at(size_t(got.last())));
            }
            QCOMPARE(got, (QList<int>{0, 2, 3}));
            QVERIFY(isTrue(givenBack(*held)));
            QCOMPARE(node.command({"EXISTS", name}).integer, 0);
            QCOMPARE(node.command({"EXISTS", queueOf(name)}).integer, 0);
        }
    }

    /** A waiter keeps its place. A waiter that gives up afterwards leaves the queue at the new node. */
    void theQueueMovesWithItsSlot()
    {
        const QByteArray name = m_cluster.keyAt(0, "move:");
        const quint16 slot = redis::hashSlotOf(name);
        RedisServer &from = m_cluster.node(0);
        RedisServer &to = m_cluster.node(1);
        LockSide holder(fair());
        LockSide waiter(fair());
        const auto held = holder.lock(name);
        QVERIFY(isTrue(taken(*held)));
        const auto first = waiter.lock(name);
        LockAnswer answer;
        first->acquire({}, [&answer](const base::Result<bool> &result) { answer = result; });
        QTRY_COMPARE(from.command({"LLEN", queueOf(name)}).integer, 1);
        auto second = waiter.lock(name);
        second->acquire({}, [](const base::Result<bool> &) {});
        QTRY_COMPARE(from.command({"LLEN", queueOf(name)}).integer, 2);
        QTRY_COMPARE(from.command({"PUBSUB", "CHANNELS", "redisson_lock__channel:*"}).list.size(), 2);
        m_cluster.beginMove(slot, from, to);
        QVERIFY(m_cluster.moveKeys(slot, from, to));
        m_cluster.endMove(slot, to);
        second.reset();
        QTRY_COMPARE_WITH_TIMEOUT(to.command({"LLEN", queueOf(name)}).integer, 1, 20'000);
        QVERIFY(!answer);
        QVERIFY(isTrue(givenBack(*held)));
        QTRY_VERIFY_WITH_TIMEOUT(isTrue(answer), 20'000);
        QCOMPARE(to.command({"EXISTS", queueOf(name)}).integer, 0);
        QVERIFY(isTrue(givenBack(*first)));
        m_cluster.beginMove(slot, to, from); // back, for the other tests
        m_cluster.endMove(slot, from);
    }

    /** As with a node that restarted without its keys, or whose replica took its place. */
    void whatANodeHasForgottenIsLost()
    {
        LockSide side(lockSpec(m_cluster.url(), "redis.token"));
        const auto lock = side.lock(m_cluster.keyAt(0, "forgotten:"), std::chrono::minutes(10));
        QVERIFY(isTrue(taken(*lock)));
        m_cluster.node(0).command({"DEL", lock->name()});
        m_cluster.node(0).command({"CLIENT", "KILL", "TYPE", "normal"});
        QTRY_VERIFY_WITH_TIMEOUT(!lock->isHeld(), 20'000);
    }

    /** Redisson publishes to the shards' channels where the servers have such, and listens to no others. */
    void aFightWithRedisson_data()
    {
        QTest::addColumn<QByteArray>("client");
        QTest::addColumn<QByteArray>("who");
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char *name, const char *client, const char *who, const char *kind) {
            QTest::newRow(name) << QByteArray(client) << QByteArray(who) << QByteArray(kind);
        };
        row("plain", "redisson lock", "lock", "redis.redisson");
        row("fair", "redisson fair", "fair", "redis.redisson/fair");
    }
    void aFightWithRedisson()
    {
        QFETCH(QByteArray, client);
        QFETCH(QByteArray, who);
        QFETCH(QByteArray, kind);
        constexpr int kRounds = 30;
        const ForeignClient foreign = ForeignClient::named(client);
        ForeignProgram theirs(foreign);
        theirs.start({{QStringLiteral("REDIS_CLUSTER_PORT"), QString::number(m_cluster.node(0).port())}});
        if (!theirs.isReady())
            QSKIP(qPrintable(theirs.why));
        LockSide side(lockSpec(m_cluster.url(), kind));
        // A fair lock is acquired in turns.
        fight(
            theirs, {who + "#1", who + "#2"}, foreign.lockOf("fight"),
            [&] { return side.lock(foreign.keyOf("fight")); }, kRounds, kind.endsWith("/fair") ? kRounds : 0);
    }

    /** The holder would never have released the lock. */
    void aBreakWakesRedisson_data() { aFightWithRedisson_data(); }
    void aBreakWakesRedisson()
    {
        QFETCH(QByteArray, client);
        QFETCH(QByteArray, who);
        const ForeignClient foreign = ForeignClient::named(client);
        ForeignProgram theirs(foreign);
        theirs.start({{QStringLiteral("REDIS_CLUSTER_PORT"), QString::number(m_cluster.node(0).port())}});
        if (!theirs.isReady())
            QSKIP(qPrintable(theirs.why));
        const QByteArray name = foreign.keyOf("break");
        m_cluster.command(name, {"HSET", name, "gone:1", "1"});
        QCOMPARE(theirs.ask(who + " wait " + foreign.lockOf("break")), QByteArray("waiting"));
        StoreHarness harness(
            std::move(*stores::redis::makeStore(lockSpec(m_cluster.url(), "redis.redisson/unfenced"))));
        QVERIFY(harness.open());
        const auto listens = [&] {
            const QByteArray pattern = "redisson_lock__channel:{" + name + "}*";
            RedisServer &node = m_cluster.node(m_cluster.nodeOf(name));
            return !node.command({"PUBSUB", "SHARDCHANNELS", pattern}).list.isEmpty() ||
                   !node.command({"PUBSUB", "CHANNELS", pattern}).list.isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(listens(), 20'000);
        QCOMPARE(harness.release(orderFor(harness.inspect(name))).outcome, domain::Outcome::Released);
        QVERIFY(theirs.waited().startsWith("got "));
    }

private:
    SourceSpec fair() const { return lockSpec(m_cluster.url(), "redis.redisson/fair"); }
    static QByteArray queueOf(const QByteArray &name) { return "redisson_lock_queue:{" + name + '}'; }

    RedisCluster m_cluster;
};

LOCKKEEPER_TEST(TestRedisClusterLocks)

} // namespace tst_redis_cluster_locks

#include "tst_redis_cluster_locks.moc"
