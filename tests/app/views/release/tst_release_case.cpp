// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/bulk_plan.h"
#include "app/views/release/release_case.h"
#include "app/views/release/release_text.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_release_case {

using namespace lockkeeper;
using namespace lockkeeper::app::views;

namespace {

domain::LockState heldLock(const QByteArray &guard = "g1")
{
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
    state.phase = domain::Phase::Held;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = 10'000'000;
    state.guard = guard;
    state.release.safety = domain::ReleaseSafety::Guarded;
    return state;
}

protocol::Inspected readingOf(const domain::LockState &state)
{
    protocol::Inspected reading;
    reading.present = true;
    reading.state = state;
    reading.ticket = "t";
    return reading;
}

Arming ready()
{
    return {ReleaseCase::Live, 0, 2'000'000, 2'500'000, true, true, false};
}

} // namespace

class TestReleaseCase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void caseOfAReading_data();
    void caseOfAReading();
    void armedOnlyWhenAllHolds_data();
    void armedOnlyWhenAllHolds();
    void reasonSentWithACase();
    void onlyAnExpiredLeaseNeedsNoName();
    void guardNamesADeadlineWhereThereIsOne();
    void bulkLeavesOutWhatIsLive();
    void bulkStopsAtItsLimit();
    void bulkSkipsWhatChangedAtItsTurn();
};

void TestReleaseCase::caseOfAReading_data()
{
    QTest::addColumn<protocol::Inspected>("reading");
    QTest::addColumn<QByteArray>("opened");
    QTest::addColumn<ReleaseCase>("expected");

    QTest::newRow("held") << readingOf(heldLock()) << QByteArray("g1") << ReleaseCase::Live;
    QTest::newRow("first reading decides") << readingOf(heldLock()) << QByteArray() << ReleaseCase::Live;
    QTest::newRow("another acquisition")
        << readingOf(heldLock("g2")) << QByteArray("g1") << ReleaseCase::Changed;

    domain::LockState leftover = heldLock();
    leftover.phase = domain::Phase::Free;
    QTest::newRow("free") << readingOf(leftover) << QByteArray("g1") << ReleaseCase::Gone;
    leftover.nodes = {{"n1", domain::NodeHolds::Other, "t", std::nullopt},
                      {"n2", domain::NodeHolds::Nothing, {}, std::nullopt},
                      {"n3", domain::NodeHolds::Nothing, {}, std::nullopt}};
    QTest::newRow("left on a minority of nodes")
        << readingOf(leftover) << QByteArray("g1") << ReleaseCase::Leftover;
    leftover.release.safety = domain::ReleaseSafety::Off;
    QTest::newRow("left there, and off") << readingOf(leftover) << QByteArray("g1") << ReleaseCase::Off;

    domain::LockState stuck = heldLock();
    stuck.expiry = domain::ExpiryKind::None;
    stuck.expiresUs.reset();
    stuck.stuck = domain::StuckReason::NoExpiry;
    QTest::newRow("stuck") << readingOf(stuck) << QByteArray("g1") << ReleaseCase::Stuck;

    domain::LockState orphan = heldLock();
    orphan.stuck = domain::StuckReason::HolderGone;
    QTest::newRow("its holder is dead") << readingOf(orphan) << QByteArray("g1") << ReleaseCase::HolderGone;
    orphan.phase = domain::Phase::Expired;
    QTest::newRow("its holder is dead, and its lease over")
        << readingOf(orphan) << QByteArray("g1") << ReleaseCase::Expired;

    domain::LockState endless = stuck;
    endless.stuck = domain::StuckReason::None;
    QTest::newRow("no expiry counts as not expired")
        << readingOf(endless) << QByteArray("g1") << ReleaseCase::Live;

    domain::LockState expired = heldLock();
    expired.phase = domain::Phase::Expired;
    QTest::newRow("expired") << readingOf(expired) << QByteArray("g1") << ReleaseCase::Expired;

    domain::LockState bare = heldLock(QByteArray());
    bare.release.safety = domain::ReleaseSafety::Unsafe;
    QTest::newRow("no identity") << readingOf(bare) << QByteArray() << ReleaseCase::NoIdentity;

    domain::LockState off = heldLock();
    off.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::BreakNever};
    QTest::newRow("off") << readingOf(off) << QByteArray("g1") << ReleaseCase::Off;

    domain::LockState connection = stuck;
    connection.key.scheme = "sql.row";
    connection.session = domain::Session();
    QTest::newRow("a connection, even where it is stuck")
        << readingOf(connection) << QByteArray("g1") << ReleaseCase::Connection;
    domain::LockState young = connection;
    young.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::TooYoung};
    QTest::newRow("a connection that can't be killed yet")
        << readingOf(young) << QByteArray("g1") << ReleaseCase::Off;

    domain::LockState free = heldLock();
    free.phase = domain::Phase::Free;
    QTest::newRow("a row that stays, free") << readingOf(free) << QByteArray("g1") << ReleaseCase::Gone;

    protocol::Inspected gone = readingOf(heldLock());
    gone.present = false;
    QTest::newRow("gone") << gone << QByteArray("g1") << ReleaseCase::Gone;

    protocol::Inspected failed = readingOf(heldLock());
    failed.error = base::Error{base::ErrorCode::Unreachable, QStringLiteral("refused"), {}};
    QTest::newRow("unreachable") << failed << QByteArray("g1") << ReleaseCase::Unreachable;
}

