// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "shared/stores/redis/connection/redirect.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_cluster_moves {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;

/** Slots of a real cluster that move while their locks are watched and broken. */
class TestRedisClusterMoves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_cluster.start() && m_cluster.addSpare()); }
    void init()
    {
        m_keys.clear();
        ++m_tag; // a slot that wasn't moved yet
        for (int i = 0; i < 10; ++i)
            m_keys.append("lock:{" + QByteArray::number(m_tag) + "}:" + QByteArray::number(i));
        m_slot = redis::hashSlotOf(m_keys.first());
        m_from = &m_cluster.node(m_cluster.nodeOf(m_keys.first()));
        m_to = &m_cluster.spare();
        for (const QByteArray &key : std::as_const(m_keys))
            QCOMPARE(m_from->command({"SET", key, "holder of " + key, "PX", "100000"}).bytes,
                     QByteArray("OK"));
    }
    void cleanup()
    {
        for (size_t i = 0; i < RedisCluster::kNodes; ++i)
            m_cluster.node(i).command({"FLUSHALL"});
        m_to->command({"FLUSHALL"});
        m_cluster.endMove(m_slot, *m_to);
    }

    void redirects_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("is");
        QTest::newRow("moved") << QByteArray("MOVED 3999 127.0.0.1:6381")
                               << QStringLiteral("0 3999 127.0.0.1 6381");
        QTest::newRow("ask") << QByteArray("ASK 0 ::1:6381") << QStringLiteral("1 0 ::1 6381");
        QTest::newRow("no host") << QByteArray("MOVED 1 :6381") << QStringLiteral("0 1  6381");
        QTest::newRow("no port") << QByteArray("MOVED 1 host:") << QString();
        QTest::newRow("port 0") << QByteArray("MOVED 1 host:0") << QString();
        QTest::newRow("no slot") << QByteArray("MOVED x host:1") << QString();
        QTest::newRow("slot 16384") << QByteArray("ASK 16384 host:1") << QString();
        QTest::newRow("more") << QByteArray("MOVED 1 host:1 2") << QString();
        QTest::newRow("another error") << QByteArray("ERR MOVED 1 host:1") << QString();
    }
    void redirects()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, is);
        const auto read = redis::redirectOf(text);
        QCOMPARE(read.has_value(), !is.isEmpty());
        if (read)
            QCOMPARE(QStringLiteral("%1 %2 %3 %4")
                         .arg(int(read->ask))
                         .arg(read->slot)
                         .arg(read->host)
                         .arg(read->port),
                     is);
    }

    /** Keys at both nodes: every scan shows each key once, and looks and inspections find it. A key that both
     * nodes deny is absent. */
    void bothHalvesAreSeen()
    {
        StoreHarness harness(storeFor());
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(seen(harness), m_keys);
        m_cluster.beginMove(m_slot, *m_from, *m_to);
        for (int moved = 0; moved <= 10; moved += 5) {
            if (moved > 0)
                QVERIFY(m_cluster.moveKeys(m_slot, *m_from, *m_to, m_keys.mid(moved - 5, 5)));
            QVERIFY(harness.scan());
            QCOMPARE(seen(harness), m_keys);
            QVERIFY(harness.m_ends.first().complete && !harness.m_ends.first().covers);
            QVERIFY(looksAsItIs(harness, moved));
        }
        m_cluster.endMove(m_slot, *m_to);
        QVERIFY(harness.scan());
        QCOMPARE(seen(harness), m_keys);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return harness.m_info.instanceOf({0, m_keys.at(0)}) == runOf(*m_to);
            },
            15'000));
        QVERIFY(looksAsItIs(harness, 10));
    }

    /** A lock is acquired and released at the node that takes the slot over, while the other node still owns
     * the slot. */
    void newLocksOfTheSlotAreSeen()
    {
        StoreHarness harness(storeFor());
        QVERIFY(harness.open());
        m_cluster.beginMove(m_slot, *m_from, *m_to);
        QVERIFY(m_cluster.moveKeys(m_slot, *m_from, *m_to, m_keys.mid(0, 9)));
        const QByteArray fresh = m_keys.first() + "+";
        m_keys.append(fresh);
        QCOMPARE(asking({"SET", fresh, "me", "NX", "PX", "100000"}).bytes, QByteArray("OK"));
        QVERIFY(harness.scan());
        QVERIFY(harness.find(fresh) != nullptr && harness.find(fresh)->owner == "me");
        QCOMPARE(asking({"DEL", fresh}).integer, 1);
        QVERIFY(harness.scan());
        QVERIFY(harness.find(fresh) == nullptr);
        QVERIFY(!harness.m_ends.first().covers);
        const auto looked = harness.readPoints({{0, fresh}});
        QVERIFY(looked.size() == 1 && !looked.first().present);
    }

    /** The lock is broken once, at the node where it was seen. Another node refuses, because its clock
     * differs. */
    void releasesFindTheirWay_data()
    {
        QTest::addColumn<int>("inspectAt"); // 0: settled, 1: slot moving, 2: the key has moved, 3: all has
        QTest::addColumn<int>("releaseAt");
        for (int inspect = 0; inspect < 4; ++inspect) {
            for (int release = inspect; release < 4; ++release)
                QTest::addRow("%d to %d", inspect, release) << inspect << release;
        }
    }
    void releasesFindTheirWay()
    {
        QFETCH(int, inspectAt);
        QFETCH(int, releaseAt);
        StoreHarness harness(storeFor());
        QVERIFY(harness.open());
        const QByteArray key = m_keys.first();
        int stage = 0;
        const auto goTo = [&](int wanted) {
            for (; stage < wanted; ++stage)
                QVERIFY(advance(stage, key));
        };
        goTo(inspectAt);
        const auto found = harness.inspect(key);
        QVERIFY2(!found.error && found.lock.present, found.error ? qPrintable(found.error->line()) : "");
        QCOMPARE(found.guard.instance, runOf(inspectAt < 2 ? *m_from : *m_to));
        goTo(releaseAt);
        const auto report = harness.release(orderFor(found, true));
        if (inspectAt < 2 && releaseAt >= 2) {
            QCOMPARE(report.outcome, Outcome::Refused);
            QVERIFY2(report.error.remedy.contains(QLatin1String("read the lock again")),
                     qPrintable(report.error.line()));
            QVERIFY(exists(key));
            return;
        }
        QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
        QVERIFY(!exists(key));
        // A second script, had one been sent, would remove the same lock again.
        QCOMPARE(set(stage, key, "holder of " + key), QByteArray("OK"));
        harness.inspect(key);
        QVERIFY(exists(key));
        QCOMPARE(harness.m_reports.size(), 1);
    }

    /** A guard of the old node never reaches the new one, where another client may have the lock. */
    void theGuardStaysBehind()
    {
        StoreHarness harness(storeFor());
        QVERIFY(harness.open());
        const auto found = harness.inspect(m_keys.first());
        m_cluster.beginMove(m_slot, *m_from, *m_to);
        QVERIFY(m_cluster.moveKeys(m_slot, *m_from, *m_to));
        const auto report = harness.release(orderFor(found, true));
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY2(report.error.cause.startsWith(QLatin1String("ASK ")), qPrintable(report.error.line()));
        QVERIFY(exists(m_keys.first()));
        auto order = orderFor(harness.inspect(m_keys.first()), true);
        order.dryRun = true;
        QCOMPARE(harness.release(order).outcome, Outcome::Released);
        QVERIFY(exists(m_keys.first()));
        QCOMPARE(asking({"SET", m_keys.first(), "another"}).bytes, QByteArray("OK"));
        order.dryRun = false;
        QCOMPARE(harness.release(order).outcome, Outcome::HolderChanged);
        QVERIFY(exists(m_keys.first()));
        QCOMPARE(asking({"DEL", m_keys.first()}).integer, 1);
        QCOMPARE(harness.release(order).outcome, Outcome::AlreadyFree);
    }

    /** A fair lock whose queue is at the other node: the scan shows the lock, its waiters are unknown, and
     * nothing is broken. */
    void aQueueThatIsElsewhere()
    {
        m_cluster.beginMove(m_slot, *m_from, *m_to);
        QVERIFY(m_cluster.moveKeys(m_slot, *m_from, *m_to));
        const QByteArray lock = "job{" + QByteArray::number(m_tag) + "}";
        const QByteArray queue = "redisson_lock_queue:{" + QByteArray::number(m_tag) + "}";
        QCOMPARE(redis::hashSlotOf(queue), m_slot);
        SourceSpec spec = redisSpec(m_cluster.url(), "job*");
        spec.locks.first().scheme = "redis.redisson";
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        m_keys.append(lock);
        QCOMPARE(asking({"HSET", lock, "0123-4567:1", "1"}).integer, 1);
        QVERIFY(harness.scan());
        const Observation *found = harness.find(lock);
        QVERIFY(found != nullptr && found->held && !found->waitersVisible && !found->waiting);
        QVERIFY(!harness.m_ends.first().covers);
    }

    /** The node that gives the slot away has the lock, and redirects for its queue: the scan still shows the
     * lock. */
    void aQueueThatIsSentElsewhere()
    {
        const QByteArray lock = "job{" + QByteArray::number(m_tag) + "}";
        QCOMPARE(m_from->command({"HSET", lock, "0123-4567:1", "1"}).integer, 1);
        m_cluster.beginMove(m_slot, *m_from, *m_to);
        SourceSpec spec = redisSpec(m_cluster.url(), "job*");
        spec.locks.first().scheme = "redis.redisson";
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const Observation *found = harness.find(lock);
        QVERIFY(found != nullptr && found->held && !found->waitersVisible && !found->waiting);
        const auto looked = harness.readPoints({{0, lock}});
        QVERIFY(looked.size() == 1 && looked.first().held);
    }

