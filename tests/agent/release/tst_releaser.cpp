// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/releaser.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_releaser {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using namespace lockkeeper::tests;
using domain::Because;
using domain::Outcome;
using protocol::ForceRelease;
using protocol::ReleaseResult;

namespace {

/** A releaser over one scripted lock. */
struct World
{
    FakeClock clock;
    FakePort port;
    FakeDirectory directory;
    FakeAudit audit;
    Releaser releaser{directory, audit, clock};
    Asker asker{
        {{}, QStringLiteral("eve"), {}}, domain::grantsFor(Role::Operator), std::make_shared<TicketBox>()};
    QList<ReleaseResult> answers;

    World() { directory.port = &port; }

    QByteArray ticket()
    {
        QByteArray got;
        releaser.inspect({1, port.key}, asker,
                         [&got](const protocol::Inspected &read) { got = read.ticket; });
        return got;
    }
    ForceRelease request(const QByteArray &command = QByteArray(32, 'a'))
    {
        ForceRelease r;
        r.id = 7;
        r.command = command;
        r.key = port.key;
        r.reason = QStringLiteral("the job is dead");
        return r;
    }
    void send(const ForceRelease &r)
    {
        releaser.release(r, asker, [this](const ReleaseResult &result) { answers.append(result); });
    }
    QByteArray digest() const { return domain::Guard{port.key, "run-1", port.identity, {}}.digest(); }
};

using Prepare = std::function<void(World &, ForceRelease &)>;

} // namespace

class TestReleaser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outcomes_data();
    void outcomes();
    void theAuditNamesTheVerdictOnTheHolder();
    void dryRunWritesNothing();
    void doubleClickIsOneWrite();
    void replayGetsTheRecordedOutcome();
    void commandOfAnotherLockIsRefused();
    void commandOfAnotherUserIsRefused_data();
    void commandOfAnotherUserIsRefused();
    void twoOperatorsAreServedInTurn();
    void lostRoleEndsWhatWaits();
    void lostReplyIsUnknownAndLookedAtAgain();
    void lostReleaseIsToldOnceItIsFound_data();
    void lostReleaseIsToldOnceItIsFound();
    void noAuditNoRelease();
    void outcomeThatCannotBeWrittenWaits();
    void goneAskerStillGetsAnOutcome();
    void deniedIsAudited();
    void whatTheRulesEndFillsNoAudit();
    void inspectHidesReleaseFromViewers();
    void badCommandIdIsAuditedAndNotDone();
};

