// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

namespace tst_cli_release {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

/** `release` against an agent with prepared answers, through real sockets: what is asked, printed, and the
 * status. */
class TestCliRelease : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void releaseOutcomes_data();
    void releaseOutcomes();
    void replicasOfARecordedAnswerAreNotKnown();
    void releaseChecksItsReading_data();
    void releaseChecksItsReading();
    void whatTheTableLacksIsReadFirst();
    void freeIsSaidAfterAReading_data();
    void freeIsSaidAfterAReading();
    void aNameThatNobodyEverSaw_data();
    void aNameThatNobodyEverSaw();
    void saysForHowLongTheOtherHoldsIt();
    void leavesTheUnheldToTheAgent_data();
    void leavesTheUnheldToTheAgent();
    void whatCantBeGuardedIsntAsked();
    void aGuardThatIsNone();
    void namesWhoHoldsItNow();
    void namesOtherPermits();
    void renewedSinceItWasShown_data();
    void renewedSinceItWasShown();
    void releaseByHolderAndTicket();
    void releaseAsksOnATerminal_data();
    void releaseAsksOnATerminal();
    void approvalOfAKill();
    void releaseWithoutATerminalNeedsYes();
    void releaseOfAnAmbiguousName();
    void releaseOfANameThatIsNotText();
    void releaseInAnUnknownSource();
    void releaseWhoseAnswerIsLost();
    void releaseThatChangesWhileAsked_data();
    void releaseThatChangesWhileAsked();
};

static QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

static QStringList release(const QString &more)
{
    return words(QStringLiteral("release orders lock:a --reason stale ") + more);
}

static const QString kGuard = QStringLiteral("--guard ") + QString(64, QLatin1Char('a'));

void TestCliRelease::releaseOutcomes_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("status");
    const int none = int(base::ErrorCode::Unknown);
    QTest::newRow("released") << int(Outcome::Released) << none << 0;
    QTest::newRow("holder changed") << int(Outcome::HolderChanged) << none << 5;
    QTest::newRow("already free") << int(Outcome::AlreadyFree) << none << 6;
    QTest::newRow("refused") << int(Outcome::Refused) << int(base::ErrorCode::Storage) << 1;
    QTest::newRow("not permitted") << int(Outcome::Refused) << int(base::ErrorCode::PermissionDenied) << 4;
    QTest::newRow("unreachable") << int(Outcome::Unreachable) << int(base::ErrorCode::Unreachable) << 3;
    QTest::newRow("partial") << int(Outcome::Partial) << none << 1;
    QTest::newRow("unknown") << int(Outcome::Unknown) << int(base::ErrorCode::Timeout) << 7;
}

void TestCliRelease::releaseOutcomes()
{
    QFETCH(int, outcome);
    QFETCH(int, code);
    QFETCH(int, status);
    for (const bool dryRun : {false, true}) {
        FakeAgent agent;
        agent.locks = {shownLock("lock:a", "w1")};
        agent.outcome.outcome = Outcome(outcome);
        agent.outcome.error.code = base::ErrorCode(code);
        Run run(agent.address(), release(kGuard + QStringLiteral(" --json") +
                                         (dryRun ? QStringLiteral(" --dry-run") : QStringLiteral(" --yes"))));
        QTRY_COMPARE(run.status(), status);
        QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), 1);
        QCOMPARE(agent.askedFor<protocol::ForceRelease>().at(0).dryRun, dryRun);
        const QJsonObject object = run.objects().last();
        QCOMPARE(object.value(QStringLiteral("outcome")).toString().toUtf8(),
                 domain::outcomeName(Outcome(outcome)).toByteArray());
        QCOMPARE(object.value(QStringLiteral("dry_run")).toBool(), dryRun);
        QCOMPARE(run.err().isEmpty(), status == 0);
    }
}

void TestCliRelease::replicasOfARecordedAnswerAreNotKnown()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    for (const domain::TimeUs &storeUs : {domain::TimeUs(), domain::TimeUs(5)}) {
        agent.outcome.storeUs = storeUs;
        Run run(agent.address(), release(kGuard + QStringLiteral(" --json --yes")));
        QTRY_COMPARE(run.status(), 0);
        QCOMPARE(run.objects().last().value(QStringLiteral("replicated")),
                 storeUs ? QJsonValue(true) : QJsonValue());
    }
}

