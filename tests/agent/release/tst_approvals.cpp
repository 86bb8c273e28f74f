// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/approvals.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_approvals {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using namespace lockkeeper::tests;
using domain::Outcome;
using protocol::ReleaseResult;
using stores::ApprovalMode;
using ApprovalState = domain::ApprovalRequest::ApprovalState;

constexpr qint64 kMinuteUs = 60'000'000;

namespace {

/** One scripted lock that takes two persons; eve operates, ann and bob approve, and may each lose it. */
struct World
{
    FakeClock clock;
    FakePort port;
    FakeDirectory directory;
    FakeAudit audit;
    Releaser releaser{directory, audit, clock};
    QHash<QString, Role> roles{{QStringLiteral("eve"), Role::Operator},
                               {QStringLiteral("ann"), Role::Approver},
                               {QStringLiteral("bob"), Role::Approver},
                               {QStringLiteral("vic"), Role::Viewer}};
    Approvals approvals{releaser, audit, clock, [this](const agent::access::Identity &who) {
                            return roles.contains(who.user) ? domain::grantsFor(roles.value(who.user))
                                                            : domain::Grants();
                        }};
    QList<ReleaseResult> answers;   ///< to the requester
    QList<ReleaseResult> decisions; ///< to the approver
    QList<domain::ApprovalRequest> news;

    explicit World(ApprovalMode mode = ApprovalMode::Always)
    {
        directory.port = &port;
        port.m_spec.locks[0].approval = mode;
        QObject::connect(&approvals, &Approvals::changed, &approvals,
                         [this](const domain::ApprovalRequest &request) { news.append(request); });
    }
    Asker asker(const char *name, agent::access::Identity::LoginWay way = {}) const
    {
        const QString user = QString::fromLatin1(name);
        return {{way, user, {}}, domain::grantsFor(roles.value(user)), std::make_shared<TicketBox>()};
    }
    void ask(const char *who = "eve", char command = 'a', bool ifNotRenewed = false)
    {
        ask(who, QByteArray(32, command), ifNotRenewed);
    }
    void ask(const char *who, const QByteArray &command, bool ifNotRenewed = false)
    {
        protocol::ForceRelease order;
        order.id = 7;
        order.command = command;
        order.key = port.key;
        order.holder = port.owner;
        order.ifNotRenewed = ifNotRenewed;
        order.reason = QStringLiteral("the job is dead");
        releaser.release(order, asker(who), [this](const ReleaseResult &result) { answers.append(result); });
    }
    void decide(const char *who, bool approve, qint64 request = 1,
                agent::access::Identity::LoginWay way = agent::access::Identity::LoginWay::Local)
    {
        approvals.decide({9, request, approve, QStringLiteral("no")}, asker(who, way),
                         [this](const ReleaseResult &result) { decisions.append(result); });
    }
    events::LockEvent event(events::EventKind kind, const QByteArray &guard = {}) const
    {
        events::LockEvent e;
        e.kind = kind;
        e.key = port.key;
        e.owner = port.owner;
        e.timeUs = 1; // after the reading
        if (!guard.isEmpty()) {
            e.after = domain::LockState();
            e.after->guard = guard;
        }
        return e;
    }
    domain::ApprovalRequest request() const { return approvals.list().value(0); }
};

} // namespace

/** Two persons, one acquisition, five minutes: and nothing else releases. */
class TestApprovals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatNeedsOne_data();
    void whatNeedsOne();
    void approvedIsReadAgainAndReleased();
    void refusedDecisions_data();
    void refusedDecisions();
    void refusalsFillNoAudit();
    void askingAndWithdrawingFillsNoAudit();
    void rejectedAndWithdrawn_data();
    void rejectedAndWithdrawn();
    void endsAfterFiveMinutes();
    void endsWhenTheLockChanges_data();
    void endsWhenTheLockChanges();
    void aScanAfterTheRequestDatesIt_data();
    void aScanAfterTheRequestDatesIt();
    void changedUnseenIsNotReleased_data();
    void changedUnseenIsNotReleased();
    void decidedOnce();
    void rolesWithdrawn_data();
    void rolesWithdrawn();
    void noAuditNoDecision();
    void thePolicyActsAlone();
    void aRepeatIsTheSameRequest();
    void dryRunAsksNobody();
};