void TestReleaser::outcomes_data()
{
    QTest::addColumn<Prepare>("prepare");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<int>("sent");
    QTest::addColumn<QString>("cause");

    const auto row = [](const char *name, Outcome outcome, int sent, const char *cause, Prepare prepare) {
        QTest::newRow(name) << std::move(prepare) << outcome << sent << QString::fromLatin1(cause);
    };
    row("ticket", Outcome::Released, 1, "", [](World &w, ForceRelease &r) { r.ticket = w.ticket(); });
    row("guard", Outcome::Released, 1, "", [](World &w, ForceRelease &r) { r.guard = w.digest(); });
    row("holder", Outcome::Released, 1, "", [](World &, ForceRelease &r) { r.holder = "alice"; });
    row("nothing pinned", Outcome::Refused, 0, "a guard or a holder is required",
        [](World &, ForceRelease &) {});
    row("no reason", Outcome::Refused, 0, "reason", [](World &, ForceRelease &r) {
        r.holder = "alice";
        r.reason = QStringLiteral("  ");
    });
    row("endless reason", Outcome::Refused, 0, "1000", [](World &, ForceRelease &r) {
        r.holder = "alice";
        r.reason = QString(1'001, QLatin1Char('x'));
    });
    row("another digest", Outcome::HolderChanged, 0, "isn't the acquisition",
        [](World &, ForceRelease &r) { r.guard = QByteArray(64, '0'); });
    row("another holder", Outcome::HolderChanged, 0, "the holder isn't",
        [](World &, ForceRelease &r) { r.holder = "bob"; });
    row("guard of the holder before", Outcome::HolderChanged, 0, "", [](World &w, ForceRelease &r) {
        r.guard = w.digest();
        w.port.identity = "bob#2";
    });
    row("ticket of the holder before", Outcome::HolderChanged, 1, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.identity = "bob#2";
    });
    row("no identity", Outcome::Refused, 0, "distinguishes this acquisition from the holder's next one",
        [](World &w, ForceRelease &r) {
            r.holder = "alice";
            w.port.identity.clear();
        });
    row("no identity, unsafe by configuration", Outcome::Released, 1, "", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.identity.clear();
        w.port.capability.safety = domain::ReleaseSafety::Unsafe;
    });
    row("ticket, renewed, operator", Outcome::Released, 1, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.freshness = "deadline-2";
    });
    row("ticket, renewed, if not renewed", Outcome::HolderChanged, 1, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        r.ifNotRenewed = true;
        w.port.freshness = "deadline-2";
    });
    row("already free", Outcome::AlreadyFree, 0, "", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.present = false;
    });
    row("free, as a replica shows it", Outcome::Refused, 0, "replica", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.present = false;
        w.port.capability = {domain::ReleaseSafety::Off, domain::ReleaseOff::ReadOnly};
    });
    row("of a name that nobody ever saw", Outcome::Refused, 0, "ever seen here",
        [](World &w, ForceRelease &r) {
            r.holder = "alice";
            w.port.present = false;
            w.releaser.setWasSeen([](const auto &, const auto &done) { done(false); });
        });
    row("already free, as the journal knows", Outcome::AlreadyFree, 0, "", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.present = false;
        w.releaser.setWasSeen([](const auto &, const auto &done) { done(true); });
    });
    row("nothing knows whether it was", Outcome::Refused, 0, "damaged", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.present = false;
        w.releaser.setWasSeen([](const auto &, const auto &done) {
            done(base::failure(base::ErrorCode::Storage, QStringLiteral("damaged")));
        });
    });
    row("free meanwhile", Outcome::AlreadyFree, 1, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.present = false;
    });
    row("ticket 5 s old", Outcome::Released, 1, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.clock.advanceUs(5'000'000);
    });
    row("ticket too old", Outcome::Refused, 0, "more than 5 s ago", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.clock.advanceUs(5'000'001);
    });
    row("link lost since", Outcome::Refused, 0, "link", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.linkNumber = 2;
    });
    row("link down", Outcome::Unreachable, 0, "", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.linkNumber = 0;
    });
    row("unknown ticket", Outcome::Refused, 0, "hasn't read this lock",
        [](World &, ForceRelease &r) { r.ticket = "00"; });
    row("ticket of another lock", Outcome::Refused, 0, "hasn't read this lock",
        [](World &w, ForceRelease &r) {
            r.ticket = w.ticket();
            r.key.name = "lock:b";
        });
    row("another session's ticket", Outcome::Refused, 0, "hasn't read this lock",
        [](World &w, ForceRelease &r) {
            r.ticket = w.ticket();
            w.asker.tickets = std::make_shared<TicketBox>();
        });
    row("expired, but isn't", Outcome::Refused, 0, "expired yet", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        r.because = Because::Expired;
    });
    row("expired", Outcome::Released, 1, "", [](World &w, ForceRelease &r) {
        w.port.phase = domain::Phase::Expired;
        r.ticket = w.ticket();
        r.because = Because::Expired;
    });
    row("stuck, but isn't", Outcome::Refused, 0, "stuck", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        r.because = Because::Stuck;
        w.port.live.emplace();
        w.port.live->guard = w.digest();
    });
    row("stuck was the one before", Outcome::Refused, 0, "stuck", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        r.because = Because::Stuck;
        w.port.live.emplace();
        w.port.live->stuck = domain::StuckReason::NoExpiry;
        w.port.live->guard = "another";
    });
    row("stuck, but the reading shows a sign of life", Outcome::Refused, 0, "stuck",
        [](World &w, ForceRelease &r) {
            r.guard = w.digest();
            r.because = Because::Stuck;
            w.port.live.emplace();
            w.port.live->stuck = domain::StuckReason::NoExpiry;
            w.port.live->guard = w.digest();
        });
    row("stuck", Outcome::Released, 1, "", [](World &w, ForceRelease &r) {
        w.port.stuck = domain::StuckReason::NoExpiry;
        r.ticket = w.ticket();
        r.because = Because::Stuck;
        w.port.live.emplace();
        w.port.live->stuck = domain::StuckReason::NoExpiry;
        w.port.live->guard = w.digest();
    });
    row("break = never", Outcome::Refused, 0, "never", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.m_spec.locks[0].breakMode = stores::BreakMode::Never;
    });
    row("no identity", Outcome::Refused, 0, "distinguishes this acquisition from the holder's next one",
        [](World &w, ForceRelease &r) {
            w.port.identity.clear();
            r.holder = "alice";
        });
    row("truncated", Outcome::Refused, 0, "longer", [](World &w, ForceRelease &r) {
        w.port.capability = {domain::ReleaseSafety::Off, domain::ReleaseOff::Truncated};
        r.holder = "alice";
    });
    row("no such source", Outcome::Refused, 0, "no source", [](World &, ForceRelease &r) {
        r.holder = "alice";
        r.key.source = QStringLiteral("elsewhere");
    });
    row("no such place", Outcome::Refused, 0, "no lock set", [](World &, ForceRelease &r) {
        r.holder = "alice";
        r.key.place = "db9";
    });
    row("store can't be read", Outcome::Unreachable, 0, "slow", [](World &w, ForceRelease &r) {
        r.holder = "alice";
        w.port.inspectError = base::Error{base::ErrorCode::Timeout, QStringLiteral("slow"), {}};
    });
    row("store refuses", Outcome::Refused, 1, "NOPERM", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.forced = stores::ReleaseReport{
            Outcome::Refused, {}, {base::ErrorCode::PermissionDenied, QStringLiteral("NOPERM"), {}}, true};
    });
    row("reply lost", Outcome::Unknown, 1, "cut", [](World &w, ForceRelease &r) {
        r.ticket = w.ticket();
        w.port.forced = stores::ReleaseReport{
            Outcome::Unknown, {}, {base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}}, true};
    });
}

