// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/reaper.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QTest>

#include <memory>

namespace tst_reaper {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using domain::Outcome;
using domain::Phase;
using domain::ReleaseSafety;
using domain::StuckReason;
using stores::ReaperMode;
using tests::FakeAudit;
using tests::FakeDirectory;
using tests::FakePort;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kNow = 1'795'000'000 * kSecond;

/** A source with one expired lock, due by a minute, and the reaper of an agent. */
struct World
{
    World()
    {
        directory.port = &port;
        const auto knowledge = [this](const domain::LockKey &, const QByteArray &guard) {
            return guard == lock.guard ? holder : std::nullopt;
        };
        releaser.setHolderKnowledge(knowledge);
        reaper.setHolderKnowledge(knowledge);
        stores::LockSet &set = port.m_spec.locks[0];
        set.scheme = "sql.insert";
        set.reaper = {ReaperMode::Expired, 60 * kSecond, 10, false};
        port.key.scheme = "sql.insert";
        port.source.link = domain::Link::Up;
        port.source.lastSeenWallUs = clock.wallUs();
        port.source.counts.expired = port.source.counts.stuck = 1;
        port.phase = Phase::Expired;
        port.expiresUs = kNow - 60 * kSecond;
        port.storeUs = kNow;
        lock.key = port.key;
        lock.phase = Phase::Expired;
        lock.owner = "alice";
        lock.expiry = domain::ExpiryKind::At;
        lock.expiresUs = kNow - 60 * kSecond;
        lock.seenUs = kNow;
        lock.release.safety = ReleaseSafety::Guarded;
        lock.guard = domain::Guard{port.key, "run-1", port.identity, port.freshness}.digest();
    }
    /** Some steps of the agent's time, with what they leave on the event loop. */
    void steps(int count = 1, qint64 eachUs = 0)
    {
        for (int i = 0; i < count; ++i) {
            clock.advanceUs(eachUs);
            port.source.lastSeenWallUs = clock.wallUs();
            port.storeUs += eachUs;
            if (lock.seenUs)
                lock.seenUs = *lock.seenUs + eachUs;
            if (inTable)
                port.put(lock);
            reaper.step();
            QCoreApplication::processEvents();
        }
    }
    Reaper::Totals totals() const { return reaper.totals().value(QStringLiteral("orders")); }
    stores::ReaperPolicy &policy() { return port.m_spec.locks[0].reaper; }

    tests::FakeClock clock{kNow};
    FakePort port;
    FakeDirectory directory;
    FakeAudit audit;
    Releaser releaser{directory, audit, clock};
    Reaper reaper{directory, releaser, clock};
    domain::LockState lock;
    std::optional<HolderKnowledge> holder; ///< of `lock`
    bool inTable = true;
};

using Change = std::function<void(World &)>;

} // namespace

/** The locks that the policy reaps and those that it never touches. The test decides every store's answer. */
class ReaperTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reapsAsAnOperatorWould();
    void neverTouches_data();
    void neverTouches();
    void stuckIsCountedFromTheFirstLook();
    void deadHolders_data();
    void deadHolders();
    void changedMeanwhileIsLeftAlone_data();
    void changedMeanwhileIsLeftAlone();
    void dryRunWritesToTheAuditAlone();
    void soManyAMinute();
    void refusalsAreTriedMoreAndMoreSeldom();
    void anotherAcquisitionBeginsAnew();
    void longTablesAreReadInSlices();
    void policyMayChange();
    void noAuditNoRelease();
};

void ReaperTest::reapsAsAnOperatorWould()
{
    World w;
    w.steps();
    QCOMPARE(w.port.orders.size(), 1);
    const stores::ReleaseOrder &order = w.port.orders.constFirst();
    QVERIFY(order.checkFreshness && order.mustBeExpired && !order.dryRun);
    QCOMPARE(order.guard.identity, QByteArray("alice#1"));
    QCOMPARE(w.audit.entries.size(), 1);
    const domain::AuditEntry &entry = w.audit.entries.constFirst();
    QCOMPARE(entry.who, QStringLiteral("reaper"));
    QCOMPARE(entry.role, QStringLiteral("policy"));
    QCOMPARE(entry.because, domain::Because::Expired);
    QCOMPARE(entry.outcome, Outcome::Released);
    QCOMPARE(entry.holder, QByteArray("alice"));
    QVERIFY2(entry.reason.contains(QLatin1String("reaper = \"expired\"")), qPrintable(entry.reason));
    QCOMPARE(w.port.attributed.size(), 1);
    QCOMPARE(w.totals(), (Reaper::Totals{1, 0, 0}));
    QVERIFY(!checkCommandId(order.command));
}

