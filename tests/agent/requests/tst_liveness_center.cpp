// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/liveness_center.h"
#include "tests/agent/release/fake_port.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QPointer>
#include <QTest>

#include <memory>

namespace tst_liveness_center {

using namespace lockkeeper;
using namespace lockkeeper::agent::release;
using namespace lockkeeper::agent::requests;
using agent::config::LivenessRule;
using agent::liveness::AcquiredWhen;
using agent::liveness::HolderProbe;
using agent::liveness::ProbeOutcome;
using agent::liveness::ProbeTarget;
using domain::HolderCheck;
using domain::HolderEvidence;
using domain::HolderVerdict;
using domain::StuckReason;
using tests::FakeDirectory;

namespace {

constexpr qint64 kSecond = 1'000'000;

/** A probe that the test answers. */
class ScriptedProbe final : public HolderProbe
{
public:
    using HolderProbe::finish;
    ScriptedProbe(const ProbeTarget &target, Done done) : HolderProbe(target, std::move(done)) {}
    const ProbeTarget &asked() const { return target(); }

protected:
    void begin() override {}
    void abort() override {}
};

struct LivenessWorld
{
    LivenessWorld()
    {
        directory.port = &port;
        port.source.link = domain::Link::Up;
        port.source.lastSeenUs = 1;
        lock.key = port.key;
        lock.phase = domain::Phase::Held;
        lock.owner = "pod-1@10.0.0.7";
        lock.token = "t1";
        lock.guard = "g1";
        lock.acquiredUs = clock.wallUs() - 5 * kSecond;
        lock.acquiredBy = domain::Evidence::Observation;
        rule.name = QStringLiteral("pods");
        rule.holder = QStringLiteral("(?<pod>[^@]+)@(?<ip>[0-9.]+)");
        rule.parts = QStringList{QStringLiteral("{ip}:8080")};
        port.put(lock);
        center.configure({rule});
    }
    void show(const std::function<void(domain::LockState &)> &change)
    {
        change(lock);
        port.put(lock);
        center.show({lock}, {});
    }
    /** Appends the answer once the probe has ended. */
    void look(const domain::Sight &sight = {})
    {
        center.look(port.key, sight, [this](const QList<HolderCheck> &checks) { answers.append(checks); });
    }
    void answer(const ProbeOutcome &outcome)
    {
        QVERIFY(!probes.isEmpty() && probes.last());
        probes.last()->finish(outcome);
        QCoreApplication::processEvents();
    }
    void answerDead() { answer({HolderVerdict::Dead, HolderEvidence::Refused}); }
    void answerAlive() { answer({HolderVerdict::Alive, HolderEvidence::Connected}); }
    std::optional<HolderKnowledge> knowledge() const { return center.knowledge(port.key, lock.guard); }

    tests::FakeClock clock;
    tests::FakePort port;
    FakeDirectory directory;
    domain::LockState lock;
    LivenessRule rule;
    QList<QPointer<ScriptedProbe>> probes;
    QList<HolderCheck> answers;
    LivenessCenter center{directory, clock,
                          [this](const ProbeTarget &target, const std::optional<AcquiredWhen> &,
                                 HolderProbe::Done done) -> std::unique_ptr<HolderProbe> {
                              auto probe = std::make_unique<ScriptedProbe>(target, std::move(done));
                              probes.append(probe.get());
                              return probe;
                          }};
};

} // namespace

/** Verdicts on holders: who may see them, when they are found, and to which acquisition they belong. */
class TestLivenessCenter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersALook();
    void answersWithoutAProbe_data();
    void answersWithoutAProbe();
    void hiddenLocksDontExist();
    void anotherAcquisitionVoidsIt();
    void aRenewalVoidsDeadAlone();
    void endsMeanwhile();
    void looksJoin();
    void deadIsFreshForAWhile();
    void probesLocksInTrouble_data();
    void probesLocksInTrouble();
    void aCalmLockIsLeftAlone();
    void rulesMayGo();
    void stops();
};