void TestCliRelease::releaseChecksItsReading_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<bool>("present");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<int>("status");
    QTest::newRow("guard of another acquisition")
        << QStringLiteral("--guard bbbb") << true << QByteArray("w1") << 5;
    QTest::newRow("another holder") << QStringLiteral("--holder w2") << true << QByteArray("w1") << 5;
    QTest::newRow("holder in another case") << QStringLiteral("--holder W1") << true << QByteArray("w1") << 5;
    QTest::newRow("gone") << kGuard << false << QByteArray("w1") << 6;
    QTest::newRow("guard fits, holder doesn't")
        << kGuard + QStringLiteral(" --holder w2") << true << QByteArray("w1") << 5;
}

void TestCliRelease::releaseChecksItsReading()
{
    QFETCH(QString, arguments);
    QFETCH(bool, present);
    QFETCH(QByteArray, owner);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", owner)};
    if (!present)
        agent.readings = {protocol::Inspected()};
    Run run(agent.address(), release(arguments + QStringLiteral(" --yes")));
    QTRY_COMPARE(run.status(), status);
    QVERIFY2(agent.askedFor<protocol::ForceRelease>().isEmpty(), "nothing is sent that can't succeed");
}

void TestCliRelease::whatTheTableLacksIsReadFirst()
{
    FakeAgent agent;
    agent.locksAfterReading = {shownLock("lock:a", "w1")}; // taken since the last poll
    Run run(agent.address(), release(QStringLiteral("--holder w1 --yes")));
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(agent.askedFor<protocol::ReadNow>().size(), 1);
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), 1);
}

void TestCliRelease::freeIsSaidAfterAReading_data()
{
    QTest::addColumn<bool>("hasEvent");
    QTest::addColumn<int>("outcome"); // of an audit entry; -1: there is none
    QTest::addColumn<int>("status");
    QTest::newRow("nobody ever saw it") << false << -1 << 1;
    QTest::newRow("an event is of it") << true << -1 << 6;
    QTest::newRow("released in part") << false << int(Outcome::Partial) << 6;
    QTest::newRow("released") << false << int(Outcome::Released) << 6;
    QTest::newRow("a release was asked for") << false << int(Outcome::AwaitingApproval) << 6;
    QTest::newRow("refused") << false << int(Outcome::Refused) << 1;
    QTest::newRow("unreachable") << false << int(Outcome::Unreachable) << 1;
}

void TestCliRelease::freeIsSaidAfterAReading()
{
    QFETCH(const bool, hasEvent);
    QFETCH(const int, outcome);
    QFETCH(const int, status);
    FakeAgent agent;
    if (hasEvent)
        agent.events = {acquired(1, "lock:a")};
    if (outcome >= 0) {
        domain::AuditEntry entry;
        entry.key = shownLock("lock:a", "w1").key;
        entry.outcome = Outcome(outcome);
        agent.audit = {entry};
    }
    Run run(agent.address(), release(QStringLiteral("--holder w1 --yes")));
    QTRY_COMPARE(run.status(), status);
    QCOMPARE(agent.askedFor<protocol::ReadNow>().size(), 1);
    QVERIFY(agent.askedFor<protocol::ForceRelease>().isEmpty());
}

void TestCliRelease::aNameThatNobodyEverSaw_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a typo") << QStringLiteral("lock:ordres --holder w1")
                            << QByteArray(
                                   "no lock of this name was ever seen here: lock:ordres (as far "
                                   "back as the journal reaches). Did you mean lock:orders, lock:orders2?");
    QTest::newRow("other capitals") << QStringLiteral("LOCK:ORDERS --holder w1")
                                    << QByteArray("Did you mean lock:orders, lock:orders2?");
    QTest::newRow("nothing like it")
        << QStringLiteral("x --holder w1")
        << QByteArray("no lock of this name was ever seen here: x (as far back as the "
                      "journal reaches). 'lockkeeperctl locks' lists the existing locks");
    QTest::newRow("another place") << QStringLiteral("lock:orders --place db9 --holder w1")
                                   << QByteArray(
                                          "no lock of this name was ever seen here with that place and "
                                          "scheme: lock:orders (as far back as the journal reaches); "
                                          "this one isn't held; under the same name: w1 (db0)");
}

