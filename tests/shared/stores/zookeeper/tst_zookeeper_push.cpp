// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue_client.h"
#include "shared/stores/zookeeper/store/zookeeper_store.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QThread>

#include <algorithm>

namespace tst_zookeeper_push {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::zookeeper;
using namespace lockkeeper::tests;

/** Changes that watches report, on a real ZooKeeper. */
class TestZookeeperPush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void everyChangeOfAQueue();
    void locksThatAppear();
    void whereNothingIsYet();
    void nothingIsLostInABurst();
    void questionsDontSwallowChanges();
    void silenceIsProven();
    void aRightThatIsTakenAwayEndsIt();
    void aBrokenLinkEndsIt();
    void aFrozenServerEndsIt();
    void howSoon();

private:
    std::unique_ptr<StoreHarness> harness(qint64 statementTimeoutMs = 5'000)
    {
        SourceSpec spec = sourceOf(m_server.url(), "zookeeper.sequence", m_root + "/*");
        spec.push = true;
        spec.pollMs = 100;
        spec.statementTimeoutMs = statementTimeoutMs;
        auto store =
            std::make_unique<StoreHarness>(std::make_unique<ZookeeperStore>(spec, ensembleOf(spec).value()));
        connect(&store->store(), &Store::pushed, this,
                [this](const Push &push) { m_changes += push.changes; });
        connect(&store->store(), &Store::pushStateChanged, this,
                [this](const PushState &state) { m_states.append(state); });
        connect(&store->store(), &Store::pageTold, this,
                [this](const Page &page) { m_provenUs = page.endedUs; });
        return store;
    }
    const Change &last() const { return m_changes.constLast(); }
    /** The number of all reported changes, including coalesced changes. */
    qint64 told() const
    {
        qint64 sum = 0;
        for (const Change &change : m_changes)
            sum += 1 + change.coalesced;
        return sum;
    }

    ZookeeperServer m_server;
    std::unique_ptr<QueueClient> m_client;
    QByteArray m_root;
    int m_tests = 0;
    QList<Change> m_changes;
    QList<PushState> m_states;
    qint64 m_provenUs = 0;
};

void TestZookeeperPush::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
    QVERIFY(m_server.start());
}

void TestZookeeperPush::init()
{
    m_changes.clear();
    m_states.clear();
    m_root = "/p" + QByteArray::number(++m_tests);
    m_client = std::make_unique<QueueClient>(m_server.url());
    QVERIFY(m_client->make(m_root) && m_client->make(m_root + "/a"));
}

void TestZookeeperPush::cleanup()
{
    m_client.reset();
}

void TestZookeeperPush::everyChangeOfAQueue()
{
    const auto store = harness();
    QVERIFY(store->open());
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(m_states.constLast().on && m_states.constLast().blind); // until the first scan
    QVERIFY(store->scan());
    QueueClient other(m_server.url());
    const QByteArray first = m_client->place(m_root + "/a/x-");
    QTRY_COMPARE(m_changes.size(), 1);
    QVERIFY(last().lock.held && last().lock.token == m_client->session() && last().coalesced == 0);
    QVERIFY(last().windowUs > 0 && last().windowUs < 5'000'000);
    const QByteArray second = other.place(m_root + "/a/x-");
    QTRY_COMPARE(m_changes.size(), 2);
    QCOMPARE(last().lock.waiters.size(), 1);
    QVERIFY(m_client->remove(first));
    QTRY_COMPARE(m_changes.size(), 3);
    QCOMPARE(last().lock.token, other.session());
    other.close(); // its session ends
    QTRY_COMPARE(m_changes.size(), 4);
    QVERIFY(!last().lock.present && !last().unseen);
}

void TestZookeeperPush::locksThatAppear()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    QVERIFY(m_client->make(m_root + "/b") && m_client->make(m_root + "/b/c"));
    QVERIFY(!m_client->place(m_root + "/b/c/x-").isEmpty());
    QTRY_VERIFY(!m_changes.isEmpty());
    QCOMPARE(last().lock.name, m_root + "/b/c");
    // A lock disappears with its znode, and appears again.
    QueueClient other(m_server.url());
    QVERIFY(other.make(m_root + "/d"));
    const QByteArray place = other.place(m_root + "/d/x-");
    QTRY_COMPARE(last().lock.name, m_root + "/d");
    QVERIFY(other.remove(place) && other.remove(m_root + "/d"));
    QTRY_VERIFY(!last().lock.present);
    QVERIFY(other.make(m_root + "/d") && !other.place(m_root + "/d/x-").isEmpty());
    QTRY_VERIFY(last().lock.present && last().lock.name == m_root + "/d");
}

/** Applications make their paths when they come up. */
void TestZookeeperPush::whereNothingIsYet()
{
    m_root += "/none/yet";
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    const QByteArray parent = m_root.first(m_root.lastIndexOf('/'));
    for (int i = 1; i <= 2; ++i) {
        if (i == 1)
            QVERIFY(m_client->make(parent));
        QVERIFY(m_client->make(m_root) && m_client->make(m_root + "/a"));
        const QByteArray place = m_client->place(m_root + "/a/x-");
        QTRY_VERIFY(!m_changes.isEmpty() && last().lock.held);
        QVERIFY(m_client->remove(place) && m_client->remove(m_root + "/a") && m_client->remove(m_root));
        QTRY_VERIFY(!last().lock.present);
    }
}