void TestApprovals::whatNeedsOne_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("phase");
    QTest::addColumn<bool>("stuck");
    QTest::addColumn<bool>("needs");
    QTest::addColumn<bool>("dead");
    using domain::Phase;
    const auto row = [](const char *name, ApprovalMode mode, Phase phase, bool stuck, bool needs,
                        bool dead = false) {
        QTest::newRow(name) << int(mode) << int(phase) << stuck << needs << dead;
    };
    row("never", ApprovalMode::Never, Phase::Held, false, false);
    row("always, live", ApprovalMode::Always, Phase::Held, false, true);
    row("always, expired", ApprovalMode::Always, Phase::Expired, false, true);
    row("always, stuck", ApprovalMode::Always, Phase::Held, true, true);
    row("live, live", ApprovalMode::Live, Phase::Held, false, true);
    row("live, expired", ApprovalMode::Live, Phase::Expired, false, false);
    row("live, stuck", ApprovalMode::Live, Phase::Held, true, false);
    row("live, its holder is dead", ApprovalMode::Live, Phase::Held, false, true, true);
    row("live, nobody can tell", ApprovalMode::Live, Phase::Unknown, false, true);
}

void TestApprovals::whatNeedsOne()
{
    QFETCH(int, mode);
    QFETCH(int, phase);
    QFETCH(bool, stuck);
    QFETCH(bool, needs);
    QFETCH(bool, dead);
    World w((ApprovalMode(mode)));
    w.port.phase = domain::Phase(phase);
    if (stuck || dead) { // a probe's verdict relaxes nothing
        w.port.stuck = dead ? domain::StuckReason::HolderGone : domain::StuckReason::NoExpiry;
        domain::LockState live;
        live.stuck = w.port.stuck;
        live.guard = domain::Guard{w.port.key, "run-1", w.port.identity, {}}.digest();
        w.port.live = live;
    }
    w.ask();
    QCOMPARE(w.answers.value(0).outcome, needs ? Outcome::AwaitingApproval : Outcome::Released);
    QCOMPARE(w.port.writes, needs ? 0 : 1);
    QCOMPARE(w.approvals.list().size(), needs ? 1 : 0);
    protocol::Inspected seen;
    World again((ApprovalMode(mode)));
    again.port.phase = domain::Phase(phase);
    again.port.stuck = w.port.stuck;
    again.port.live = w.port.live;
    again.releaser.inspect({1, again.port.key}, again.asker("eve"),
                           [&seen](const auto &read) { seen = read; });
    QCOMPARE(seen.needsApproval, needs);
}

void TestApprovals::approvedIsReadAgainAndReleased()
{
    World w;
    w.ask();
    QCOMPARE(w.answers.value(0).auditId, 1);
    QCOMPARE(w.answers.value(0).endsUs, w.clock.wallUs() + 5 * kMinuteUs);
    QCOMPARE(w.audit.entries.value(0).outcome, Outcome::AwaitingApproval);
    QCOMPARE(w.request().who, QStringLiteral("eve"));
    QCOMPARE(w.request().guard, (domain::Guard{w.port.key, "run-1", w.port.identity, {}}.digest()));
    w.clock.advanceUs(4 * kMinuteUs); // long after the reading's own five seconds
    const int inspections = w.port.inspections;
    w.decide("bob", true);
    QCOMPARE(w.port.inspections, inspections + 1);
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Released);
    QCOMPARE(w.decisions.value(0).id, 9);
    QCOMPARE(w.decisions.value(0).auditId, 1);
    QCOMPARE(w.port.writes, 1);
    QCOMPARE(w.audit.entries.size(), 1); // one act, both names
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Released);
    QCOMPARE(w.audit.entries.at(0).who, QStringLiteral("eve"));
    QCOMPARE(w.audit.entries.at(0).approver, QStringLiteral("bob"));
    QCOMPARE(w.port.attributed, QList<QByteArray>{QByteArray(32, 'a')});
    QCOMPARE(w.news.size(), 3); // asked, approved, released
    QCOMPARE(w.news.last().outcome, Outcome::Released);
    QCOMPARE(w.news.last().decidedBy, QStringLiteral("bob"));
}