/** The command must not take a mistyped name for a free lock. */
void TestCliRelease::aNameThatNobodyEverSaw()
{
    QFETCH(const QString, arguments);
    QFETCH(const QByteArray, text);
    FakeAgent agent;
    agent.locks = {shownLock("lock:orders", "w1"), shownLock("lock:orders2", "w2")};
    agent.events = {acquired(1, "lock:orders")}; // another lock's event, which may match the query's glob
    domain::AuditEntry refused;                  // a mistyped name in the audit
    refused.key = shownLock(words(arguments).constFirst().toUtf8(), "w1").key;
    refused.outcome = Outcome::Refused;
    agent.audit = {refused};
    Run run(agent.address(), words(QStringLiteral("release orders %1 --reason r --yes").arg(arguments)));
    QTRY_COMPARE(run.status(), 1);
    QVERIFY2(run.err().contains(text), run.err().constData());
    QVERIFY2(!run.err().contains("already free"), run.err().constData());
    QVERIFY(agent.askedFor<protocol::ForceRelease>().isEmpty());
}

void TestCliRelease::saysForHowLongTheOtherHoldsIt()
{
    FakeAgent agent;
    protocol::Inspected reading;
    reading.present = true;
    reading.state = shownLock("lock:a", "w1");
    reading.state.acquiredUs = 1'000'000'000;
    reading.storeUs = 1'120'000'000;
    agent.locks = {reading.state};
    agent.readings = {reading};
    Run run(agent.address(), release(QStringLiteral("--holder w2 --yes")));
    QTRY_COMPARE(run.status(), 5);
    QVERIFY2(run.err().contains("its holder is w1, for 2 min 0 s"), run.err().constData());
}

void TestCliRelease::leavesTheUnheldToTheAgent_data()
{
    QTest::addColumn<domain::Phase>("phase");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<int>("status");
    QTest::newRow("a free row") << domain::Phase::Free << Outcome::AlreadyFree << 6;
    QTest::newRow("an unreadable value") << domain::Phase::Unknown << Outcome::Refused << 1;
}

/** Without a known holder, the command compares nothing: "another one holds it" would be a false claim. */
void TestCliRelease::leavesTheUnheldToTheAgent()
{
    QFETCH(domain::Phase, phase);
    QFETCH(Outcome, outcome);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", {})};
    agent.locks[0].phase = phase;
    agent.locks[0].ownerKnown = false;
    agent.outcome.outcome = outcome;
    for (const char *options : {"--holder w1 --yes", "--guard bbbb --yes"}) {
        Run run(agent.address(), release(QLatin1String(options)));
        QTRY_COMPARE(run.status(), status);
        QVERIFY2(!run.err().contains("its holder is"), run.err().constData());
    }
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), 2);
}

void TestCliRelease::whatCantBeGuardedIsntAsked()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "1")};
    agent.locks[0].release = {domain::ReleaseSafety::Off, domain::ReleaseOff::NoIdentity};
    Run run(agent.address(), release(QStringLiteral("--holder 1")), QStringLiteral("yes"));
    QTRY_COMPARE(run.status(), 1);
    QVERIFY2(run.err().contains("break = \"unsafe\""), run.err().constData());
    QVERIFY2(run.err().contains("even if another client has acquired it since"), run.err().constData());
    QVERIFY2(!run.err().contains("type 'yes'"), run.err().constData());
}

void TestCliRelease::aGuardThatIsNone()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    Run run(agent.address(), release(QStringLiteral("--guard null --yes")));
    QTRY_COMPARE(run.status(), 2);
    QVERIFY2(run.err().contains("a guard is hexadecimal digits"), run.err().constData());
    QVERIFY(agent.asked.isEmpty());
}

void TestCliRelease::namesWhoHoldsItNow()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    Run early(agent.address(), release(QStringLiteral("--guard bbbb --yes")));
    QTRY_COMPARE(early.status(), 5);
    QVERIFY2(early.err().contains("its holder is w1"), early.err().constData());
    agent.outcome.outcome = Outcome::HolderChanged; // between the reading and the operation
    Run late(agent.address(), release(kGuard + QStringLiteral(" --yes")));
    QTRY_COMPARE(late.status(), 5);
    QVERIFY2(late.err().contains("its holder is w1"), late.err().constData());
}