private:
    std::unique_ptr<Store> storeFor()
    {
        return std::move(*redis::makeStore(redisSpec(m_cluster.url(), "lock:*")));
    }

    /** The names that a scan showed, sorted, with duplicates. */
    static QByteArrayList seen(const StoreHarness &harness)
    {
        QByteArrayList names;
        for (const Page &page : harness.m_pages) {
            for (const Observation &lock : page.locks)
                names.append(lock.name);
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    bool looksAsItIs(StoreHarness &harness, int moved)
    {
        QList<Subject> subjects;
        for (const QByteArray &key : std::as_const(m_keys))
            subjects.append({0, key});
        subjects.append({0, m_keys.first() + "absent"});
        const QList<Observation> looked = harness.readPoints(subjects);
        int present = 0;
        for (const Observation &lock : looked)
            present += lock.present;
        bool right = looked.size() == subjects.size() && present == 10;
        for (int i = 0; i < 10; ++i) {
            const auto found = harness.inspect(m_keys.at(i));
            right = right && !found.error && found.lock.present &&
                    found.guard.instance == runOf(i < moved ? *m_to : *m_from) &&
                    found.guard.instance == harness.m_info.instanceOf({0, m_keys.at(i)});
        }
        return right;
    }

    bool advance(int stage, const QByteArray &key)
    {
        if (stage == 0)
            m_cluster.beginMove(m_slot, *m_from, *m_to);
        else if (stage == 1)
            return m_cluster.moveKeys(m_slot, *m_from, *m_to, {key});
        else if (!m_cluster.moveKeys(m_slot, *m_from, *m_to))
            return false;
        else
            m_cluster.endMove(m_slot, *m_to);
        return true;
    }

    bool exists(const QByteArray &key)
    {
        return m_from->command({"EXISTS", key}).integer == 1 || asking({"EXISTS", key}).integer == 1;
    }

    QByteArray set(int stage, const QByteArray &key, const QByteArray &value)
    {
        const RedisReply here =
            stage < 1 ? m_from->command({"SET", key, value}) : asking({"SET", key, value});
        return here.bytes;
    }

    /** Runs a command at the node that takes the slot over. */
    RedisReply asking(const QList<QByteArray> &command)
    {
        m_to->command({"ASKING"});
        return m_to->command(command);
    }

    static QByteArray runOf(RedisServer &server)
    {
        const QByteArray info = server.command({"INFO", "server"}).bytes;
        return info.mid(info.indexOf("run_id:") + 7, 40);
    }

    RedisCluster m_cluster;
    QByteArrayList m_keys; ///< of one slot
    int m_tag = 0;
    quint16 m_slot = 0;
    RedisServer *m_from = nullptr;
    RedisServer *m_to = nullptr;
};

LOCKKEEPER_TEST(TestRedisClusterMoves)

} // namespace tst_redis_cluster_moves

#include "tst_redis_cluster_moves.moc"
