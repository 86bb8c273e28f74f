// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/redis/cluster_store.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/store_harness.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

/** redis+cluster:// with a real cluster of three primaries. */
class TestRedisCluster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_cluster.start()); }
    void init()
    {
        for (size_t i = 0; i < RedisCluster::kNodes; ++i)
            m_cluster.node(i).command({"FLUSHALL"});
    }

    void slotsAreTheServers()
    {
        QCOMPARE(redis::hashSlotOf("123456789"), quint16(0x31C3));
        const QByteArrayList keys{"",          "a",          "lock:orders",   "{user1}.a",
                                  "x{user1}y", "foo{}{bar}", "foo{{bar}}zap", "a{b}",
                                  "{}a",       "{a",         "a}b{c}",        QByteArray("\0\xff{\n}", 5)};
        for (const QByteArray &key : keys)
            QCOMPARE(qint64(redis::hashSlotOf(key)),
                     m_cluster.node(0).command({"CLUSTER", "KEYSLOT", key}).integer);
    }

    void urls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<int>("seeds"); // 0: refused
        QTest::newRow("two") << QStringLiteral("redis+cluster://lk@a,b:7001") << 2;
        QTest::newRow("database 0") << QStringLiteral("redis+cluster://a:1,b:1,c:1/0") << 3;
        QTest::newRow("another database") << QStringLiteral("redis+cluster://a:1/1") << 0;
    }
    void urls()
    {
        QFETCH(QString, url);
        QFETCH(int, seeds);
        const auto read = redis::clusterSeedsOf(redisSpec(urlOf(url)));
        QCOMPARE(read.has_value() ? int(read->size()) : 0, seeds);
    }

    void nobodyToAsk()
    {
        StoreHarness harness(storeFor(urlOf(QStringLiteral("redis+cluster://127.0.0.1:1,127.0.0.1:2"))));
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.size(), 1);
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Unreachable);
        QVERIFY(harness.inspect("k").error.has_value());
        QCOMPARE(harness.release({}).outcome, Outcome::Unreachable);
    }

    void aServerThatIsNoClusterIsSaidToBeOne()
    {
        RedisServer plain;
        QVERIFY(plain.start({}, true));
        StoreHarness harness(
            storeFor(urlOf(QStringLiteral("redis+cluster://127.0.0.1:%1").arg(plain.port()))));
        QVERIFY(!harness.open());
        QVERIFY2(harness.m_failures.first().cause.contains(QLatin1String("cluster support disabled")),
                 qPrintable(harness.m_failures.first().line()));
    }

    void locksOfAllNodesAreOneTable()
    {
        QSet<QByteArray> names;
        for (int i = 0; i < 300; ++i)
            names.insert("lock:" + QByteArray::number(i));
        for (const QByteArray &name : std::as_const(names))
            QCOMPARE(m_cluster.command(name, {"SET", name, "holder", "PX", "100000"}).bytes,
                     QByteArray("OK"));
        StoreHarness harness(storeFor(m_cluster.url()));
        QVERIFY(harness.open());
        QVERIFY(harness.pass());
        QCOMPARE(harness.m_ends.size(), 1);
        QCOMPARE(harness.m_ends.first().scanned, 300);
        QVERIFY(!harness.m_ends.first().covers);
        QSet<QByteArray> seen;
        for (const Page &page : std::as_const(harness.m_pages)) {
            for (const Observation &lock : page.locks)
                seen.insert(lock.name);
        }
        QCOMPARE(seen, names);

        QList<Subject> subjects;
        for (const QByteArray &name : std::as_const(names))
            subjects.append({0, name});
        subjects.append({0, "lock:absent"});
        QCOMPARE(harness.look(subjects).size(), 301);

        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            const QByteArray name = m_cluster.keyAt(i, "lock:own");
            m_cluster.node(i).command({"SET", name, "me"});
            const auto found = harness.inspect(name);
            QVERIFY(!found.error);
            QCOMPARE(found.guard.instance, runOf(i));
            QCOMPARE(harness.m_info.instanceOf({0, name}), runOf(i));
            QCOMPARE(harness.release(orderFor(found, true)).outcome, Outcome::Released);
            QCOMPARE(m_cluster.node(i).command({"EXISTS", name}).integer, 0);
        }
    }

    /** A node dies and comes back empty: a part, nothing more. */
    void aNodeIsLostAndComesBack()
    {
        QList<QByteArray> names;
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            names.append(m_cluster.keyAt(i, "lock:part"));
            m_cluster.node(i).command({"SET", names.last(), "holder"});
        }
        StoreHarness harness(storeFor(m_cluster.url()));
        QList<PartState> parts;
        connect(&harness.store(), &Store::partChanged, this,
                [&](const PartState &part) { parts.append(part); });
        QVERIFY(harness.open());
        QVERIFY(harness.pass());
        QVERIFY(parts.isEmpty());
        m_cluster.node(2).kill();
        QTRY_COMPARE_WITH_TIMEOUT(parts.size(), 1, 10'000);
        QVERIFY(!parts.first().up);
        QVERIFY(parts.first().node.endsWith(QByteArray::number(m_cluster.node(2).port())));
        QVERIFY(parts.first().ranges.contains(QLatin1Char('-')));
        QVERIFY(parts.first().holds({0, names.at(2)}) && !parts.first().holds({0, names.at(0)}));
        QVERIFY(harness.pass());
        const auto covers = harness.m_ends.first().covers;
        QVERIFY(covers && covers({0, names.at(0)}) && covers({0, names.at(1)}) && !covers({0, names.at(2)}));
        QVERIFY(harness.find(names.at(0)) != nullptr && harness.find(names.at(2)) == nullptr);
        QVERIFY(harness.inspect(names.at(2)).error.has_value());
        QVERIFY(!harness.inspect(names.at(0)).error);
        QVERIFY(harness.m_failures.isEmpty());

        parts.clear();
        QVERIFY(m_cluster.node(2).restart());
        QVERIFY(QTest::qWaitFor([&] { return parts.size() >= 2; }, 20'000));
        QVERIFY(parts.at(0).up && parts.at(0).restarted && !parts.at(0).failover);
        QVERIFY(parts.at(0).holds({0, names.at(2)}) && !parts.at(0).holds({0, names.at(0)}));
        QVERIFY(parts.at(1).up && !parts.at(1).restarted);
        QVERIFY(QTest::qWaitFor([&] { return harness.pass() && !harness.m_ends.first().covers; }, 10'000));
        QVERIFY(harness.m_failures.isEmpty());
    }

private:
    static std::unique_ptr<Store> storeFor(const QUrl &url)
    {
        return std::move(*redis::makeStore(redisSpec(url, "lock:*")));
    }

    QByteArray runOf(size_t index)
    {
        const QByteArray info = m_cluster.node(index).command({"INFO", "server"}).bytes;
        const qsizetype at = info.indexOf("run_id:") + 7;
        return info.mid(at, 40);
    }

    RedisCluster m_cluster;
};

QTEST_GUILESS_MAIN(TestRedisCluster)
#include "tst_redis_cluster.moc"