void TestZookeeperPush::nothingIsLostInABurst()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    constexpr int kHolds = 300;
    for (int i = 0; i < kHolds; ++i)
        QVERIFY(m_client->remove(m_client->place(m_root + "/a/x-")));
    QTRY_COMPARE(told(), 2 * kHolds); // each acquisition and each release was reported, some of them together
    QVERIFY(!last().lock.present);
}

/** An inspection sees the new state first; the change is still reported. */
void TestZookeeperPush::questionsDontSwallowChanges()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    const auto ask = [&] { // some before the change, some after it, and some with its notification
        for (int i = 0; i < 20; ++i)
            store->store().inspect({0, m_root + "/a"}, [](const Inspection &) {});
    };
    for (int i = 0; i < 50; ++i) {
        ask();
        const QByteArray place = m_client->place(m_root + "/a/x-");
        ask();
        QVERIFY(m_client->remove(place));
        store->readPoints({{0, m_root + "/a"}});
    }
    QTRY_COMPARE(told(), 100);
}

void TestZookeeperPush::silenceIsProven()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    const qint64 scannedUs = store->m_ends.constFirst().endedUs;
    QTRY_VERIFY(m_provenUs > scannedUs);
    const qint64 provenUs = m_provenUs;
    QTRY_VERIFY(m_provenUs > provenUs);
    QVERIFY(m_changes.isEmpty());
}

/** A znode's change was notified, but the znode can't be read: nothing is proven of it any more. */
void TestZookeeperPush::aRightThatIsTakenAwayEndsIt()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    QTRY_VERIFY(!m_states.isEmpty());
    m_states.clear();
    bool made = false;
    const std::unique_ptr<QThread> others(QThread::create([&] { // nothing is read meanwhile
        QueueClient anybody(m_server.url());
        QueueClient owner(m_server.url(QStringLiteral("app")), "secret");
        made = anybody.remove(m_root + "/a") && owner.make(m_root + "/a");
    }));
    others->start();
    QVERIFY(others->wait(60'000));
    QVERIFY(made);
    QTRY_VERIFY(!m_states.isEmpty());
    QVERIFY(m_states.constLast().blind);
    QCOMPARE(m_states.constLast().why.code, base::ErrorCode::PermissionDenied);
}

void TestZookeeperPush::aBrokenLinkEndsIt()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    m_server.kill();
    QVERIFY(store->waitForFailure());
    QVERIFY(m_server.restart());
    QVERIFY(store->open() && store->scan());
    QVERIFY(m_states.constLast().blind);
    m_client = std::make_unique<QueueClient>(m_server.url());
    QVERIFY(!m_client->place(m_root + "/a/x-").isEmpty());
    QTRY_VERIFY(!m_changes.isEmpty() && last().lock.held);
}

/** A frozen server sends nothing. The store detects that, and doesn't mistake it for a release. */
void TestZookeeperPush::aFrozenServerEndsIt()
{
    const auto store = harness(500);
    QVERIFY(store->open() && store->scan());
    QVERIFY(m_client->make(m_root + "/a/x-0000000000"));
    QTRY_COMPARE(m_changes.size(), 1);
    m_server.pause();
    const bool noticed = store->waitForFailure();
    m_server.resume();
    QVERIFY(noticed);
    QVERIFY(QTest::qWaitFor([&] { return store->open() && store->scan(); }));
    QVERIFY(m_states.constLast().blind);
    QVERIFY(store->find(m_root + "/a"));
    QVERIFY(last().lock.present);
}

/** The time from the request for the lock to the reported change. */
void TestZookeeperPush::howSoon()
{
    const auto store = harness();
    QVERIFY(store->open() && store->scan());
    QList<qint64> tookUs;
    QElapsedTimer timer;
    QEventLoop loop;
    connect(&store->store(), &Store::pushed, &loop, [&] {
        tookUs.append(timer.nsecsElapsed() / 1'000);
        loop.quit();
    });
    for (int i = 0; i < 200; ++i) {
        timer.start();
        const QByteArray place = m_client->place(m_root + "/a/x-");
        if (tookUs.size() == i)
            loop.exec();
        QCOMPARE(tookUs.size(), i + 1);
        QVERIFY(m_client->remove(place));
        if (tookUs.size() == i + 1)
            loop.exec();
        tookUs.resize(i + 1); // without that of the release
    }
    std::sort(tookUs.begin(), tookUs.end());
    qInfo("acquired and told in %lld us (p50), %lld us (p99)", tookUs.at(100), tookUs.at(198));
    QVERIFY(tookUs.at(100) < 1'000'000);
}

LOCKKEEPER_TEST(TestZookeeperPush)

} // namespace tst_zookeeper_push

#include "tst_zookeeper_push.moc"
