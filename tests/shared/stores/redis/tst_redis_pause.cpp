// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_sentinel.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

namespace tst_redis_pause {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

namespace {

constexpr int kLocks = 3'000;
const QByteArray kOne("lock:0");

QByteArray nameOf(int i)
{
    return "lock:" + QByteArray::number(i);
}

void fill(RedisServer &server)
{
    RedisPlain plain(server.socketPath());
    for (int i = 0; i < kLocks; ++i)
        plain.append({"SET", nameOf(i), "token", "PX", "1000000"});
    for (int i = 0; i < kLocks; ++i)
        plain.next();
}

} // namespace

/** Store::setPaused() for every way in which a Redis source is reached. */
class TestRedisPause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPausedScanWaits_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"server", "sentinel", "cluster", "redlock"})
            QTest::newRow(kind) << QByteArray(kind);
    }
    void aPausedScanWaits()
    {
        QFETCH(QByteArray, kind);
        StoreHarness harness(make(kind));
        QVERIFY(harness.open());
        Store &store = harness.store();
        QSet<QByteArray> seen;
        QList<Page> pages;
        QList<ScanEnd> ends;
        const auto take = [&](const Page &page) {
            if (pages.isEmpty())
                store.setPaused(true); // like the agent: from within the callback
            pages.append(page);
            for (const Observation &lock : page.locks)
                seen.insert(lock.name);
        };
        store.scan(take, [&](const ScanEnd &end) { ends.append(end); });
        QTRY_VERIFY(!pages.isEmpty());
        QVERIFY(questionsAreAnswered(harness)); // after these answers the scan has no request in progress
        const qsizetype held = seen.size();
        QVERIFY2(held < kLocks / 2, qPrintable(QString::number(held)));
        const qsizetype pagesBefore = pages.size();
        QVERIFY(questionsAreAnswered(harness));
        QCOMPARE(pages.size(), pagesBefore);
        QVERIFY(ends.isEmpty() && harness.m_failures.isEmpty());
        const qint64 resumedUs = harness.inspect(kOne).storeUs;

        store.setPaused(false);
        QTRY_COMPARE_WITH_TIMEOUT(ends.size(), 1, 20'000);
        QVERIFY(ends.first().complete);
        QCOMPARE(seen.size(), kLocks);
        for (qsizetype i = pagesBefore; i < pages.size();
             ++i) // read then, instead of at the time of the request
            QVERIFY(pages.at(i).beganUs >= resumedUs - kClocksApartUs);
        QVERIFY(ends.first().beganUs <= pages.first().endedUs);
        QVERIFY(ends.first().endedUs >= resumedUs - kClocksApartUs);
    }

    void aScanBegunWhilePausedWaits()
    {
        StoreHarness harness(make("server"));
        harness.store().setPaused(true); // before there is a link
        QVERIFY(harness.open());
        bool any = false;
        QList<ScanEnd> ends;
        harness.store().scan([&](const Page &) { any = true; },
                             [&](const ScanEnd &end) { ends.append(end); });
        QVERIFY(questionsAreAnswered(harness));
        QVERIFY(!any && ends.isEmpty());
        harness.store().setPaused(false);
        QTRY_COMPARE(ends.size(), 1);
        QVERIFY(any && ends.first().complete);
    }

    /** Like a Redlock that was down and is up again: the abandoned scan doesn't hide the other one from a
     * pause and resume. */
    void aScanThatWasLeftBehindEnds()
    {
        StoreHarness harness(make("server"));
        QVERIFY(harness.open());
        QList<ScanEnd> left;
        QList<ScanEnd> ends;
        const auto page = [](const Page &) {};
        harness.store().setPaused(true);
        harness.store().scan(page, [&](const ScanEnd &end) { left.append(end); });
        harness.store().scan(page, [&](const ScanEnd &end) { ends.append(end); });
        QTRY_COMPARE(left.size(), 1);
        QVERIFY(!left.first().complete && ends.isEmpty());
        harness.store().setPaused(false);
        QTRY_COMPARE(ends.size(), 1);
        QVERIFY(ends.first().complete);
        QCOMPARE(left.size(), 1);
    }

    void aPausedScanEndsWithTheLink()
    {
        RedisServer server;
        QVERIFY(server.start());
        fill(server);
        StoreHarness harness(std::move(*redis::makeStore(specOf(server.url()))));
        QVERIFY(harness.open());
        QList<ScanEnd> ends;
        harness.store().setPaused(true);
        harness.store().scan([](const Page &) {}, [&](const ScanEnd &end) { ends.append(end); });
        QVERIFY(questionsAreAnswered(harness));
        QVERIFY(ends.isEmpty());
        server.kill();
        QVERIFY(harness.waitForFailure());
        QTRY_COMPARE(ends.size(), 1);
        QVERIFY(!ends.first().complete);
        harness.store().setPaused(false);
        QVERIFY(questionsAreAnswered(harness));
        QCOMPARE(ends.size(), 1);
    }

private:
    static constexpr qint64 kClocksApartUs = 100'000; ///< several servers' brackets are one engine's estimate

    static SourceSpec specOf(const QUrl &url)
    {
        SourceSpec spec = redisSpec(url, "lock:*");
        spec.pageSize = 50;
        return spec;
    }

    /** More turns, of every node, than a page takes from its SCAN to its last key. */
    static bool questionsAreAnswered(StoreHarness &harness)
    {
        for (int i = 0; i < 40; ++i)
            harness.inspect(nameOf(i));
        return true;
    }

    std::unique_ptr<Store> make(const QByteArray &kind)
    {
        if (kind == "redlock") {
            if (!m_nodes.start(3))
                return nullptr;
            for (int i = 0; i < 3; ++i)
                fill(m_nodes.at(i));
            SourceSpec spec = m_nodes.spec();
            spec.pageSize = 50;
            return std::move(*redis::makeRedlockStore(spec));
        }
        if (kind == "cluster") {
            if (!m_cluster.start())
                return nullptr;
            for (int i = 0; i < kLocks; ++i)
                m_cluster.command(nameOf(i), {"SET", nameOf(i), "token", "PX", "1000000"});
            return std::move(*redis::makeStore(specOf(m_cluster.url())));
        }
        if (kind == "sentinel") {
            if (!m_trio.start())
                return nullptr;
            fill(m_trio.m_one);
            return std::move(*redis::makeStore(specOf(m_trio.url())));
        }
        if (m_server.pid() == 0 && !m_server.start())
            return nullptr;
        fill(m_server);
        return std::move(*redis::makeStore(specOf(m_server.url())));
    }

    RedisServer m_server;
    SentinelTrio m_trio;
    RedisCluster m_cluster;
    RedlockNodes m_nodes;
};

LOCKKEEPER_TEST(TestRedisPause)

} // namespace tst_redis_pause

#include "tst_redis_pause.moc"
