// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/recipes.h"
#include "tests/shared/locks/queues/queue_cases.h"
#include "tests/shared/stores/zookeeper/queue_client.h"
#include "tests/support/foreign_client.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QDataStream>
#include <QHostAddress>
#include <QTcpSocket>

#include <algorithm>

namespace tst_zookeeper_lock_queue {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using stores::zookeeper::placeOf;

/** The lock library in ZooKeeper's queues. */
class TestZookeeperLockQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!ZookeeperServer::isInstalled())
            QSKIP(ZookeeperServer::absent());
        QVERIFY(m_server.start());
        m_rig.spec.url = m_server.url();
        stores::LockSet set;
        set.scheme = "zookeeper.sequence";
        m_rig.spec.locks = {set};
        m_client = std::make_unique<QueueClient>(m_server.url());
        QVERIFY(m_client->isOpen());
        m_rig.line = [this](const QByteArray &name) {
            QList<QByteArray> line = m_client->children(name).children;
            std::sort(line.begin(), line.end(), [](const QByteArray &a, const QByteArray &b) {
                return placeOf(a)->sequence < placeOf(b)->sequence;
            });
            return line;
        };
        m_rig.remove = [this](const QByteArray &name, const QByteArray &place) {
            QVERIFY(m_client->remove(name + '/' + place));
        };
    }
    void theyComeInOrder() { inOrder(m_rig, "/made/on/the/way"); }
    void leaving() { whoLeavesLetsNobodyIn(m_rig, "/leave"); }
    void places() { placesThatAreTakenAway(m_rig, "/taken"); }
    void endings();
    void behindKazooAndBeforeIt();
    void behindAPlaceThatIsWrittenTo();
    void leavingAPlaceThatIsWrittenTo();
    void belowARootThatIsMissing();
    void aServerThatIsRestarted();
    void aBrokenLinkIsToldAtOnce_data();
    void aBrokenLinkIsToldAtOnce();
    void aServerWithoutItsLeaderRenewsNothing();

private:
    void writeInto(const QByteArray &place);

    ZookeeperServer m_server;
    std::unique_ptr<QueueClient> m_client;
    QueueRig m_rig;
};

void TestZookeeperLockQueue::endings()
{
    endsInItsAnswer(m_rig, "/ends");
    QueueRig nobody = m_rig;
    nobody.spec.url.setPort(1);
    nobody.spec.connectTimeoutMs = 1'000;
    endsInItsAnswer(nobody, "/ends");
}