void ReaperTest::neverTouches_data()
{
    QTest::addColumn<Change>("change");
    const auto row = [](const char *name, Change change) { QTest::newRow(name) << std::move(change); };
    row("off", [](World &w) { w.policy().mode = ReaperMode::Off; });
    row("not due yet", [](World &w) { w.lock.expiresUs = kNow - 60 * kSecond + 1; });
    row("seen last before it was due", [](World &w) { w.lock.seenUs = kNow - 1; });
    row("within its lease", [](World &w) { w.lock.phase = Phase::Held; });
    row("free", [](World &w) { w.lock.phase = Phase::Free; });
    row("unknown", [](World &w) { w.lock.phase = Phase::Unknown; });
    row("optimistic", [](World &w) { w.lock.phase = Phase::Optimistic; });
    row("no deadline", [](World &w) { w.lock.expiresUs.reset(); });
    row("no identity", [](World &w) {
        w.lock.release = {ReleaseSafety::Off, domain::ReleaseOff::NoIdentity};
    });
    row("no guard", [](World &w) { w.lock.guard.clear(); });
    row("unsafe", [](World &w) { w.lock.release.safety = ReleaseSafety::Unsafe; });
    row("unsafe at the reading", [](World &w) {
        w.port.capability = {ReleaseSafety::Off, domain::ReleaseOff::NoIdentity};
    });
    row("break = never", [](World &w) { w.port.m_spec.locks[0].breakMode = stores::BreakMode::Never; });
    row("a session", [](World &w) { w.lock.session.emplace(); });
    row("stuck, where the policy says expired", [](World &w) {
        w.lock.phase = Phase::Held;
        w.lock.stuck = StuckReason::NoSignOfLife;
    });
    row("expired, where the policy says stuck", [](World &w) { w.policy().mode = ReaperMode::Stuck; });
    row("link down", [](World &w) { w.port.source.link = domain::Link::Down; });
    row("no link", [](World &w) { w.port.linkNumber = 0; });
    row("a gap", [](World &w) { w.port.source.gapSinceUs = 5; });
    row("another lock set", [](World &w) { w.lock.key.place = "db1"; });
    row("nothing in the table", [](World &w) { w.inTable = false; });
}

void ReaperTest::neverTouches()
{
    QFETCH(Change, change);
    World w;
    change(w);
    w.steps(5);
    QCOMPARE(w.port.orders.size(), 0);
    QCOMPARE(w.port.writes, 0);
    QCOMPARE(w.totals().reaped, 0);
}

void ReaperTest::stuckIsCountedFromTheFirstLook()
{
    World w;
    w.policy().mode = ReaperMode::Stuck;
    w.lock.phase = w.port.phase = Phase::Held;
    w.lock.stuck = w.port.stuck = StuckReason::NoSignOfLife;
    w.lock.expiry = domain::ExpiryKind::None;
    w.lock.expiresUs.reset();
    w.steps(60, kSecond);
    QCOMPARE(w.port.orders.size(), 0);
    w.steps(2, kSecond);
    QCOMPARE(w.port.orders.size(), 1);
    QVERIFY(w.port.orders.constFirst().checkFreshness && !w.port.orders.constFirst().mustBeExpired);
    QCOMPARE(w.audit.entries.constFirst().because, domain::Because::Stuck);
    QCOMPARE(w.totals(), (Reaper::Totals{1, 0, 0}));
    // A sign of life in between restarts the delay.
    World other;
    other.policy().mode = ReaperMode::Stuck;
    other.lock.phase = other.port.phase = Phase::Held;
    other.lock.stuck = StuckReason::NoSignOfLife;
    other.steps(50, kSecond);
    other.lock.stuck = StuckReason::None;
    other.steps(3, kSecond);
    other.lock.stuck = StuckReason::NoSignOfLife;
    other.steps(50, kSecond);
    QCOMPARE(other.port.orders.size(), 0);
}