void TestReleaser::outcomes()
{
    QFETCH(Prepare, prepare);
    QFETCH(Outcome, outcome);
    QFETCH(int, sent);
    QFETCH(QString, cause);

    World world;
    ForceRelease request = world.request();
    prepare(world, request);
    world.send(request);

    QCOMPARE(world.answers.size(), 1);
    const ReleaseResult &answer = world.answers.constFirst();
    QCOMPARE(domain::outcomeName(answer.outcome), domain::outcomeName(outcome));
    QVERIFY2(answer.error.cause.contains(cause), qPrintable(answer.error.cause));
    QCOMPARE(answer.id, request.id);
    QCOMPARE(world.port.orders.size(), sent);
    // Whatever became of it: one intent, one outcome, the same as the answer's.
    QCOMPARE(world.audit.entries.size(), 1);
    QCOMPARE(world.audit.outcomes, 1);
    QCOMPARE(world.audit.entries.constFirst().outcome, outcome);
    QCOMPARE(world.audit.entries.constFirst().who, QStringLiteral("eve"));
    QCOMPARE(answer.auditId, 1);
    QCOMPARE(world.port.attributed.size(), outcome == Outcome::Released ? 1 : 0);
    QCOMPARE(world.releaser.totals().value(outcome), 1);
    QCOMPARE(world.releaser.pending(), 0);
    for (const stores::ReleaseOrder &order : std::as_const(world.port.orders)) {
        const bool fresh = request.because != Because::Operator || request.ifNotRenewed;
        QCOMPARE(order.checkFreshness, fresh);
        QCOMPARE(order.mustBeExpired, request.because == Because::Expired);
    }
}

void TestReleaser::theAuditNamesTheVerdictOnTheHolder()
{
    World w;
    QByteArray asked;
    w.releaser.setHolderKnowledge([&](const domain::LockKey &, const QByteArray &guard) {
        asked = guard;
        HolderKnowledge known;
        known.check.verdict = domain::HolderVerdict::Alive;
        known.check.evidence = domain::HolderEvidence::Connected;
        known.check.target = "10.0.0.7:8080";
        return std::optional(known);
    });
    ForceRelease request = w.request();
    request.guard = w.digest();
    w.send(request);
    QCOMPARE(asked, w.digest());
    QCOMPARE(w.answers.value(0).outcome, Outcome::Released); // alive doesn't forbid it either
    QVERIFY2(w.audit.entries.value(0).detail.startsWith(
                 QLatin1String("liveness: alive, connected of 10.0.0.7:8080 at 1970-")),
             qPrintable(w.audit.entries.value(0).detail));
}

void TestReleaser::dryRunWritesNothing()
{
    World world;
    ForceRelease request = world.request();
    request.dryRun = true;
    request.holder = "alice";
    world.send(request);
    QCOMPARE(world.answers.constLast().outcome, Outcome::Released);
    QVERIFY(world.answers.constLast().dryRun);
    QVERIFY(world.port.orders.constFirst().dryRun);
    request.holder = "bob";
    world.send(request);
    QCOMPARE(world.answers.constLast().outcome, Outcome::HolderChanged);
    QVERIFY(world.audit.entries.isEmpty());
    QCOMPARE(world.port.writes, 0);
    QVERIFY(world.port.present);
}