void TestCliRelease::namesOtherPermits()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1"), shownLock("lock:a", "w2")};
    agent.locks[0].key.place = "db0/p1";
    agent.locks[1].key.place = "db0/p2";
    agent.readings = {protocol::Inspected()};
    Run run(agent.address(), release(QStringLiteral("--place db0/p1 --holder w1 --yes")));
    QTRY_COMPARE(run.status(), 6);
    QVERIFY2(run.err().contains("under the same name: w2 (db0/p2)"), run.err().constData());
}

void TestCliRelease::renewedSinceItWasShown_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<qint64>("readUs");
    QTest::addColumn<int>("status");
    QTest::newRow("as the table shows it") << QString() << qint64(5'000'000) << 0;
    QTest::newRow("renewed since the table's sighting") << QString() << qint64(6'000'000) << 5;
    QTest::newRow("as it stood beside the guard")
        << QStringLiteral(" --expires-us 6000000") << qint64(6'000'000) << 0;
    QTest::newRow("renewed since it stood there")
        << QStringLiteral(" --expires-us 4000000") << qint64(5'000'000) << 5;
}

void TestCliRelease::renewedSinceItWasShown()
{
    QFETCH(QString, arguments);
    QFETCH(qint64, readUs);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].expiry = domain::ExpiryKind::At;
    agent.locks[0].expiresUs = 5'000'000;
    protocol::Inspected reading;
    reading.present = true;
    reading.ticket = "ticket";
    reading.state = agent.locks[0];
    reading.state.expiresUs = readUs;
    agent.readings = {reading};
    Run run(agent.address(), release(kGuard + QStringLiteral(" --if-not-renewed --yes") + arguments));
    QTRY_COMPARE(run.status(), status);
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), status == 0 ? 1 : 0);
}

void TestCliRelease::releaseByHolderAndTicket()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    Run run(agent.address(), release(QStringLiteral("--holder w1 --because expired --if-not-renewed --yes")));
    QTRY_COMPARE(run.status(), 0);
    const auto request = agent.askedFor<protocol::ForceRelease>().at(0);
    QCOMPARE(request.ticket, QByteArray("ticket"));
    QCOMPARE(request.guard, QByteArray(64, 'a'));
    QCOMPARE(request.holder.value_or("none"), QByteArray("w1"));
    QCOMPARE(request.because, domain::Because::Expired);
    QVERIFY(request.ifNotRenewed);
    QCOMPARE(request.reason, QStringLiteral("stale"));
    QCOMPARE(request.command.size(), 32);
    QVERIFY2(run.out().contains("Release does not stop the holder."), "always said");
    QVERIFY2(run.out().contains("EVAL compare-and-delete"), "what will be run");
}

void TestCliRelease::releaseAsksOnATerminal_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("status");
    QTest::newRow("yes") << QStringLiteral("yes") << 0;
    QTest::newRow("no") << QStringLiteral("no") << 1;
    QTest::newRow("y") << QStringLiteral("y") << 1;
    QTest::newRow("Enter") << QStringLiteral("") << 1;
}

void TestCliRelease::releaseAsksOnATerminal()
{
    QFETCH(QString, typed);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    domain::HolderCheck check;
    check.lock = agent.locks[0].key;
    check.guard = agent.locks[0].guard;
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = domain::HolderEvidence::PodGone;
    check.target = "shop/orders-7f9";
    agent.holderChecks = {check};
    Run run(agent.address(), release(kGuard), typed);
    QTRY_COMPARE(run.status(), status);
    QVERIFY2(run.out().contains("Its holder  dead: pod shop/orders-7f9 doesn't exist ("),
             run.out().constData());
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), status == 0 ? 1 : 0);
    QVERIFY(run.err().contains("type 'yes'"));
    QCOMPARE(agent.askedFor<protocol::Inspect>().size(), status == 0 ? 2 : 1);
}

/**
 * A kill warns of another consequence than the release of a lease. The approver sees this warning as well.
 */
void TestCliRelease::approvalOfAKill()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.locks[0].key.scheme = "sql.row";
    agent.locks[0].session.emplace().id = "42";
    domain::ApprovalRequest request;
    request.id = 17;
    request.key = agent.locks[0].key;
    request.guard = agent.locks[0].guard;
    agent.approvals = {request};
    Run run(agent.address(), {QStringLiteral("approve"), QStringLiteral("17")}, QStringLiteral("yes"));
    QTRY_COMPARE(run.status(), 0);
    QVERIFY2(run.err().contains("The program behind the connection isn't stopped."), run.err().constData());
}