void TestZookeeperLockQueue::behindKazooAndBeforeIt()
{
    ForeignProgram clients("kazoo", "python");
    clients.start({{QStringLiteral("ZOOKEEPER"), m_server.address()}});
    if (!clients.isReady())
        QSKIP(qPrintable(clients.why));
    const auto manager = m_rig.manager("one");
    QVERIFY(manager);
    QVERIFY(clients.ask("lock acquire /both 4000").startsWith("acquired"));
    QList<int> order;
    Waiter ours(*manager, "/both", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/both").size(), 2, 20'000);
    QCOMPARE(clients.ask("lock#2 take /both"), QByteArray("waiting"));
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/both").size(), 3, 20'000);
    QVERIFY(order.isEmpty());
    QCOMPARE(clients.ask("lock release"), QByteArray("released"));
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    QVERIFY(ours.lock->isHeld());
    QVERIFY(ours.release());
    QVERIFY(clients.waited().startsWith("got 0x"));
    QCOMPARE(clients.ask("lock#2 release"), QByteArray("released"));
}

/** Writes like Curator's Revoker, which asks a holder for its lock. */
void TestZookeeperLockQueue::writeInto(const QByteArray &place)
{
    // A session, then its request 1, a write (5) of any version. Each packet follows its length.
    QByteArray session;
    QByteArray request;
    QDataStream(&session, QIODevice::WriteOnly)
        << qint32(0) << qint64(0) << qint32(10'000) << qint64(0) << QByteArray(16, '\0');
    QDataStream(&request, QIODevice::WriteOnly)
        << qint32(1) << qint32(5) << place << QByteArray("__REVOKE__") << qint32(-1);
    QTcpSocket writer;
    writer.connectToHost(QHostAddress(QHostAddress::LocalHost), quint16(m_server.url().port()));
    QVERIFY(writer.waitForConnected());
    QDataStream packets(&writer);
    packets << session << request;
    QTRY_COMPARE_WITH_TIMEOUT(m_client->get(place).stat.version, 1, 20'000);
}

/** The watch on a place fires for the write, and for nothing after it. */
void TestZookeeperLockQueue::behindAPlaceThatIsWrittenTo()
{
    const auto manager = m_rig.manager("one");
    QVERIFY(manager);
    QVERIFY(m_client->make("/written"));
    const QByteArray before = m_client->place("/written/x__lock__");
    QList<int> order;
    Waiter second(*manager, "/written", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/written").size(), 2, 20'000);
    writeInto(before);
    QVERIFY(order.isEmpty());
    QVERIFY(m_client->remove(before));
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{2}, 20'000);
}

/** The place has another version after the write. */
void TestZookeeperLockQueue::leavingAPlaceThatIsWrittenTo()
{
    const auto manager = m_rig.manager("one");
    QVERIFY(manager);
    QList<int> order;
    Waiter first(*manager, "/rewritten", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    auto second = std::make_unique<Waiter>(*manager, "/rewritten", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/rewritten").size(), 2, 20'000);
    writeInto("/rewritten/" + m_rig.line("/rewritten").constLast());
    second.reset();
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/rewritten").size(), 1, 20'000);
    QVERIFY(first.release());
}

/** The client doesn't create the missing root; every attempt reports `NotFound`. */
void TestZookeeperLockQueue::belowARootThatIsMissing()
{
    QueueRig below = m_rig;
    below.spec.url.setPath(QStringLiteral("/nowhere"));
    const auto manager = below.manager("one");
    QVERIFY(manager);
    const auto lock = *manager->lock("/a");
    QList<base::ErrorCode> told;
    const auto note = [&told](const base::Result<bool> &result) {
        told.append(result ? base::ErrorCode::Unknown : result.error().code);
    };
    lock->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, QList<base::ErrorCode>{base::ErrorCode::NotFound}, 20'000);
    lock->acquire({}, note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, 20'000);
    QCOMPARE(told.constLast(), base::ErrorCode::NotFound);
}

/** The session ends with its connection: the lock that it held is lost, and the waiter queues again. */
void TestZookeeperLockQueue::aServerThatIsRestarted()
{
    const auto one = m_rig.manager("one");
    const auto two = m_rig.manager("two");
    QVERIFY(one && two);
    QList<int> order;
    auto first = std::make_unique<Waiter>(*one, "/restart", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    Waiter second(*two, "/restart", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("/restart").size(), 2, 20'000);
    QSignalSpy lost(first->lock.get(), &locks::Lock::lost);
    QVERIFY(m_server.restart());
    m_client = std::make_unique<QueueClient>(m_server.url());
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 40'000);
    QVERIFY(!first->lock->isHeld());
    QTRY_COMPARE_WITH_TIMEOUT(order, (QList<int>{1, 2}), 60'000);
    QVERIFY(second.lock->isHeld());
}

void TestZookeeperLockQueue::aBrokenLinkIsToldAtOnce_data()
{
    QTest::addColumn<bool>("waits");
    QTest::newRow("tried") << false;
    QTest::newRow("waited for") << true;
}

/** The holder is notified long before a renewal would detect it. Others wait until the session ends. */
void TestZookeeperLockQueue::aBrokenLinkIsToldAtOnce()
{
    QFETCH(bool, waits);
    ZookeeperServer server;
    QVERIFY(server.start("maxSessionTimeout=120000\n"));
    SlowLink link(quint16(server.url().port()));
    QueueRig far = m_rig;
    far.spec.url = server.url();
    far.spec.url.setPort(link.port());
    const auto manager = far.manager("far");
    QVERIFY(manager);
    const locks::LockOptions options{std::chrono::seconds(120), true};
    const auto lock = *manager->lock("/far", options);
    const auto other = *manager->lock("/given-back", options);
    QSignalSpy lost(lock.get(), &locks::Lock::lost);
    QSignalSpy otherLost(other.get(), &locks::Lock::lost);
    QList<bool> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result.value_or(false)); };
    if (waits)
        lock->acquire(std::nullopt, note);
    else
        lock->tryAcquire(note);
    other->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, true}), 20'000);
    other->release(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 3, 20'000);
    const std::stop_token end = lock->lostToken();
    QVERIFY(lock->isHeld() && !end.stop_requested());
    link.cut();
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 30'000);
    QVERIFY(end.stop_requested() && !lock->isHeld());
    QCOMPARE(lost.first().first().value<base::Error>().code, base::ErrorCode::ConnectionLost);
    QueueClient near(server.url());
    QVERIFY(near.isOpen());
    QCOMPARE(near.children("/far").children.size(), 1);
    QVERIFY(otherLost.isEmpty());
}

/** It answers what it has by itself, for syncLimit ticks, while the others may end its sessions. */
void TestZookeeperLockQueue::aServerWithoutItsLeaderRenewsNothing()
{
    const auto servers = ZookeeperServer::ensemble(3);
    QCOMPARE(servers.size(), 3U);
    const bool firstLeads = servers[0]->isLeader();
    int leaders = 0;
    for (const auto &server : servers)
        leaders += server->isLeader() ? 1 : 0;
    QCOMPARE(leaders, 1);
    const ZookeeperServer &follower = *servers[firstLeads ? 1 : 0];
    QueueRig cutOff = m_rig;
    cutOff.spec.url = follower.url();
    const auto manager = cutOff.manager("one");
    QVERIFY(manager);
    const auto lock = *manager->lock("/cut-off", {std::chrono::seconds(10), false});
    QList<bool> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result.value_or(false)); };
    lock->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, QList<bool>{true}, 20'000);
    lock->renew(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, true}), 20'000);
    for (const auto &server : servers) {
        if (server->isLeader())
            server->pause();
    }
    lock->renew(note);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 3, 30'000);
    QVERIFY(!told.constLast());
}

LOCKKEEPER_TEST(TestZookeeperLockQueue)

} // namespace tst_zookeeper_lock_queue

#include "tst_zookeeper_lock_queue.moc"