void TestLivenessCenter::answersALook()
{
    LivenessWorld w;
    w.look();
    QVERIFY(w.answers.isEmpty());
    QCOMPARE(w.probes.size(), 1);
    QCOMPARE(w.probes[0]->asked().shown, QByteArray("10.0.0.7:8080"));
    w.answerDead();
    QCOMPARE(w.answers.size(), 1);
    const HolderCheck check = w.answers[0];
    QCOMPARE(check.lock, w.port.key);
    QCOMPARE(check.guard, QByteArray("g1"));
    QCOMPARE(check.holder, QByteArray("pod-1@10.0.0.7"));
    QCOMPARE(check.rule, QStringLiteral("pods"));
    QCOMPARE(check.verdict, HolderVerdict::Dead);
    QCOMPARE(check.evidence, HolderEvidence::Refused);
    QCOMPARE(check.target, QByteArray("10.0.0.7:8080"));
    QCOMPARE(check.checkedUs, w.clock.wallUs());
    QCOMPARE(w.port.marks, (QList<std::pair<QByteArray, bool>>{{"g1", true}}));
    QCOMPARE(w.center.known({}), QList<HolderCheck>{check});
    // Too soon for another probe: the same answer.
    w.clock.advanceUs(9 * kSecond);
    w.look();
    QCOMPARE(w.probes.size(), 1);
    QCOMPARE(w.answers.size(), 2);
    QCOMPARE(w.answers[1], check);
    w.clock.advanceUs(kSecond);
    w.look();
    QCOMPARE(w.probes.size(), 2);
    w.answerAlive();
    QCOMPARE(w.answers.last().verdict, HolderVerdict::Alive);
    QCOMPARE(w.port.marks.last().second, false);
    w.clock.advanceUs(10 * kSecond);
    w.look();
    w.answer({HolderVerdict::Unknown, HolderEvidence::TimedOut});
    QCOMPARE(w.port.marks.size(), 2); // unknown contradicts neither
    QVERIFY(livenessText(check).startsWith(QLatin1String("liveness: dead, refused of 10.0.0.7:8080 at 20")));
}

void TestLivenessCenter::answersWithoutAProbe_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<int>("phase");
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<HolderEvidence>("evidence");
    const auto row = [](const char *name, const QByteArray &owner, domain::Phase phase,
                        const QByteArray &match, HolderEvidence evidence) {
        QTest::newRow(name) << owner << int(phase) << match << evidence;
    };
    row("free", "pod-1@10.0.0.7", domain::Phase::Free, "*", HolderEvidence::NoHolder);
    row("unknown", "pod-1@10.0.0.7", domain::Phase::Unknown, "*", HolderEvidence::NoHolder);
    row("no holder's name", "", domain::Phase::Held, "*", HolderEvidence::NoHolder);
    row("no rule", "pod-1@10.0.0.7", domain::Phase::Held, "job:*", HolderEvidence::NoRule);
    row("no match", "$(x)", domain::Phase::Held, "*", HolderEvidence::NoMatch);
    row("metadata", "a@169.254.169.254", domain::Phase::Held, "*", HolderEvidence::TargetRefused);
}

void TestLivenessCenter::answersWithoutAProbe()
{
    QFETCH(QByteArray, owner);
    QFETCH(int, phase);
    QFETCH(QByteArray, match);
    QFETCH(HolderEvidence, evidence);
    LivenessWorld w;
    w.rule.match = match;
    w.center.configure({w.rule});
    w.show([&](domain::LockState &lock) {
        lock.owner = owner;
        lock.phase = domain::Phase(phase);
        lock.stuck = StuckReason::NoExpiry;
    });
    w.look();
    QCOMPARE(w.answers.size(), 1);
    QCOMPARE(w.answers[0].evidence, evidence);
    QCOMPARE(w.answers[0].verdict, HolderVerdict::Unknown);
    QVERIFY(w.probes.isEmpty());
    QVERIFY(w.center.known({}).isEmpty());
}

void TestLivenessCenter::hiddenLocksDontExist()
{
    LivenessWorld w;
    w.look();
    w.answerDead();
    const domain::Sight elsewhere(domain::Grants(), {});
    w.clock.advanceUs(60 * kSecond);
    w.look(elsewhere);
    QCOMPARE(w.probes.size(), 1);
    HolderCheck hidden = w.answers.last();
    QVERIFY(w.center.known(elsewhere).isEmpty());
    domain::LockKey none = w.port.key;
    none.name = "lock:none";
    w.center.look(none, {}, [&w](const QList<HolderCheck> &checks) { w.answers.append(checks); });
    hidden.lock = none;
    QCOMPARE(w.answers.last(), hidden);
}

void TestLivenessCenter::anotherAcquisitionVoidsIt()
{
    LivenessWorld w;
    w.look();
    w.answerDead();
    QVERIFY(w.knowledge());
    w.show([](domain::LockState &lock) {
        lock.guard = "g2"; // the same client again
        lock.acquiredUs = *lock.acquiredUs + kSecond;
    });
    QVERIFY(!w.knowledge());
    QVERIFY(w.center.known({}).isEmpty());
    w.look();
    QCOMPARE(w.answers.last().evidence, HolderEvidence::Waiting);
    QCOMPARE(w.answers.last().guard, QByteArray("g2"));
}

void TestLivenessCenter::aRenewalVoidsDeadAlone()
{
    for (const bool isDead : {true, false}) {
        LivenessWorld w;
        w.look();
        isDead ? w.answerDead() : w.answerAlive();
        w.show([](domain::LockState &lock) { lock.guard = "g1, renewed"; });
        QCOMPARE(w.knowledge().has_value(), !isDead);
        QCOMPARE(w.center.known({}).size(), isDead ? 0 : 1);
    }
}