void TestReleaser::doubleClickIsOneWrite()
{
    World world;
    world.port.holdAnswers = true;
    ForceRelease request = world.request();
    request.ticket = world.ticket();
    world.send(request);
    request.id = 8;
    world.send(request);
    QVERIFY(world.answers.isEmpty());
    world.port.answerHeld();
    QCOMPARE(world.answers.size(), 2);
    QCOMPARE(world.answers.at(0).id, 7);
    QCOMPARE(world.answers.at(1).id, 8);
    QCOMPARE(world.answers.at(1).outcome, Outcome::Released);
    QCOMPARE(world.port.orders.size(), 1);
    QCOMPARE(world.audit.entries.size(), 1);
}

void TestReleaser::replayGetsTheRecordedOutcome()
{
    World world;
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    world.port.present = true; // the lock is held again, under the same name
    world.send(request);
    QCOMPARE(world.answers.size(), 2);
    QCOMPARE(world.answers.at(1).outcome, Outcome::Released);
    QCOMPARE(world.answers.at(1).auditId, world.answers.at(0).auditId);
    QCOMPARE(world.port.orders.size(), 1);
    QVERIFY(world.port.present);
}

void TestReleaser::commandOfAnotherLockIsRefused()
{
    World world;
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    request.key.name = "lock:b";
    world.port.present = true;
    world.send(request);
    QCOMPARE(world.answers.at(1).outcome, Outcome::Refused);
    QVERIFY(world.answers.at(1).error.cause.contains(QStringLiteral("another lock")));
    QCOMPARE(world.port.orders.size(), 1);
}

/** A user with another user's command id learns nothing of that command. The attempt is audited. */
void TestReleaser::commandOfAnotherUserIsRefused_data()
{
    QTest::addColumn<bool>("isUnderWay");
    QTest::newRow("carried out") << false;
    QTest::newRow("under way") << true;
}

void TestReleaser::commandOfAnotherUserIsRefused()
{
    QFETCH(bool, isUnderWay);
    World world;
    world.port.holdAnswers = isUnderWay;
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    world.asker.identity.user = QStringLiteral("mallory");
    world.send(request);
    if (isUnderWay)
        world.port.answerHeld();
    QTRY_COMPARE(world.answers.size(), 2);
    const ReleaseResult theirs = world.answers.at(1);
    QCOMPARE(theirs.outcome, Outcome::Refused);
    QVERIFY(theirs.error.cause.contains(QStringLiteral("another user")));
    QCOMPARE(world.port.orders.size(), 1);
    QCOMPARE(world.audit.entries.size(), 2);
    const domain::AuditEntry attempt = world.audit.entries.value(theirs.auditId - 1);
    QCOMPARE(attempt.who, QStringLiteral("mallory"));
    QCOMPARE(attempt.outcome, Outcome::Refused);
    QVERIFY(attempt.command != request.command);
}

void TestReleaser::twoOperatorsAreServedInTurn()
{
    World world;
    world.port.holdAnswers = true;
    ForceRelease first = world.request(QByteArray(32, '1'));
    first.holder = "alice";
    ForceRelease second = world.request(QByteArray(32, '2'));
    second.holder = "alice";
    world.send(first);
    world.send(second);
    QCOMPARE(world.port.orders.size(), 1); // the second has not even been read
    QCOMPARE(world.port.inspections, 1);
    world.port.answerHeld();
    QTRY_COMPARE(world.answers.size(), 2);
    QCOMPARE(world.answers.at(0).outcome, Outcome::Released);
    QCOMPARE(world.answers.at(1).outcome, Outcome::AlreadyFree);
    QCOMPARE(world.port.writes, 1);
}

void TestReleaser::lostRoleEndsWhatWaits()
{
    World world;
    Role role = Role::Operator;
    world.releaser.setGrantsOf([&role](const auto &) { return domain::grantsFor(role); });
    world.port.holdAnswers = true;
    for (const char digit : {'1', '2'}) {
        ForceRelease request = world.request(QByteArray(32, digit));
        request.holder = "alice";
        world.send(request);
    }
    role = Role::Viewer;
    world.port.answerHeld(); // sent before
    QTRY_COMPARE(world.answers.size(), 2);
    QCOMPARE(world.answers.at(0).outcome, Outcome::Released);
    QCOMPARE(world.answers.at(1).outcome, Outcome::Refused);
    QCOMPARE(world.answers.at(1).error.code, base::ErrorCode::PermissionDenied);
    QCOMPARE(world.port.inspections, 1);
    QCOMPARE(world.audit.entries.size(), 2);
}