void TestApprovals::refusedDecisions_data()
{
    QTest::addColumn<QString>("who");
    QTest::addColumn<int>("way");
    QTest::addColumn<bool>("approve");
    QTest::addColumn<qint64>("request");
    QTest::addColumn<int>("code");
    using Way = agent::access::Identity::LoginWay;
    const auto row = [](const char *name, const char *who, Way way, bool approve, qint64 request,
                        base::ErrorCode code) {
        QTest::newRow(name) << QString::fromLatin1(who) << int(way) << approve << request << int(code);
    };
    const auto denied = base::ErrorCode::PermissionDenied;
    row("who asked", "ann", Way::Local, true, 1, denied);
    row("who asked, by a certificate", "ann", Way::Certificate, true, 1, denied);
    row("who asked, by a password", "ann", Way::Password, true, 1, denied);
    row("an operator approves", "eve", Way::Local, true, 1, denied);
    row("an operator rejects", "eve", Way::Local, false, 1, denied);
    row("a viewer approves", "vic", Way::Local, true, 1, denied);
    row("a viewer rejects", "vic", Way::Local, false, 1, denied);
    row("one without any role", "mallory", Way::Local, true, 1, denied);
    row("no such request", "bob", Way::Local, true, 2, base::ErrorCode::NotFound);
    row("no such request, a viewer", "vic", Way::Local, true, 2, denied);
}

void TestApprovals::refusedDecisions()
{
    QFETCH(QString, who);
    QFETCH(int, way);
    QFETCH(bool, approve);
    QFETCH(qint64, request);
    QFETCH(int, code);
    World w;
    w.ask("ann");
    w.decide(who.toLatin1().constData(), approve, request, agent::access::Identity::LoginWay(way));
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Refused);
    QCOMPARE(int(w.decisions.value(0).error.code), code);
    QCOMPARE(w.port.writes, 0);
    QVERIFY(w.request().isOpen());
    QCOMPARE(w.audit.entries.size(), 2); // a separate entry, in the name of the user who tried
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::AwaitingApproval);
    QCOMPARE(w.audit.entries.at(1).outcome, Outcome::Refused);
    QCOMPARE(w.audit.entries.at(1).who, who);
}

void TestApprovals::refusalsFillNoAudit()
{
    World w;
    for (int i = 0; i < AuditLimit::kAMinute + 50; ++i)
        w.decide("vic", true, 77);
    w.decide("ann", true, 77);
    QCOMPARE(w.decisions.size(), AuditLimit::kAMinute + 51);
    for (const ReleaseResult &result : std::as_const(w.decisions))
        QCOMPARE(result.outcome, Outcome::Refused);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 1);
    w.releaser.refusals().sumUp();
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 2);
    QCOMPARE(w.audit.entries.constLast().who, QStringLiteral("vic"));
    QCOMPARE(w.audit.entries.constLast().role, QStringLiteral("viewer"));
    QCOMPARE(w.audit.entries.constLast().outcome, Outcome::Refused);
    QCOMPARE(w.audit.entries.constLast().reason, QStringLiteral("50 more requests ended so within a minute"));
    w.decide("vic", true, 77);
    QCOMPARE(w.audit.entries.size(), AuditLimit::kAMinute + 3);
}