void TestLivenessCenter::endsMeanwhile()
{
    LivenessWorld w;
    w.look();
    w.show([](domain::LockState &lock) {
        lock.guard = "g2";
        lock.owner = "pod-2@10.0.0.8";
        lock.acquiredUs = *lock.acquiredUs + kSecond;
    });
    w.answerDead();
    QCOMPARE(w.answers.size(), 1);
    QCOMPARE(w.answers[0].evidence, HolderEvidence::Waiting);
    QCOMPARE(w.answers[0].verdict, HolderVerdict::Unknown);
    QCOMPARE(w.answers[0].holder, QByteArray("pod-2@10.0.0.8"));
    QVERIFY(w.port.marks.isEmpty());
    QVERIFY(!w.knowledge());
}

void TestLivenessCenter::looksJoin()
{
    LivenessWorld w;
    w.look();
    w.look();
    QCOMPARE(w.probes.size(), 1);
    w.answerAlive();
    QCOMPARE(w.answers.size(), 2);
    QCOMPARE(w.answers[0], w.answers[1]);
}

void TestLivenessCenter::deadIsFreshForAWhile()
{
    LivenessWorld w;
    w.look();
    w.answerDead();
    w.clock.advanceUs(20 * kSecond - 1);
    QVERIFY(w.knowledge()->isFreshlyDead);
    w.clock.advanceUs(1);
    QVERIFY(!w.knowledge()->isFreshlyDead);
    QCOMPARE(w.knowledge()->check.verdict, HolderVerdict::Dead);
    QVERIFY(!w.center.knowledge(w.port.key, "g2"));
    w.look();
    w.answerAlive();
    QVERIFY(!w.knowledge()->isFreshlyDead);
}

void TestLivenessCenter::probesLocksInTrouble_data()
{
    QTest::addColumn<QString>("trouble");
    for (const char *name : {"stuck", "expired", "waited for", "in the table at first"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestLivenessCenter::probesLocksInTrouble()
{
    QFETCH(QString, trouble);
    LivenessWorld w;
    const auto change = [&trouble](domain::LockState &lock) {
        if (trouble == QLatin1String("expired"))
            lock.phase = domain::Phase::Expired;
        else if (trouble == QLatin1String("waited for"))
            lock.waiting = 1;
        else
            lock.stuck = StuckReason::NoSignOfLife;
    };
    if (trouble == QLatin1String("in the table at first")) {
        change(w.lock);
        w.port.put(w.lock);
        w.center.walkTables();
    } else {
        w.show(change);
    }
    QTRY_COMPARE(w.probes.size(), 1);
    w.answerDead();
    QVERIFY(w.knowledge()->isFreshlyDead);
    w.clock.advanceUs(10 * kSecond);
    QTRY_COMPARE(w.probes.size(), 2);
    // Its source isn't observed for a while.
    w.answerDead();
    w.port.linkNumber = 0;
    w.clock.advanceUs(10 * kSecond);
    w.port.linkNumber = 2;
    QTRY_COMPARE(w.probes.size(), 3);
}

void TestLivenessCenter::aCalmLockIsLeftAlone()
{
    LivenessWorld w;
    domain::LockState troubled = w.lock;
    troubled.key.name = "lock:b";
    troubled.stuck = StuckReason::NoExpiry;
    w.port.put(troubled);
    w.show([](domain::LockState &) {});
    w.center.show({troubled}, {});
    QTRY_COMPARE(w.probes.size(), 1);
    QVERIFY(!w.center.knowledge(w.port.key, "g1"));
    w.answerDead();
    QVERIFY(!w.center.knowledge(w.port.key, "g1"));
    QVERIFY(w.center.knowledge(troubled.key, "g1"));
}

void TestLivenessCenter::rulesMayGo()
{
    LivenessWorld w;
    w.look();
    w.answerDead();
    w.show([](domain::LockState &lock) { lock.stuck = StuckReason::HolderGone; });
    w.center.configure({});
    QVERIFY(!w.knowledge());
    QTRY_COMPARE(w.port.marks.size(), 2);
    QCOMPARE(w.port.marks.last().second, false);
}

void TestLivenessCenter::stops()
{
    LivenessWorld w;
    w.look();
    w.center.stop();
    QCOMPARE(w.answers.size(), 1);
    QCOMPARE(w.answers[0].evidence, HolderEvidence::Failed);
    QCOMPARE(w.answers[0].error.code, base::ErrorCode::Shutdown);
}

LOCKKEEPER_TEST(TestLivenessCenter)

} // namespace tst_liveness_center

#include "tst_liveness_center.moc"