void TestReleaser::lostReplyIsUnknownAndLookedAtAgain()
{
    World world;
    world.port.forced = stores::ReleaseReport{Outcome::Unknown, {}, {base::ErrorCode::Timeout, {}, {}}, true};
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    QCOMPARE(world.port.looks, 1);
    QVERIFY(world.port.attributed.isEmpty());
    QCOMPARE(world.port.perhaps, QList<QByteArray>{request.command});
    world.send(request); // a repeat is answered from the record, never sent again
    QCOMPARE(world.answers.at(1).outcome, Outcome::Unknown);
    QCOMPARE(world.port.orders.size(), 1);
    // The store has executed it, even if the answer gets lost: the lock's end belongs to this command.
    world.port.forced->underWay = true;
    request.command = QByteArray(32, 'b');
    world.send(request);
    QCOMPARE(world.answers.last().outcome, Outcome::Unknown);
    QCOMPARE(world.port.attributed, QList<QByteArray>{request.command});
    QCOMPARE(world.port.perhaps.size(), 1);
}

void TestReleaser::lostReleaseIsToldOnceItIsFound_data()
{
    QTest::addColumn<int>("events"); // 0 none, 1 perhaps, 2 proven, 3 perhaps and taken again, 4 another end
    QTest::addColumn<Outcome>("recorded");
    QTest::addColumn<QString>("cause");
    QTest::newRow("not seen yet") << 0 << Outcome::Unknown << QStringLiteral("lost, may have released it");
    QTest::newRow("probably") << 1 << Outcome::Unknown << QStringLiteral("lost, probably released it");
    QTest::newRow("the reply came late") << 2 << Outcome::Released << QStringLiteral("lost, released it");
    QTest::newRow("another hold since") << 3 << Outcome::Unknown << QString();
    QTest::newRow("its holder gave it back") << 4 << Outcome::Unknown << QString();
}

/** The event, the audit and the answer to the next request agree. */
void TestReleaser::lostReleaseIsToldOnceItIsFound()
{
    QFETCH(int, events);
    QFETCH(Outcome, recorded);
    QFETCH(QString, cause);
    World world;
    world.port.forced = stores::ReleaseReport{Outcome::Unknown, {}, {base::ErrorCode::Timeout, {}, {}}, true};
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    QCOMPARE(world.answers.constFirst().outcome, Outcome::Unknown);
    events::LockEvent event;
    event.key = request.key;
    event.kind = events::EventKind::ForceReleased;
    event.command = request.command;
    if (events != 2)
        event.detail.mayBeReleased = true;
    if (events == 4)
        event.kind = events::EventKind::Released;
    if (events > 0)
        world.releaser.take({event});
    event.kind = events::EventKind::Acquired;
    event.command.clear();
    if (events == 3)
        world.releaser.take({event});
    QCOMPARE(world.audit.entries.constFirst().outcome, recorded);
    QCOMPARE(world.audit.entries.constFirst().detail.contains(QLatin1String("probably by this command")),
             events == 1 || events == 3);
    world.port.present = false;
    request.command = QByteArray(32, 'd');
    world.send(request);
    QCOMPARE(world.answers.last().outcome, Outcome::AlreadyFree);
    QVERIFY2(world.answers.last().error.cause.endsWith(cause), qPrintable(world.answers.last().error.cause));
    QCOMPARE(world.answers.last().error.cause.isEmpty(), cause.isEmpty());
}

void TestReleaser::noAuditNoRelease()
{
    World world;
    world.audit.failBegin = true;
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    QCOMPARE(world.answers.constFirst().outcome, Outcome::Refused);
    QCOMPARE(world.answers.constFirst().error.code, base::ErrorCode::Storage);
    QVERIFY(world.port.orders.isEmpty());
    QVERIFY(world.port.present);
}

void TestReleaser::outcomeThatCannotBeWrittenWaits()
{
    World world;
    world.audit.failEnd = true;
    ForceRelease request = world.request();
    request.holder = "alice";
    world.send(request);
    QCOMPARE(world.answers.constFirst().outcome, Outcome::Released);
    QCOMPARE(world.answers.constFirst().error.code, base::ErrorCode::Storage);
}