void ReaperTest::deadHolders_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<int>("orders");
    const auto row = [](const char *name, int orders, Change change) {
        QTest::newRow(name) << std::move(change) << orders;
    };
    row("dead and fresh", 1, [](World &) {});
    row("and also stuck by itself", 1,
        [](World &w) { w.lock.stuck = w.port.stuck = StuckReason::NoSignOfLife; });
    row("dead, but not any more by the engine", 0,
        [](World &w) { w.lock.stuck = w.port.stuck = StuckReason::None; });
    row("the policy says stuck", 0, [](World &w) { w.policy().mode = ReaperMode::Stuck; });
    row("the policy says expired", 0, [](World &w) { w.policy().mode = ReaperMode::Expired; });
    row("the policy is off", 0, [](World &w) { w.policy().mode = ReaperMode::Off; });
    row("stuck by itself, and no verdict", 0, [](World &w) {
        w.lock.stuck = w.port.stuck = StuckReason::NoSignOfLife;
        w.holder.reset();
    });
    row("no verdict", 0, [](World &w) { w.holder.reset(); });
    row("an old verdict", 0, [](World &w) { w.holder->isFreshlyDead = false; });
    row("the reading shows no stuck lock", 0, [](World &w) { w.port.stuck = StuckReason::None; });
    row("another acquisition by now", 0, [](World &w) { w.port.identity = "bob#2"; });
    row("without a guard", 0, [](World &w) { w.lock.guard.clear(); });
    row("not to be broken", 0, [](World &w) { w.port.m_spec.locks[0].breakMode = stores::BreakMode::Never; });
    row("only unsafely", 0, [](World &w) { w.lock.release.safety = ReleaseSafety::Unsafe; });
    row("its delay isn't over", 0, [](World &w) { w.policy().delayUs = 600 * kSecond; });
}

void ReaperTest::deadHolders()
{
    QFETCH(Change, change);
    QFETCH(int, orders);
    World w;
    w.policy().mode = ReaperMode::Dead;
    w.lock.phase = w.port.phase = Phase::Held;
    w.lock.stuck = w.port.stuck = StuckReason::HolderGone;
    w.lock.expiresUs = w.port.expiresUs = kNow + 600 * kSecond;
    domain::HolderCheck check;
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = domain::HolderEvidence::PodGone;
    check.target = "shop/orders-7f9";
    w.holder = HolderKnowledge{check, true};
    change(w);
    w.steps(63, kSecond);
    QCOMPARE(w.port.orders.size(), orders);
    if (orders == 0)
        return;
    QVERIFY(w.port.orders.constFirst().checkFreshness && !w.port.orders.constFirst().mustBeExpired);
    const domain::AuditEntry &entry = w.audit.entries.constFirst();
    QCOMPARE(entry.because, domain::Because::Stuck);
    QCOMPARE(entry.outcome, Outcome::Released);
    QVERIFY2(entry.reason.contains(QLatin1String("reaper = \"dead\"")), qPrintable(entry.reason));
    QVERIFY2(entry.detail.contains(QLatin1String("liveness: dead, pod_gone of shop/orders-7f9")),
             qPrintable(entry.detail));
}

void ReaperTest::changedMeanwhileIsLeftAlone_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<int>("sent");
    const auto row = [](const char *name, Outcome outcome, int sent, Change change) {
        QTest::newRow(name) << std::move(change) << outcome << sent;
    };
    row("taken over before the reading", Outcome::HolderChanged, 0,
        [](World &w) { w.port.identity = "bob#2"; });
    row("renewed before the reading", Outcome::Refused, 0, [](World &w) { w.port.phase = Phase::Held; });
    row("renewed before the reading, and past its new deadline", Outcome::HolderChanged, 0, [](World &w) {
        w.port.expiresUs = kNow - 1;
        w.port.freshness = "deadline-2";
    });
    row("gone before the reading", Outcome::AlreadyFree, 0, [](World &w) { w.port.present = false; });
    row("the reply lost", Outcome::Unknown, 1, [](World &w) {
        stores::ReleaseReport report;
        report.outcome = Outcome::Unknown;
        w.port.forced = report;
    });
    row("the holder changed in the operation", Outcome::HolderChanged, 1, [](World &w) {
        stores::ReleaseReport report;
        report.outcome = Outcome::HolderChanged;
        w.port.forced = report;
    });
}

void ReaperTest::changedMeanwhileIsLeftAlone()
{
    QFETCH(Change, change);
    QFETCH(Outcome, outcome);
    QFETCH(int, sent);
    World w;
    change(w);
    w.steps(20);
    QCOMPARE(w.port.orders.size(), sent);
    QCOMPARE(w.port.writes, 0);
    QCOMPARE(w.audit.entries.size(), 1); // once, instead of at every step
    QCOMPARE(w.audit.entries.constFirst().outcome, outcome);
    QCOMPARE(w.totals(), (Reaper::Totals{0, 0, 1}));
}