void TestCliRelease::releaseWithoutATerminalNeedsYes()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    Run run(agent.address(), release(kGuard));
    QTRY_COMPARE(run.status(), 2);
    QVERIFY(run.err().contains("--yes"));
    QVERIFY(agent.askedFor<protocol::ForceRelease>().isEmpty());
    Run dry(agent.address(), release(kGuard + QStringLiteral(" --dry-run")));
    QTRY_COMPARE(dry.status(), 0);
}

void TestCliRelease::releaseOfAnAmbiguousName()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1"), shownLock("lock:a", "w1")};
    agent.locks[1].key.place = "db1";
    Run run(agent.address(), release(kGuard + QStringLiteral(" --yes")));
    QTRY_COMPARE(run.status(), 2);
    QVERIFY(run.err().contains("--place 'db0' --scheme redis.token"));
    QVERIFY(run.err().contains("--place 'db1' --scheme redis.token"));
    Run exact(agent.address(), release(kGuard + QStringLiteral(" --place db1 --yes")));
    QTRY_COMPARE(exact.status(), 0);
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().last().key.place, QByteArray("db1"));
}

void TestCliRelease::releaseOfANameThatIsNotText()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:\xff*", "w1"), shownLock("lock:\xfe*", "w1")};
    Run run(agent.address(), {QStringLiteral("release"), QStringLiteral("orders"),
                              QStringLiteral("lock:\\xff*"), QStringLiteral("--holder"), QStringLiteral("w1"),
                              QStringLiteral("--reason"), QStringLiteral("r"), QStringLiteral("--yes")});
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().at(0).key.name, QByteArray("lock:\xff*"));
}

void TestCliRelease::releaseInAnUnknownSource()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    Run source(agent.address(), words(QStringLiteral("release order lock:a --reason r --yes ") + kGuard));
    QTRY_COMPARE(source.status(), 2);
    QVERIFY(source.err().contains("orders"));
    Run lock(agent.address(),
             words(QStringLiteral("release orders lock:z --reason r --yes --json ") + kGuard));
    QTRY_COMPARE(lock.status(), 1);
}

void TestCliRelease::releaseWhoseAnswerIsLost()
{
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    agent.answersRelease = false;
    Run run(agent.address(), release(kGuard + QStringLiteral(" --yes --json")));
    QTRY_COMPARE(run.status(), 7);
    QCOMPARE(run.objects().last().value(QStringLiteral("outcome")).toString(), QStringLiteral("unknown"));
    Run dry(agent.address(), release(kGuard + QStringLiteral(" --dry-run")));
    QTRY_COMPARE(dry.status(), 3);
}

void TestCliRelease::releaseThatChangesWhileAsked_data()
{
    QTest::addColumn<bool>("renewed");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("taken by another") << false << QStringLiteral("--holder w1") << 5;
    QTest::newRow("renewed, freshness asked") << true << QStringLiteral("--holder w1 --if-not-renewed") << 5;
    QTest::newRow("renewed, said to be stuck") << true << QStringLiteral("--holder w1 --because stuck") << 5;
    QTest::newRow("renewed, identity only") << true << QStringLiteral("--holder w1") << 0;
}

void TestCliRelease::releaseThatChangesWhileAsked()
{
    QFETCH(bool, renewed);
    QFETCH(QString, arguments);
    QFETCH(int, status);
    FakeAgent agent;
    agent.locks = {shownLock("lock:a", "w1")};
    protocol::Inspected first;
    first.present = true;
    first.state = agent.locks.at(0);
    protocol::Inspected second = first;
    if (renewed)
        second.state.expiresUs = *second.state.expiresUs + 1000;
    else
        second.state.guard = QByteArray(64, 'c');
    agent.readings = {first, second};
    Run run(agent.address(), release(arguments), QStringLiteral("yes"));
    QTRY_COMPARE(run.status(), status);
    QCOMPARE(agent.askedFor<protocol::ForceRelease>().size(), status == 0 ? 1 : 0);
}

LOCKKEEPER_TEST(TestCliRelease)

} // namespace tst_cli_release

#include "tst_cli_release.moc"