void TestApprovals::askingAndWithdrawingFillsNoAudit()
{
    World w;
    const auto ask = [&w](const char *who) {
        w.ask(who, QByteArray::number(w.answers.size()).rightJustified(32, '0'));
        const ReleaseResult &answer = w.answers.constLast();
        if (answer.outcome == Outcome::AwaitingApproval)
            w.decide(who, false, answer.auditId);
        return answer;
    };
    for (int i = 0; i < 1'000; ++i)
        QCOMPARE(ask("eve").outcome, Outcome::AwaitingApproval);
    QCOMPARE(w.audit.entries.size(), 1'000);
    for (int i = 0; i < AuditLimit::kAMinute + 50; ++i) {
        const ReleaseResult answer = ask("eve");
        QCOMPARE(answer.outcome, Outcome::Refused);
        QCOMPARE(answer.error.code, base::ErrorCode::Busy);
    }
    QCOMPARE(w.audit.entries.size(), 1'000 + AuditLimit::kAMinute);
    QCOMPARE(ask("bob").outcome, Outcome::AwaitingApproval);
    w.clock.advanceUs(10 * kMinuteUs);
    w.approvals.step();
    QCOMPARE(ask("eve").outcome, Outcome::AwaitingApproval);
}

void TestApprovals::rejectedAndWithdrawn_data()
{
    QTest::addColumn<QString>("who");
    QTest::newRow("an approver rejects") << QStringLiteral("bob");
    QTest::newRow("who asked withdraws") << QStringLiteral("eve");
}

void TestApprovals::rejectedAndWithdrawn()
{
    QFETCH(QString, who);
    World w;
    w.ask();
    w.decide(who.toLatin1().constData(), false);
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Rejected);
    QCOMPARE(w.request().state, ApprovalState::Rejected);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Rejected);
    QCOMPARE(w.audit.entries.at(0).approver, who);
    w.decide("ann", true);
    QCOMPARE(w.decisions.value(1).outcome, Outcome::Refused);
    QCOMPARE(w.port.writes, 0);
}

void TestApprovals::endsAfterFiveMinutes()
{
    World w;
    w.ask();
    w.clock.advanceUs(5 * kMinuteUs - 1);
    w.approvals.step();
    QVERIFY(w.request().isOpen());
    w.clock.advanceUs(1);
    w.decide("bob", true); // its time is up, whether or not anybody has stepped
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Refused);
    w.approvals.step();
    QCOMPARE(w.request().state, ApprovalState::Ended);
    QCOMPARE(w.audit.entries.at(0).outcome, Outcome::Ended);
    QCOMPARE(w.news.last().state, ApprovalState::Ended);
    w.decide("bob", true);
    QVERIFY(w.decisions.value(1).error.cause.contains(QStringLiteral("has ended")));
    QCOMPARE(w.port.writes, 0);
    w.clock.advanceUs(10 * kMinuteUs);
    w.approvals.step();
    QVERIFY(w.approvals.list().isEmpty());
}

void TestApprovals::endsWhenTheLockChanges_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("guard"); // of the state after the event; "own": the requested guard
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<qint64>("timeUs");
    QTest::addColumn<bool>("ends");
    using events::EventKind;
    const auto row = [](const char *name, EventKind kind, const char *guard, const char *owner, qint64 timeUs,
                        bool ends) {
        QTest::newRow(name) << int(kind) << QByteArray(guard) << QByteArray(owner) << timeUs << ends;
    };
    row("released", EventKind::Released, "", "alice", 1, true);
    row("taken over", EventKind::TakenOver, "another", "bob", 1, true);
    row("acquired anew", EventKind::Acquired, "another", "alice", 1, true);
    row("expired and gone", EventKind::Expired, "", "alice", 1, true);
    row("lost", EventKind::Lost, "", "alice", 1, true);
    row("force-released by another", EventKind::ForceReleased, "", "alice", 1, true);
    row("expired, and still there", EventKind::Expired, "own", "alice", 1, false);
    row("its own acquisition, late", EventKind::Acquired, "own", "alice", 1, false);
    row("renewed", EventKind::Renewed, "own", "alice", 1, false);
    row("somebody waits", EventKind::WaitStart, "", "alice", 1, false);
    row("the source is away", EventKind::SourceDown, "", "alice", 1, false);
    row("the end of the hold before it, late", EventKind::Released, "", "bob", 1, false);
    row("an end before the reading", EventKind::Released, "", "alice", 0, false);
    row("another's beginning before the reading", EventKind::TakenOver, "another", "bob", 0, false);
}

void TestApprovals::endsWhenTheLockChanges()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, guard);
    QFETCH(QByteArray, owner);
    QFETCH(qint64, timeUs);
    QFETCH(bool, ends);
    World w;
    w.ask();
    events::LockEvent other = w.event(events::EventKind::Released);
    other.key.name = "another";
    events::LockEvent event = w.event(events::EventKind(kind), guard == "own" ? w.request().guard : guard);
    event.owner = owner;
    event.timeUs = timeUs;
    w.approvals.take({other, event});
    QCOMPARE(w.request().state, ends ? ApprovalState::Ended : ApprovalState::Open);
    QCOMPARE(w.audit.entries.at(0).outcome, ends ? Outcome::Ended : Outcome::AwaitingApproval);
}

