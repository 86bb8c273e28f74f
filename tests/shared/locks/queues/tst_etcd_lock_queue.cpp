// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/deletion_watch.h"
#include "tests/shared/locks/queues/queue_cases.h"
#include "tests/support/etcd_server.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>

#include <atomic>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace tst_etcd_lock_queue {
static std::atomic<int> sleptS = 0; ///< this machine, as far as this program sees
}

extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept
{
    const int result = int(::syscall(SYS_clock_gettime, clock, now));
    if (result == 0 && clock == CLOCK_BOOTTIME)
        now->tv_sec += tst_etcd_lock_queue::sleptS;
    return result;
}

namespace tst_etcd_lock_queue {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The lock library in etcd's queues. */
class TestEtcdLockQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!EtcdServer::isInstalled())
            QSKIP(EtcdServer::absent());
        QVERIFY(m_etcd.start());
        m_rig.spec.url = m_etcd.url();
        stores::LockSet set;
        set.scheme = "etcd.lease";
        m_rig.spec.locks = {set};
        m_rig.line = [this](const QByteArray &name) {
            const QByteArray keys =
                m_etcd.ctl({QStringLiteral("get"), QStringLiteral("--prefix"), QString::fromUtf8(name + '/'),
                            QStringLiteral("--keys-only"), QStringLiteral("--sort-by=CREATE")});
            QList<QByteArray> line;
            for (const QByteArray &key : keys.split('\n')) {
                if (!key.isEmpty())
                    line.append(key);
            }
            return line;
        };
        m_rig.remove = [this](const QByteArray &, const QByteArray &key) {
            m_etcd.ctl({QStringLiteral("del"), QString::fromUtf8(key)});
        };
    }
    void theyComeInOrder() { inOrder(m_rig, "q/order"); }
    void leaving() { whoLeavesLetsNobodyIn(m_rig, "q/leave"); }
    void places() { placesThatAreTakenAway(m_rig, "q/taken"); }
    void behindEtcdctlAndBeforeIt();
    void aMemberThatIsRestarted();
    void whoLeavesDuringARestartLeavesNothing();
    void aManagerThatGoesFirst();
    void aWatchThatGoesSilent();
    void aMachineThatSlept();
    void endings();
    void whatCameBeforeTheQuestionIsToldAgain();

private:
    EtcdServer m_etcd;
    QueueRig m_rig;
};

