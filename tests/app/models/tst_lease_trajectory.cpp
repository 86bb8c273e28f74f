// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/lease_trajectory.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_lease_trajectory {

using namespace lockkeeper;
using app::models::LeaseTrajectory;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kStart = 1'795'000'000 * kSecond;

/** Held since the start, with a deadline `expires` seconds after it, renewed `renewals` times, last at
 * `renewed`. */
domain::LockState lease(qint64 expires, quint32 renewals = 0, qint64 renewed = 0, qint64 gap = 0)
{
    domain::LockState state = tests::heldLock("a");
    state.acquiredUs = kStart;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = kStart + expires * kSecond;
    state.renewals = renewals;
    if (renewals > 0)
        state.renewedUs = kStart + renewed * kSecond;
    state.longestRenewalGapUs = gap * kSecond;
    return state;
}

/** "at:remaining" in seconds from the start; a bar before points that begin a new line. */
QByteArray print(const LeaseTrajectory &trajectory)
{
    QByteArrayList list;
    for (const auto &point : trajectory.points())
        list.append((point.startsAnew ? "|" : "") + QByteArray::number((point.atUs - kStart) / kSecond) +
                    ':' + QByteArray::number(point.remainingUs / kSecond));
    return list.join(' ');
}

} // namespace

class TestLeaseTrajectory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeAloneMakesNoCorners();
    void aRenewalLiftsTheLine();
    void nothingConnectsTwoHolders();
    void freeAndNoExpiryEndTheLine();
    void missedRenewalsAreMarked();
    void runsBackwardsIsIgnored();
    void gapsOpenAndClose();
    void staysWithinItsBounds();
};

void TestLeaseTrajectory::timeAloneMakesNoCorners()
{
    LeaseTrajectory t;
    for (int at = 0; at <= 35; ++at)
        t.add(lease(30), kStart + at * kSecond);
    QCOMPARE(print(t), QByteArray("|0:30 35:-5"));
}

void TestLeaseTrajectory::aRenewalLiftsTheLine()
{
    LeaseTrajectory t;
    t.add(lease(30), kStart);
    t.add(lease(40, 1, 10), kStart + 10 * kSecond);
    t.add(lease(40, 1, 10), kStart + 15 * kSecond);
    QCOMPARE(print(t), QByteArray("|0:30 10:20 10:30 15:25"));
    QCOMPARE(t.renewals(kStart + 15 * kSecond),
             (QList<LeaseTrajectory::Renewal>{{kStart + 10 * kSecond, false}}));
}

void TestLeaseTrajectory::nothingConnectsTwoHolders()
{
    LeaseTrajectory t;
    t.add(lease(30), kStart);
    domain::LockState other = lease(40);
    other.owner = "w2";
    other.acquiredUs = kStart + 5 * kSecond;
    t.add(other, kStart + 5 * kSecond);
    QCOMPARE(print(t), QByteArray("|0:30 5:25 |5:35"));
}

void TestLeaseTrajectory::freeAndNoExpiryEndTheLine()
{
    LeaseTrajectory t;
    t.add(lease(30), kStart);
    domain::LockState endless = lease(0);
    endless.expiry = domain::ExpiryKind::None;
    endless.expiresUs.reset();
    t.add(endless, kStart + 5 * kSecond);
    t.add(endless, kStart + 9 * kSecond);
    t.add(lease(50), kStart + 20 * kSecond);
    t.end(kStart + 22 * kSecond);
    QCOMPARE(print(t), QByteArray("|0:30 5:25 |20:30 22:28"));
}

void TestLeaseTrajectory::missedRenewalsAreMarked()
{
    LeaseTrajectory t;
    t.add(lease(30), kStart);
    t.add(lease(40, 1, 10), kStart + 10 * kSecond);
    t.add(lease(50, 2, 20, 10), kStart + 20 * kSecond);
    const auto missed = [&t](qint64 at) {
        const auto list = t.renewals(kStart + at * kSecond);
        return std::count_if(list.begin(), list.end(), [](const auto &r) { return r.missed; });
    };
    QCOMPARE(missed(39), 0); // less than two intervals: not silent yet
    QCOMPARE(missed(40), 2);
    QCOMPARE(missed(51), 3);
    t.add(lease(85, 3, 55, 35), kStart + 55 * kSecond); // it returned: the missed time stays marked
    QCOMPARE(missed(56), 3);
    QCOMPARE(t.renewals(kStart + 56 * kSecond).last().atUs, kStart + 55 * kSecond);
}

void TestLeaseTrajectory::runsBackwardsIsIgnored()
{
    LeaseTrajectory t;
    t.add(lease(30), kStart + 10 * kSecond);
    t.add(lease(90), kStart + 5 * kSecond);
    QCOMPARE(print(t), QByteArray("|10:20"));
}

void TestLeaseTrajectory::gapsOpenAndClose()
{
    LeaseTrajectory t;
    t.closeGap(kStart);
    QVERIFY(t.gaps().isEmpty());
    t.openGap(kStart);
    t.openGap(kStart + kSecond);
    QCOMPARE(t.gaps().size(), 1);
    QVERIFY(!t.gaps().first().toUs);
    t.closeGap(kStart + 5 * kSecond);
    QCOMPARE(t.gaps().first().toUs, std::optional(kStart + 5 * kSecond));
    t.add(lease(30), kStart + LeaseTrajectory::kSpanUs + 6 * kSecond);
    QVERIFY(t.gaps().isEmpty());
}

void TestLeaseTrajectory::staysWithinItsBounds()
{
    LeaseTrajectory t;
    qint64 now = kStart;
    for (quint32 i = 0; i < 20'000; ++i) {
        now += kSecond / 10;
        domain::LockState state = lease(0, i);
        state.expiresUs = now + 30 * kSecond;
        state.renewedUs = now;
        t.add(state, now);
        QVERIFY(t.points().size() <= LeaseTrajectory::kMaxPoints);
    }
    QVERIFY(t.points().size() > LeaseTrajectory::kMaxPoints / 4);
    QVERIFY(t.points()[1].atUs >= now - LeaseTrajectory::kSpanUs);
    QVERIFY(t.renewals(now).size() <= 2100);
    QVERIFY(std::is_sorted(t.points().begin(), t.points().end(),
                           [](const auto &a, const auto &b) { return a.atUs < b.atUs; }));
}

LOCKKEEPER_TEST(TestLeaseTrajectory)

} // namespace tst_lease_trajectory

#include "tst_lease_trajectory.moc"