void TestApprovals::aScanAfterTheRequestDatesIt_data()
{
    QTest::addColumn<int>("acquiredBy");
    QTest::addColumn<qint64>("windowUs"); // before a moment after the reading
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<qint64>("expiresUs");
    QTest::addColumn<QByteArray>("freshness"); // in the store, once it is approved
    QTest::addColumn<bool>("ends");
    QTest::addColumn<int>("outcome");
    const auto row = [](const char *name, domain::Evidence by, qint64 windowUs, const char *owner,
                        qint64 expiresUs, const char *freshness, bool ends, Outcome outcome) {
        QTest::newRow(name) << int(by) << windowUs << QByteArray(owner) << expiresUs << QByteArray(freshness)
                            << ends << int(outcome);
    };
    const auto seen = domain::Evidence::Observation;
    row("by the time since the scan before", seen, 2, "alice", 90, "deadline-1", false, Outcome::Released);
    row("first seen", domain::Evidence::FirstSeen, 0, "alice", 90, "deadline-1", false, Outcome::Released);
    row("renewed since", seen, 2, "alice", 90, "deadline-2", false, Outcome::HolderChanged);
    row("after the reading", seen, 0, "alice", 90, "deadline-1", true, Outcome::Refused);
    row("with another deadline", seen, 2, "alice", 91, "deadline-1", true, Outcome::Refused);
    row("another's", seen, 2, "bob", 90, "deadline-1", true, Outcome::Refused);
}

/** The agent's digests contain its own date of the beginning. The store doesn't compare that. */
void TestApprovals::aScanAfterTheRequestDatesIt()
{
    QFETCH(const int, acquiredBy);
    QFETCH(const qint64, windowUs);
    QFETCH(const QByteArray, owner);
    QFETCH(const qint64, expiresUs);
    QFETCH(const QByteArray, freshness);
    QFETCH(const bool, ends);
    QFETCH(const int, outcome);
    World w;
    w.port.pinsDeadline = true;
    w.port.expiresUs = 90;
    w.port.pin = "0/90";
    w.ask();
    w.port.pin = "1/90";
    events::LockEvent event = w.event(events::EventKind::Acquired, "another digest");
    event.owner = owner;
    event.windowUs = windowUs;
    event.after->acquiredBy = domain::Evidence(acquiredBy);
    event.after->expiresUs = expiresUs;
    w.approvals.take({event});
    QCOMPARE(w.request().state, ends ? ApprovalState::Ended : ApprovalState::Open);
    w.port.freshness = freshness;
    w.decide("bob", true);
    QCOMPARE(int(w.decisions.value(0).outcome), outcome);
    QCOMPARE(w.port.writes, Outcome(outcome) == Outcome::Released ? 1 : 0);
}

void TestApprovals::changedUnseenIsNotReleased_data()
{
    QTest::addColumn<QByteArray>("identity");
    QTest::addColumn<QByteArray>("freshness");
    QTest::addColumn<bool>("present");
    QTest::addColumn<bool>("ifNotRenewed");
    QTest::addColumn<int>("outcome");
    const QByteArray own = "alice#1";
    const QByteArray deadline = "deadline-1";
    QTest::newRow("another acquisition")
        << QByteArray("alice#2") << deadline << true << false << int(Outcome::HolderChanged);
    QTest::newRow("free") << own << deadline << false << false << int(Outcome::AlreadyFree);
    QTest::newRow("renewed, and that matters")
        << own << QByteArray("deadline-2") << true << true << int(Outcome::HolderChanged);
    QTest::newRow("renewed, and it doesn't")
        << own << QByteArray("deadline-2") << true << false << int(Outcome::Released);
}

void TestApprovals::changedUnseenIsNotReleased()
{
    QFETCH(QByteArray, identity);
    QFETCH(QByteArray, freshness);
    QFETCH(bool, present);
    QFETCH(bool, ifNotRenewed);
    QFETCH(int, outcome);
    World w;
    w.ask("eve", 'a', ifNotRenewed);
    w.port.identity = identity;
    w.port.freshness = freshness;
    w.port.present = present;
    w.decide("bob", true);
    QCOMPARE(int(w.decisions.value(0).outcome), outcome);
    QCOMPARE(w.port.writes, Outcome(outcome) == Outcome::Released ? 1 : 0);
    QCOMPARE(int(w.audit.entries.at(0).outcome), outcome);
    QCOMPARE(w.audit.entries.at(0).approver, QStringLiteral("bob"));
}

