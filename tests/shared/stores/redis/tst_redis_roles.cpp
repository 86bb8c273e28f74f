// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/hash_slot.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_sentinel.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_roles {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

namespace {

/** 10,000 keys in one slot, saved: the next start takes its time. */
bool fill(RedisServer &server, const QByteArray &tag)
{
    RedisPlain plain(server.socketPath());
    for (int i = 0; i < 10'000; ++i)
        plain.append({"SET", '{' + tag + '}' + QByteArray::number(i), "v"});
    bool all = true;
    for (int i = 0; i < 10'000; ++i)
        all = plain.next().bytes == "OK" && all;
    // SAVE is refused while a replica is still being filled.
    return all && QTest::qWaitFor([&server] { return server.command({"SAVE"}).bytes == "OK"; }, 15'000);
}

QByteArray runOf(RedisServer &server)
{
    const QByteArray info = server.command({"INFO", "server"}).bytes;
    return info.mid(info.indexOf("run_id:") + 7, 40);
}

std::unique_ptr<Store> storeFor(const QUrl &url)
{
    return std::move(*redis::makeStore(redisSpec(url, "lock:*")));
}

} // namespace

/** READONLY, LOADING, MOVED and lagging replicas, behind Sentinel and in a cluster, on real servers. */
class TestRedisRoles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /** The primary turns into a replica under an open link. The store believes the server, and drops the
     * link. */
    void aPrimaryBehindSentinelIsTurned()
    {
        SentinelTrio trio;
        QVERIFY(trio.start());
        StoreHarness harness(storeFor(trio.url()));
        QVERIFY(QTest::qWaitFor([&] { return harness.open(); }, 20'000));
        trio.m_one.command({"SET", "lock:a", "holder"});
        const auto seen = harness.inspect("lock:a");
        trio.m_one.command({"REPLICAOF", "127.0.0.1", "1"});
        const auto report = harness.release(orderFor(seen));
        QCOMPARE(report.outcome, Outcome::Refused);
        // The server refuses to write; if the store has read the new role before, the store refuses.
        if (report.error.code != ErrorCode::ReadOnly)
            QVERIFY2(report.error.cause.contains(QLatin1String("primary")), qPrintable(report.error.line()));
        QCOMPARE(trio.m_one.command({"EXISTS", "lock:a"}).integer, 1);
        QVERIFY(harness.hasFailed());
    }

    void aReplicaBehindSentinelLags()
    {
        SentinelTrio trio;
        QVERIFY(trio.start());
        StoreHarness harness(storeFor(trio.url()));
        QVERIFY(QTest::qWaitFor([&] { return harness.open(); }, 20'000));
        QVERIFY(waitedFor(harness, trio.m_one, trio.m_two, "lock:a"));
    }

    void aPrimaryBehindSentinelLoads()
    {
        if (RedisServer::slowLoading().isEmpty())
            QSKIP("a server can be made to load slowly from Redis 7 on");
        SentinelTrio trio;
        QVERIFY(trio.start());
        trio.m_two.command({"CONFIG", "SET", "replica-priority", "0"}); // it can't take over
        trio.m_one.command({"SET", "lock:a", "holder"});
        QVERIFY(fill(trio.m_one, "x"));
        StoreHarness harness(storeFor(trio.url()));
        QVERIFY(QTest::qWaitFor([&] { return harness.open(); }, 20'000));
        const auto seen = harness.inspect("lock:a");
        QVERIFY(trio.m_one.restart());
        QVERIFY(harness.hasFailed());
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.last().code, ErrorCode::Loading);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Unreachable);
        QVERIFY(QTest::qWaitFor([&] { return harness.open(); }, 30'000));
        QVERIFY(harness.scan());
        QVERIFY(harness.find("lock:a") != nullptr);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Refused); // another run
    }

    /** A node that loads is an unseen part; the other nodes continue. */
    void aNodeOfAClusterLoads()
    {
        if (RedisServer::slowLoading().isEmpty())
            QSKIP("a server can be made to load slowly from Redis 7 on");
        RedisCluster cluster;
        QVERIFY(cluster.start());
        const QByteArray tag = cluster.keyAt(2, "t");
        const QByteArray name = "lock:{" + tag + "}";
        QCOMPARE(cluster.node(2).command({"SET", name, "holder"}).bytes, QByteArray("OK"));
        QVERIFY(fill(cluster.node(2), tag));
        StoreHarness harness(storeFor(cluster.url()));
        QList<ShardState> parts;
        connect(&harness.store(), &Store::shardChanged, this,
                [&parts](const ShardState &part) { parts.append(part); });
        QVERIFY(harness.open());
        const auto seen = harness.inspect(name);
        QVERIFY(cluster.node(2).restart());
        const auto sawLoading = [&] {
            return std::any_of(parts.cbegin(), parts.cend(), [](const ShardState &part) {
                return !part.up && part.error.code == ErrorCode::Loading;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(sawLoading(), 15'000);
        QVERIFY(harness.scan());
        QVERIFY(harness.m_ends.first().covers && !harness.m_ends.first().covers({0, name}));
        QVERIFY(harness.release(orderFor(seen)).outcome == Outcome::Unreachable);
        QTRY_VERIFY_WITH_TIMEOUT(parts.last().up, 30'000);
        QTRY_VERIFY(harness.scan() && harness.find(name) != nullptr);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Refused); // another run
        QCOMPARE(harness.release(orderFor(harness.inspect(name))).outcome, Outcome::Released);
        QVERIFY(harness.m_failures.isEmpty());
    }

    /** WAIT runs at the node that has the lock. Then its replica takes over, and the locks stay. */
    void aReplicaInAClusterTakesOver()
    {
        RedisCluster cluster;
        QVERIFY(cluster.start() && cluster.addReplica());
        RedisServer &primary = cluster.node(0);
        RedisServer &replica = cluster.spare();
        const QByteArray name = cluster.keyAt(0, "lock:r");
        StoreHarness harness(storeFor(cluster.url()));
        QList<ShardState> parts;
        connect(&harness.store(), &Store::shardChanged, this,
                [&parts](const ShardState &part) { parts.append(part); });
        QVERIFY(harness.open());
        QVERIFY(waitedFor(harness, primary, replica, name));
        primary.command({"SET", name, "holder"});
        QCOMPARE(primary.command({"WAIT", "1", "5000"}).integer, 1);
        const auto seen = harness.inspect(name);
        primary.kill();
        QTRY_VERIFY_WITH_TIMEOUT(parts.size() == 1 && !parts.first().up, 10'000);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Unreachable);
        QList<ShardState> ups;
        const auto areUp = [&] {
            ups = parts;
            ups.removeIf([](const ShardState &part) { return !part.up; });
            return ups.size() >= 2;
        };
        QTRY_VERIFY_WITH_TIMEOUT(areUp(), 30'000);
        QVERIFY(ups.at(0).restarted && ups.at(0).failover);
        QVERIFY(ups.at(0).holds({0, name}));
        QCOMPARE(ups.at(1).node, parts.first().node); // its slots are seen again
        QVERIFY(!ups.at(1).restarted);
        QTRY_VERIFY(harness.scan() && harness.find(name) != nullptr);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Refused); // another server
        const auto there = harness.inspect(name);
        QCOMPARE(there.guard.instance, runOf(replica));
        QCOMPARE(harness.release(orderFor(there)).outcome, Outcome::Released);
        QVERIFY(harness.m_failures.isEmpty());
    }

    /** An ordered switch-over: the former primary redirects, and no client reads on from a replica's data. */
    void aPrimaryOfAClusterIsTurned()
    {
        RedisCluster cluster;
        QVERIFY(cluster.start() && cluster.addReplica());
        RedisServer &primary = cluster.node(0);
        RedisServer &replica = cluster.spare();
        const QByteArray name = cluster.keyAt(0, "lock:r");
        StoreHarness harness(storeFor(cluster.url()));
        QVERIFY(harness.open());
        primary.command({"SET", name, "holder"});
        QCOMPARE(primary.command({"WAIT", "1", "5000"}).integer, 1);
        const auto seen = harness.inspect(name);
        QCOMPARE(replica.command({"CLUSTER", "FAILOVER"}).bytes, QByteArray("OK"));
        const bool turned = QTest::qWaitFor(
            [&] {
                return replica.command({"INFO", "replication"}).bytes.contains("role:master");
            },
            15'000);
        if (!turned && RedisServer::version() < 700)
            QSKIP("this server doesn't hand over");
        QVERIFY(turned);
        const auto report = harness.release(orderFor(seen));
        // The old primary refuses, or its link is gone already.
        const QList<Outcome> honest{Outcome::Refused, Outcome::Unreachable};
        QVERIFY2(honest.contains(report.outcome), qPrintable(report.error.line()));
        QCOMPARE(replica.command({"EXISTS", name}).integer, 1);
        QVERIFY(QTest::qWaitFor(
            [&] { return harness.release(orderFor(harness.inspect(name))).outcome == Outcome::Released; },
            20'000));
        QCOMPARE(replica.command({"EXISTS", name}).integer, 0);
        QVERIFY(harness.m_failures.isEmpty());
    }

private:
    /** A release says whether a replica has confirmed it. */
    static bool waitedFor(StoreHarness &harness, RedisServer &primary, RedisServer &replica,
                          const QByteArray &name)
    {
        ReleaseReport confirmed;
        confirmed.replicated = false;
        // Sentinel may have the replica reconnect, which then takes longer than a release waits.
        for (int tries = 0; tries < 5 && !confirmed.replicated; ++tries) {
            if (!primary.waitForReplica(name))
                return false;
            primary.command({"SET", name, "holder"});
            confirmed = harness.release(orderFor(harness.inspect(name)));
        }
        primary.command({"SET", name, "holder"});
        replica.pause();
        const auto lonely = harness.release(orderFor(harness.inspect(name)));
        replica.resume();
        return confirmed.outcome == Outcome::Released && confirmed.replicated &&
               lonely.outcome == Outcome::Released && !lonely.replicated &&
               lonely.error.cause == QLatin1String("not replicated");
    }
};

LOCKKEEPER_TEST(TestRedisRoles)

} // namespace tst_redis_roles

#include "tst_redis_roles.moc"