void TestEtcdLockQueue::behindEtcdctlAndBeforeIt()
{
    const auto manager = m_rig.manager("one");
    QVERIFY(manager);
    EtcdctlLock theirs(m_etcd, QStringLiteral("q/both"));
    QVERIFY(!theirs.key().isEmpty());
    QList<int> order;
    Waiter ours(*manager, "q/both", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/both").size(), 2, 20'000);
    EtcdctlLock last(m_etcd, QStringLiteral("q/both"));
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/both").size(), 3, 20'000);
    QVERIFY(order.isEmpty());
    theirs.release();
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    QVERIFY(ours.lock->isHeld() && !last.holds());
    QVERIFY(ours.release());
    QVERIFY(!last.key().isEmpty());
}

/** A waiter keeps waiting, at the same place in the queue. */
void TestEtcdLockQueue::aMemberThatIsRestarted()
{
    const auto one = m_rig.manager("one");
    QVERIFY(one);
    QList<int> order;
    Waiter first(*one, "q/restart", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    Waiter second(*one, "q/restart", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/restart").size(), 2, 20'000);
    EtcdctlLock last(m_etcd, QStringLiteral("q/restart"), 60);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/restart").size(), 3, 20'000);
    m_etcd.kill();
    Waiter meanwhile(*one, "q/meanwhile", order, 3, std::chrono::seconds(2));
    QTRY_VERIFY_WITH_TIMEOUT(meanwhile.answer.has_value(), 20'000); // the waiter has asked, in vain
    QVERIFY(m_etcd.restart());
    QVERIFY(first.lock->isHeld());
    // The client may release the lock in the server, or lose it there first.
    const auto hasLeft = [&] { return first.release() || !first.lock->isHeld(); };
    QTRY_VERIFY_WITH_TIMEOUT(hasLeft(), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(order, (QList<int>{1, 2}), 40'000);
    QVERIFY(second.release());
}

/** A place that can't be released during the restart is released later. Otherwise it would block everybody
 * until its lease expires. */
void TestEtcdLockQueue::whoLeavesDuringARestartLeavesNothing()
{
    const auto one = m_rig.manager("one");
    auto two = m_rig.manager("two");
    QVERIFY(one && two);
    QList<int> order;
    Waiter first(*one, "q/left", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    const QList<QByteArray> holder = m_rig.line("q/left");
    const auto second = *two->lock("q/left", {std::chrono::seconds(300), true});
    std::stop_source stop;
    bool told = false;
    second->acquire(
        {}, [&told](const base::Result<bool> &) { told = true; }, stop.get_token());
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/left").size(), 2, 20'000);
    m_etcd.kill();
    stop.request_stop();
    QTRY_VERIFY_WITH_TIMEOUT(told, 20'000);
    QVERIFY(m_etcd.restart());
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/left"), holder, 20'000);
    // A program may end once no request is in flight any more.
    Waiter impatient(*two, "q/left", order, 3, std::chrono::milliseconds(100));
    QTRY_VERIFY_WITH_TIMEOUT(impatient.answer.has_value(), 20'000);
    two->whenIdle([&two] { two.reset(); });
    QTRY_VERIFY_WITH_TIMEOUT(!two, 20'000);
    QCOMPARE(m_rig.line("q/left"), holder);
    QVERIFY(first.release());
}

void TestEtcdLockQueue::aManagerThatGoesFirst()
{
    SlowLink link(quint16(m_etcd.url().port()));
    QueueRig behind = m_rig;
    behind.spec.url.setPort(link.port());
    const auto one = m_rig.manager("one");
    auto two = behind.manager("two");
    QVERIFY(one && two);
    QList<int> order;
    Waiter first(*one, "q/gone", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    Waiter second(*two, "q/gone", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/gone").size(), 2, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(link.connections() >= 2, 20'000); // requests, and the watch
    two.reset();
    QTRY_VERIFY_WITH_TIMEOUT(second.answer.has_value(), 20'000);
    QVERIFY(!*second.answer);
    QVERIFY(first.release());
}

/** As behind a router that has forgotten the connection: neither the waiter nor the next one in the queue is
 * notified. */
void TestEtcdLockQueue::aWatchThatGoesSilent()
{
    SlowLink link(quint16(m_etcd.url().port()));
    QueueRig behind = m_rig;
    behind.spec.url.setPort(link.port());
    const auto one = m_rig.manager("one");
    const auto two = behind.manager("two");
    QVERIFY(one && two);
    QList<int> order;
    Waiter first(*one, "q/silent", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    Waiter second(*two, "q/silent", order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/silent").size(), 2, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(link.connections() >= 2, 20'000); // requests, and the watch
    Waiter third(*two, "q/silent", order, 3);
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/silent").size(), 3, 20'000);
    link.hush();
    QVERIFY(first.release());
    QTRY_COMPARE_WITH_TIMEOUT(order.value(1), 2, 40'000);
    QVERIFY(second.release());
    QTRY_COMPARE_WITH_TIMEOUT(order.value(2), 3, 40'000);
    QVERIFY(third.release());
}

/** The machine sleeps while the client queues. etcd's lease runs on, so only its remaining time counts. */
void TestEtcdLockQueue::aMachineThatSlept()
{
    const auto manager = m_rig.manager("one");
    QVERIFY(manager);
    QList<int> order;
    Waiter first(*manager, "q/slept", order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    const auto second = *manager->lock("q/slept", {std::chrono::seconds(300), true});
    std::chrono::microseconds left(0); // the lease is renewed at once
    second->acquire({}, [&](const base::Result<bool> &result) {
        if (result && *result)
            left = second->remaining();
    });
    QTRY_COMPARE_WITH_TIMEOUT(m_rig.line("q/slept").size(), 2, 20'000);
    sleptS = 200;
    const auto awake = qScopeGuard([] { sleptS = 0; });
    (void)first.release(); // or the lock is already lost
    QTRY_VERIFY_WITH_TIMEOUT(left.count() > 0, 20'000);
    QVERIFY(left <= std::chrono::seconds(100));
}

/** Also when the answer is a time-out. */
void TestEtcdLockQueue::endings()
{
    endsInItsAnswer(m_rig, "q/ends");
    m_etcd.pause();
    const auto goesOn = qScopeGuard([this] { m_etcd.resume(); });
    endsInItsAnswer(m_rig, "q/ends");
}

/** A read's answer may arrive after the watch has reported a later change. */
void TestEtcdLockQueue::whatCameBeforeTheQuestionIsToldAgain()
{
    for (const char *key : {"w/1", "w/2", "z/1"})
        m_etcd.ctl({QStringLiteral("put"), QLatin1String(key), QString()});
    const QByteArray read =
        m_etcd.ctl({QStringLiteral("get"), QStringLiteral("w/1"), QStringLiteral("--write-out=json")});
    const qint64 revision = QJsonDocument::fromJson(read)
                                .object()
                                .value(QLatin1String("header"))
                                .toObject()
                                .value(QLatin1String("revision"))
                                .toInteger();
    QVERIFY(revision > 0);
    const auto remove = [this](const char *key) { m_etcd.ctl({QStringLiteral("del"), QLatin1String(key)}); };
    locks::etcd::DeletionWatch watch(*stores::etcd::endpointsOf(m_rig.spec), {});
    QByteArrayList gone;
    const auto await = [&](const char *key) {
        const QByteArray name(key);
        watch.await(key, name.first(2), name, revision, [&gone, name] { gone.append(name); });
    };
    const char *last = "w/1";
    const char *other = "z/1";
    await(last);
    await(other);
    remove("w/2"); // nobody has asked for it yet
    remove(other);
    QTRY_COMPARE_WITH_TIMEOUT(gone, QByteArrayList{"z/1"}, 20'000); // so this deletion was reported, too
    await("w/2");
    QTRY_COMPARE_WITH_TIMEOUT(gone, (QByteArrayList{"z/1", "w/2"}), 20'000);
    // A deletion that a read showed before the watch reported it is usually on its way.
    watch.mistrust("w/");
    QCOMPARE(gone.size(), 2);
    remove(last);
    QTRY_COMPARE_WITH_TIMEOUT(gone.size(), 3, 20'000);
}

LOCKKEEPER_TEST(TestEtcdLockQueue)

} // namespace tst_etcd_lock_queue

#include "tst_etcd_lock_queue.moc"