void TestApprovals::decidedOnce()
{
    World w;
    w.ask();
    w.port.holdAnswers = true;
    w.decide("bob", true);
    w.decide("ann", true); // while the store works
    w.decide("ann", false);
    QCOMPARE(w.decisions.size(), 2);
    for (const ReleaseResult &late : std::as_const(w.decisions))
        QVERIFY(late.error.cause.contains(QStringLiteral("approved by bob already")));
    w.port.answerHeld();
    w.port.holdAnswers = false;
    QCOMPARE(w.decisions.size(), 3);
    QCOMPARE(w.port.writes, 1);
    QCOMPARE(w.port.orders.size(), 1);
}

void TestApprovals::rolesWithdrawn_data()
{
    QTest::addColumn<QString>("who");
    QTest::addColumn<bool>("told"); // the policy's change was announced before the decision
    QTest::newRow("of who asked") << QStringLiteral("eve") << false;
    QTest::newRow("of who asked, and told") << QStringLiteral("eve") << true;
    QTest::newRow("of who approves") << QStringLiteral("bob") << false;
}

void TestApprovals::rolesWithdrawn()
{
    QFETCH(QString, who);
    QFETCH(bool, told);
    World w;
    w.ask();
    const Asker bob = w.asker("bob"); // as the session still has it
    w.roles[who] = Role::Viewer;
    if (told)
        w.approvals.policyChanged();
    w.approvals.decide({9, 1, true, {}}, bob,
                       [&w](const ReleaseResult &result) { w.decisions.append(result); });
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Refused);
    QCOMPARE(w.port.writes, 0);
    QCOMPARE(w.request().state, told ? ApprovalState::Ended : ApprovalState::Open);
}

void TestApprovals::noAuditNoDecision()
{
    World w;
    w.ask();
    w.audit.failDecide = true;
    w.decide("bob", true);
    QCOMPARE(w.decisions.value(0).outcome, Outcome::Refused);
    QCOMPARE(w.decisions.value(0).error.code, base::ErrorCode::Storage);
    QVERIFY(w.request().isOpen());
    QCOMPARE(w.port.writes, 0);
    w.audit.failDecide = false;
    w.decide("ann", true);
    QCOMPARE(w.decisions.value(1).outcome, Outcome::Released);
    QCOMPARE(w.audit.entries.at(0).approver, QStringLiteral("ann"));
    World none; // without an intent there is no request either
    none.audit.failBegin = true;
    none.ask();
    QCOMPARE(none.answers.value(0).outcome, Outcome::Refused);
    QVERIFY(none.approvals.list().isEmpty());
}

void TestApprovals::thePolicyActsAlone()
{
    World w;
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'b');
    order.key = w.port.key;
    order.holder = w.port.owner;
    order.reason = QStringLiteral("policy");
    const Asker policy{{{}, QStringLiteral("reaper"), {}}, domain::grantsFor(Role::Policy), nullptr};
    w.releaser.release(order, policy, [&w](const ReleaseResult &result) { w.answers.append(result); });
    QCOMPARE(w.answers.value(0).outcome, Outcome::Released);
}

void TestApprovals::aRepeatIsTheSameRequest()
{
    World w;
    w.ask();
    w.ask();
    QCOMPARE(w.answers.value(1).outcome, Outcome::AwaitingApproval);
    QCOMPARE(w.answers.value(1).auditId, 1);
    QCOMPARE(w.approvals.list().size(), 1);
    w.decide("bob", true);
    w.ask();
    QCOMPARE(w.answers.value(2).outcome, Outcome::Released); // the recorded one
    QCOMPARE(w.port.writes, 1);
}

void TestApprovals::dryRunAsksNobody()
{
    World w;
    protocol::ForceRelease order;
    order.command = QByteArray(32, 'b');
    order.key = w.port.key;
    order.holder = w.port.owner;
    order.reason = QStringLiteral("what if");
    order.dryRun = true;
    w.releaser.release(order, w.asker("eve"),
                       [&w](const ReleaseResult &result) { w.answers.append(result); });
    QCOMPARE(w.answers.value(0).outcome, Outcome::AwaitingApproval);
    QVERIFY(w.answers.value(0).dryRun);
    QVERIFY(w.audit.entries.isEmpty());
    QVERIFY(w.approvals.list().isEmpty());
}

LOCKKEEPER_TEST(TestApprovals)

} // namespace tst_approvals

#include "tst_approvals.moc"