void ReaperTest::dryRunWritesToTheAuditAlone()
{
    World w;
    w.policy().dryRun = true;
    w.steps(300, kSecond);
    QCOMPARE(w.port.orders.size(), 1); // once for each acquisition
    QVERIFY(w.port.orders.constFirst().dryRun);
    QCOMPARE(w.port.writes, 0);
    QCOMPARE(w.port.attributed.size(), 0);
    QCOMPARE(w.audit.entries.size(), 1);
    const domain::AuditEntry &entry = w.audit.entries.constFirst();
    QCOMPARE(entry.outcome, Outcome::WouldRelease);
    QCOMPARE(domain::outcomeName(entry.outcome).toByteArray(), QByteArray("would_release"));
    QVERIFY(entry.reason.contains(QLatin1String("reaper_dry_run = true")));
    QCOMPARE(entry.role, QStringLiteral("policy"));
    QCOMPARE(w.totals(), (Reaper::Totals{0, 1, 0}));
    // Out of the dry run, it is done at once.
    w.policy().dryRun = false;
    w.steps(2);
    QCOMPARE(w.port.writes, 1);
    QCOMPARE(w.audit.entries.constLast().outcome, Outcome::Released);
    // A dry run reports no "would" for a release that would be refused.
    World refused;
    refused.policy().dryRun = true;
    refused.port.identity = "bob#2";
    refused.steps(3);
    QCOMPARE(refused.audit.entries.size(), 0);
    QCOMPARE(refused.totals(), (Reaper::Totals{0, 0, 1}));
}

void ReaperTest::soManyAMinute()
{
    World w;
    w.policy().mostAMinute = 3;
    w.inTable = false;
    for (int i = 0; i < 20; ++i) {
        domain::LockState one = w.lock;
        one.key.name = QByteArray::number(i);
        w.port.put(one);
    }
    w.port.present = false; // each ends as already free
    w.steps(50);
    QCOMPARE(w.audit.entries.size(), 3);
    w.steps(59, kSecond);
    QCOMPARE(w.audit.entries.size(), 3);
    w.steps(10, kSecond);
    QCOMPARE(w.audit.entries.size(), 6);
}

void ReaperTest::refusalsAreTriedMoreAndMoreSeldom()
{
    World w;
    w.port.capability = {ReleaseSafety::Off, domain::ReleaseOff::NotPermitted};
    w.steps(3'600, kSecond);
    QVERIFY2(w.audit.entries.size() >= 5 && w.audit.entries.size() <= 7,
             qPrintable(QString::number(w.audit.entries.size())));
    QCOMPARE(w.totals().refused, w.audit.entries.size());
}

void ReaperTest::anotherAcquisitionBeginsAnew()
{
    World w;
    w.port.capability = {ReleaseSafety::Off, domain::ReleaseOff::NotPermitted};
    w.steps(3);
    QCOMPARE(w.audit.entries.size(), 1);
    w.port.identity = "bob#2";
    w.lock.guard = domain::Guard{w.port.key, "run-1", "bob#2", w.port.freshness}.digest();
    w.steps(3);
    QCOMPARE(w.audit.entries.size(), 2);
}

void ReaperTest::longTablesAreReadInSlices()
{
    World w;
    w.inTable = false;
    for (int i = 0; i < 10'000; ++i) {
        domain::LockState one = w.lock;
        one.key.name = QByteArray::number(i);
        one.phase = i == 9'999 ? Phase::Expired : Phase::Held;
        w.port.put(one);
    }
    w.steps(4);
    QCOMPARE(w.port.inspections, 0);
    w.steps(3);
    QVERIFY(w.port.inspections == 1);
}

void ReaperTest::policyMayChange()
{
    World w;
    w.policy().mode = ReaperMode::Off;
    w.steps(3);
    w.policy().mode = ReaperMode::Expired;
    w.policy().delayUs = 3'600 * kSecond;
    w.steps(3);
    QCOMPARE(w.port.orders.size(), 0);
    w.policy().delayUs = kSecond;
    w.steps(1);
    QCOMPARE(w.port.orders.size(), 1);
}

void ReaperTest::noAuditNoRelease()
{
    World w;
    w.audit.failBegin = true;
    w.steps(3);
    QCOMPARE(w.port.orders.size(), 0);
    QCOMPARE(w.totals(), (Reaper::Totals{0, 0, 1}));
}

LOCKKEEPER_TEST(ReaperTest)

} // namespace tst_reaper

#include "tst_reaper.moc"