void TestReleaseCase::caseOfAReading()
{
    QFETCH(protocol::Inspected, reading);
    QFETCH(QByteArray, opened);
    QFETCH(ReleaseCase, expected);
    QCOMPARE(caseOf(reading, opened), expected);
}

void TestReleaseCase::armedOnlyWhenAllHolds_data()
{
    QTest::addColumn<Arming>("arming");
    QTest::addColumn<bool>("armed");
    const auto row = [](const char *name, bool armed, auto change) {
        Arming arming = ready();
        change(arming);
        QTest::newRow(name) << arming << armed;
    };
    row("all holds", true, [](Arming &) {});
    row("no reason", false, [](Arming &a) { a.hasReason = false; });
    row("name not typed", false, [](Arming &a) { a.nameTyped = false; });
    row("expired needs no name", true, [](Arming &a) {
        a.nameTyped = false;
        a.releaseCase = ReleaseCase::Expired;
    });
    row("sent once", false, [](Arming &a) { a.sent = true; });
    row("guard 5 s old", false, [](Arming &a) { a.readingUs = a.nowUs - 5'000'000; });
    row("guard just under 5 s", true, [](Arming &a) {
        a.nowUs = 9'000'000;
        a.readingUs = a.nowUs - 4'999'999;
    });
    row("shown less than a second ago", false, [](Arming &a) { a.shownUs = a.nowUs - 999'999; });
    for (const ReleaseCase off : {ReleaseCase::Reading, ReleaseCase::Off, ReleaseCase::Changed,
                                  ReleaseCase::Gone, ReleaseCase::Unreachable})
        row(qPrintable(QStringLiteral("case %1").arg(int(off))), false,
            [off](Arming &a) { a.releaseCase = off; });
}

void TestReleaseCase::armedOnlyWhenAllHolds()
{
    QFETCH(Arming, arming);
    QFETCH(bool, armed);
    QCOMPARE(isArmed(arming), armed);
}

void TestReleaseCase::reasonSentWithACase()
{
    QCOMPARE(becauseOf(ReleaseCase::Expired), domain::Because::Expired);
    QCOMPARE(becauseOf(ReleaseCase::Stuck), domain::Because::Stuck);
    QCOMPARE(becauseOf(ReleaseCase::Live), domain::Because::Operator);
    QCOMPARE(becauseOf(ReleaseCase::NoIdentity), domain::Because::Operator);
}

void TestReleaseCase::onlyAnExpiredLeaseNeedsNoName()
{
    QVERIFY(!needsName(ReleaseCase::Expired));
    QVERIFY(needsName(ReleaseCase::Stuck));
    QVERIFY(needsName(ReleaseCase::Live));
    QVERIFY(needsName(ReleaseCase::NoIdentity));
}

void TestReleaseCase::guardNamesADeadlineWhereThereIsOne()
{
    domain::LockState state = heldLock("g1");
    QCOMPARE(ReleaseText::guard(ReleaseCase::Expired, state, false),
             QStringLiteral("this acquisition and its exact deadline (g1…)"));
    state.expiry = domain::ExpiryKind::None;
    state.expiresUs.reset();
    for (const bool pins : {false, true}) {
        state.pinsDeadline = pins;
        QCOMPARE(ReleaseText::guard(ReleaseCase::Stuck, state, false),
                 QStringLiteral("this acquisition as it was read, without a deadline (g1…)"));
        QCOMPARE(ReleaseText::guard(ReleaseCase::Live, state, true),
                 QStringLiteral("this acquisition as it was read, without a deadline (g1…)"));
    }
}

void TestReleaseCase::bulkLeavesOutWhatIsLive()
{
    domain::LockState stuck = heldLock("s");
    stuck.stuck = domain::StuckReason::NoExpiry;
    domain::LockState expired = heldLock("e");
    expired.phase = domain::Phase::Expired;
    domain::LockState unsafe = heldLock(QByteArray());
    unsafe.release.safety = domain::ReleaseSafety::Unsafe;
    domain::LockState free = heldLock("f");
    free.phase = domain::Phase::Free;
    domain::LockState off = heldLock("o");
    off.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::SourceDown};

    domain::LockState connection = stuck;
    connection.key.scheme = "sql.row";
    connection.session = domain::Session();
    domain::LockState restored = stuck; // from the agent's journal, not read since
    restored.guard.clear();
    domain::LockState orphan = heldLock("p"); // a wrong liveness rule must not release many live locks
    orphan.stuck = domain::StuckReason::HolderGone;

    const QList<BulkItem> items =
        planBulk({heldLock("l"), stuck, expired, unsafe, free, off, connection, restored, orphan});
    QCOMPARE(items.size(), 9);
    QCOMPARE(items.at(8).skip, Skip::Live);
    QCOMPARE(items.at(7).skip, Skip::NoIdentity);
    QCOMPARE(items.at(6).skip, Skip::Connection);
    QCOMPARE(items.at(0).skip, Skip::Live);
    QCOMPARE(items.at(1).skip, Skip::None);
    QCOMPARE(items.at(2).skip, Skip::None);
    QCOMPARE(items.at(3).skip, Skip::NoIdentity);
    QCOMPARE(items.at(4).skip, Skip::Gone);
    QCOMPARE(items.at(5).skip, Skip::Off);
    QCOMPARE(willRelease(items), 2);
    QVERIFY(!items.at(0).ticked);
    QVERIFY(items.at(1).ticked);
}

void TestReleaseCase::bulkStopsAtItsLimit()
{
    QList<domain::LockState> many;
    for (int i = 0; i < kBulkLimit + 7; ++i) {
        domain::LockState stuck = heldLock(QByteArray::number(i));
        stuck.stuck = domain::StuckReason::NoExpiry;
        many.append(stuck);
    }
    const QList<BulkItem> items = planBulk(many);
    QCOMPARE(willRelease(items), kBulkLimit);
    QCOMPARE(items.last().skip, Skip::TooMany);
}

void TestReleaseCase::bulkSkipsWhatChangedAtItsTurn()
{
    domain::LockState stuck = heldLock("planned");
    stuck.stuck = domain::StuckReason::NoExpiry;
    QCOMPARE(skipOf(readingOf(stuck), "planned"), Skip::None);
    QCOMPARE(skipOf(readingOf(stuck), "another"), Skip::Changed);
    domain::LockState renewed = heldLock("planned");
    QCOMPARE(skipOf(readingOf(renewed), "planned"), Skip::Live);
    protocol::Inspected gone = readingOf(stuck);
    gone.present = false;
    QCOMPARE(skipOf(gone, "planned"), Skip::Gone);
}

LOCKKEEPER_TEST(TestReleaseCase)

} // namespace tst_release_case

#include "tst_release_case.moc"