void TestReleaser::goneAskerStillGetsAnOutcome()
{
    World world;
    world.port.holdAnswers = true;
    ForceRelease request = world.request();
    request.ticket = world.ticket();
    world.send(request);
    world.asker.tickets.reset(); // the session ended, and its tickets with it
    world.port.answerHeld();
    QCOMPARE(world.audit.entries.constFirst().outcome, Outcome::Released);
    QCOMPARE(world.port.attributed, QList<QByteArray>{request.command});
}

void TestReleaser::deniedIsAudited()
{
    World world;
    const base::Error error{base::ErrorCode::PermissionDenied, QStringLiteral("viewers may not"), {}};
    world.releaser.deny(world.request(), world.asker, error,
                        [&world](const ReleaseResult &result) { world.answers.append(result); });
    QCOMPARE(world.answers.constFirst().outcome, Outcome::Refused);
    QCOMPARE(world.answers.constFirst().error, error);
    QCOMPARE(world.audit.entries.size(), 1);
    QCOMPARE(world.audit.entries.constFirst().outcome, Outcome::Refused);
    QCOMPARE(world.port.inspections, 0);
}

void TestReleaser::whatTheRulesEndFillsNoAudit()
{
    constexpr int kAMinute = AuditLimit::kAMinute;
    World world;
    int commands = 0;
    const auto send = [&](const QByteArray &holder) {
        ForceRelease request = world.request(QByteArray::number(++commands).rightJustified(32, '0'));
        request.holder = holder;
        world.send(request);
    };
    for (int i = 0; i < kAMinute + 7; ++i)
        send("bob");
    QCOMPARE(world.audit.entries.size(), kAMinute);
    QCOMPARE(world.answers.size(), kAMinute + 7);
    for (const ReleaseResult &answer : std::as_const(world.answers))
        QCOMPARE(answer.outcome, Outcome::HolderChanged);
    QVERIFY(world.answers.constFirst().auditId != 0);
    QCOMPARE(world.answers.constLast().auditId, 0);
    send("alice"); // is released, and audited as ever
    QCOMPARE(world.audit.entries.constLast().outcome, Outcome::Released);
    send("alice"); // another outcome is counted separately
    QCOMPARE(world.audit.entries.constLast().outcome, Outcome::AlreadyFree);
    QCOMPARE(world.audit.entries.size(), kAMinute + 2);
    world.releaser.refusals().sumUp();
    QCOMPARE(world.audit.entries.size(), kAMinute + 3);
    const domain::AuditEntry &rest = world.audit.entries.constLast();
    QCOMPARE(rest.who, QStringLiteral("eve"));
    QCOMPARE(rest.outcome, Outcome::HolderChanged);
    QCOMPARE(rest.reason, QStringLiteral("7 more requests ended so within a minute"));
    QCOMPARE(rest.key, domain::LockKey());
}

void TestReleaser::inspectHidesReleaseFromViewers()
{
    World world;
    world.asker.grants = domain::grantsFor(Role::Viewer);
    protocol::Inspected read;
    world.releaser.inspect({3, world.port.key}, world.asker, [&read](const auto &answer) { read = answer; });
    QCOMPARE(read.id, 3);
    QVERIFY(read.present);
    QCOMPARE(read.state.release.why, domain::ReleaseOff::NotPermitted);
    world.asker.grants = domain::grantsFor(Role::Operator);
    world.releaser.inspect({4, world.port.key}, world.asker, [&read](const auto &answer) { read = answer; });
    QVERIFY(read.state.release.possible());
    QVERIFY(read.willRun.contains(QStringLiteral("lock:a")));
    QVERIFY(!read.ticket.isEmpty());
}

void TestReleaser::badCommandIdIsAuditedAndNotDone()
{
    for (const QByteArray &id :
         {QByteArray(), QByteArray(31, 'a'), QByteArray(33, 'a'), QByteArray(32, 'g')}) {
        World world;
        ForceRelease request = world.request(id);
        request.holder = "alice";
        world.send(request);
        QCOMPARE(world.answers.constFirst().outcome, Outcome::Refused);
        QVERIFY(world.answers.constFirst().error.cause.contains(QStringLiteral("32 lower-case hex digits")));
        QCOMPARE(world.answers.constFirst().command, id);
        QCOMPARE(world.audit.entries.size(), 1);
        QCOMPARE(world.audit.entries.constFirst().command.size(), 32); // of the agent's making
        QVERIFY(world.port.orders.isEmpty());
    }
}

LOCKKEEPER_TEST(TestReleaser)

} // namespace tst_releaser

#include "tst_releaser.moc"
