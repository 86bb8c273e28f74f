// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/engine/alert_engine.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTest>

namespace tst_alert_engine {

using namespace lockkeeper;
using namespace lockkeeper::agent::alerts;
using domain::Alert;
using domain::AlertCondition;
using domain::LockKey;
using domain::LockState;
using events::EventKind;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kStart = 1'795'000'000 * kSecond;
const QString kSource = QStringLiteral("orders");

AlertRule ruleFor(AlertCondition when)
{
    AlertRule rule;
    rule.name = QString::fromLatin1(domain::alertConditionName(when));
    rule.when = when;
    return rule;
}

QList<domain::Session> sessionsOf(const QByteArrayList &ids)
{
    QList<domain::Session> sessions;
    for (const QByteArray &id : ids) {
        domain::Session session;
        session.id = id;
        sessions.append(session);
    }
    return sessions;
}

/** An engine with a table of locks and a clock that the test moves. Times in seconds since the start. */
class EngineRig
{
public:
    explicit EngineRig(const QList<AlertRule> &rules, qint64 settle = 0)
    {
        settings.rules = rules;
        settings.settleUs = settle * kSecond;
        engine.configure(settings, now);
        link(domain::Link::Up);
    }

    void link(domain::Link to)
    {
        source.name = kSource;
        source.link = to;
        source.mode = domain::ObservationMode::Push;
        source.sinceWallUs = now;
        source.clockOffsetUs = offset;
        source.lastSeenWallUs = now;
        engine.showSource(source, now);
    }
    /** From now on the store is polled: each whole observation is shown by scan(). */
    void poll()
    {
        source.mode = domain::ObservationMode::Poll;
        scan();
    }
    void scan()
    {
        source.lastSeenWallUs = now;
        engine.showSource(source, now);
    }
    /** Changes or adds a lock, as an observation would. */
    LockState &lock(const QByteArray &name = "a")
    {
        const LockKey key{kSource, "redis.token", "db0", name};
        LockState &state = table[key];
        state.key = key;
        return state;
    }
    LockState &held(const QByteArray &name = "a")
    {
        LockState &state = lock(name);
        state.phase = domain::Phase::Held;
        state.owner = "w1";
        state.guard = "g" + name;
        state.acquiredUs = now + offset;
        state.waitersVisible = true;
        return state;
    }
    void show(const LockState &state)
    {
        table[state.key].seenUs = now + offset;
        engine.showLock(state, now);
    }
    void event(EventKind kind, const LockState &state, qint64 windowUs = 0)
    {
        events::LockEvent event;
        event.seq = ++seq;
        event.key = state.key;
        event.kind = kind;
        event.owner = state.owner;
        event.timeUs = now + offset;
        event.windowUs = windowUs;
        event.after = state;
        table[state.key].seenUs = now + offset;
        engine.take(event, now);
    }
    /** Passes time, and steps whenever the engine says so. */
    void pass(qint64 seconds)
    {
        const qint64 until = now + seconds * kSecond;
        for (int steps = 0; steps < 100'000; ++steps) {
            const auto due = engine.dueUs();
            if (!due || *due > until)
                break;
            now = std::max(now, *due);
            step();
        }
        now = until;
        step();
    }
    void step()
    {
        engine.step(now);
        for (const Alert &alert : engine.takeChanges()) {
            if (alert.isResolved())
                over.append(alert);
            else if (!known.contains(alert.id))
                fired.append(alert);
            known.insert(alert.id, alert);
        }
    }
    qint64 at(qint64 us) const { return (us - kStart) / kSecond; }

    QHash<LockKey, LockState> table;
    AlertSettings settings;
    domain::SourceState source;
    qint64 now = kStart;
    qint64 offset = 7 * kSecond; ///< the store's clock is ahead
    quint64 seq = 0;
    AlertEngine engine{[this](const LockKey &key) {
        const auto it = table.constFind(key);
        return it == table.constEnd() ? std::nullopt : std::optional(*it);
    }};
    QList<Alert> fired;
    QList<Alert> over;
    QHash<QByteArray, Alert> known;
};

} // namespace

class TestAlertEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void firesOnceAndEndsOnce();
    void forCountsObservedTimeOnly();
    void levelsFireByTimeAlone();
    void aPolledLevelFiresOnceSeen();
    void aSleepDelaysWhatIsPushed();
    void aClockJumpFiresAndEndsNothing_data();
    void aClockJumpFiresAndEndsNothing();
    void levels_data();
    void levels();
    void endsBelowItsOwnThreshold();
    void flapsAreOneAlert();
    void momentsEndAfterQuiet();
    void nothingEndsUnseen();
    void aDownSourceIsOneAlert();
    void standbyEndsItsAlerts();
    void settlesFirst();
    void aRestartKeepsItsAlerts();
    void aRestartEndsWhatIsOver();
    void manyAreOneStorm();
    void absentIsNoticed();
    void aNamedLockIsMissedUnseen();
    void locksHeldByDesign();
    void ratioOfItsOwnHolds();
    void inexactHoldsDontCount();
    void holderChangesWithinTheHour();
    void rootBlockersAreOneAlert();
    void deadlocks();
    void reloadEndsRemovedRules();
    void agentAndReceivers();
};

void TestAlertEngine::firesOnceAndEndsOnce()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck)});
    LockState &lock = rig.held();
    lock.stuck = domain::StuckReason::NoExpiry;
    rig.event(EventKind::Stuck, lock);
    rig.pass(1);
    rig.show(lock);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].lock, lock.key);
    QCOMPARE(rig.fired[0].holder, QByteArray("w1"));
    QCOMPARE(rig.at(rig.fired[0].firedUs), 0);
    lock.stuck = domain::StuckReason::None;
    rig.event(EventKind::Unstuck, lock);
    rig.pass(5);
    QCOMPARE(rig.over.size(), 1);
    QCOMPARE(rig.over[0].id, rig.fired[0].id);
    QCOMPARE(rig.at(*rig.over[0].resolvedUs), 2);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.engine.activeCount(), 0);
}

void TestAlertEngine::forCountsObservedTimeOnly()
{
    AlertRule rule = ruleFor(AlertCondition::Stuck);
    rule.forUs = 60 * kSecond;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    lock.stuck = domain::StuckReason::NoExpiry;
    rig.show(lock);
    rig.pass(40);
    rig.link(domain::Link::Down);
    rig.pass(300);
    QCOMPARE(rig.fired.size(), 0);
    rig.link(domain::Link::Up);
    rig.show(lock);
    rig.pass(19);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.at(rig.fired[0].firedUs), 360);
}

void TestAlertEngine::levelsFireByTimeAlone()
{
    AlertRule rule = ruleFor(AlertCondition::LongestWait);
    rule.threshold = rule.clear = 60 * kSecond;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    lock.waiters = {{"w2", rig.now + rig.offset, {}, 0}};
    rig.show(lock);
    rig.pass(59);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.at(rig.fired[0].firedUs), 60);
    QCOMPARE(*rig.fired[0].value, 60 * kSecond);
    QCOMPARE(rig.fired[0].detail.value(QLatin1String("sessions")).toInt(), 1);
    lock.waiters.clear();
    rig.show(lock);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
}

/** The lock may be free since the last poll. */
void TestAlertEngine::aPolledLevelFiresOnceSeen()
{
    AlertRule rule = ruleFor(AlertCondition::HeldFor);
    rule.threshold = rule.clear = 60 * kSecond;
    EngineRig rig({rule});
    rig.poll();
    LockState &lock = rig.held();
    rig.show(lock);
    rig.pass(55);
    rig.scan();
    rig.pass(9);
    QCOMPARE(rig.fired.size(), 0); // last seen at 55 s
    LockState other = lock;
    other.owner = "w2"; // the poll at 64 s finds another holder
    other.acquiredUs = rig.now + rig.offset - 5 * kSecond;
    lock = other;
    rig.event(EventKind::TakenOver, lock, 9 * kSecond);
    rig.scan();
    rig.pass(50);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(10); // held since 59 s, at most until 64 s seen
    QCOMPARE(rig.fired.size(), 0);
    rig.source.lastSeenWallUs = rig.now - kSecond; // the scan ended a moment ago
    rig.engine.showSource(rig.source, rig.now);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].holder, QByteArray("w2"));
    QCOMPARE(rig.at(rig.fired[0].firedUs), 124);
}

/** After a sleep, the changes that the store pushed meanwhile aren't taken yet. */
void TestAlertEngine::aSleepDelaysWhatIsPushed()
{
    AlertRule rule = ruleFor(AlertCondition::HeldFor);
    rule.threshold = rule.clear = 60 * kSecond;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    rig.show(lock);
    rig.pass(10);
    rig.engine.wake(rig.now, rig.now + 100 * kSecond);
    rig.now += 100 * kSecond;
    rig.engine.showSource(rig.source, rig.now); // as it was before the sleep
    rig.step();
    QCOMPARE(rig.fired.size(), 0);
    rig.table.remove(lock.key); // it was released meanwhile
    rig.engine.removeLock({kSource, "redis.token", "db0", "a"}, rig.now);
    rig.scan();
    rig.pass(10);
    QCOMPARE(rig.fired.size(), 0);
}

void TestAlertEngine::aClockJumpFiresAndEndsNothing_data()
{
    QTest::addColumn<qint64>("jump");
    QTest::newRow("forward") << 3'600 * kSecond;
    QTest::newRow("back") << -3'600 * kSecond;
}

/** The agent's wall clock is set. The store's clock goes on, so that its offset is wrong until the next scan.
 */
void TestAlertEngine::aClockJumpFiresAndEndsNothing()
{
    QFETCH(qint64, jump);
    AlertRule rule = ruleFor(AlertCondition::HeldFor);
    rule.threshold = rule.clear = 60 * kSecond;
    EngineRig rig({rule});
    const auto jumpNow = [&] {
        rig.engine.wake(rig.now, rig.now + jump);
        rig.now += jump;
        rig.engine.showSource(rig.source, rig.now);
        rig.step();
    };
    const auto scanWithOffset = [&] {
        rig.offset -= jump;
        rig.source.clockOffsetUs = rig.offset;
        rig.scan();
    };
    const LockState &lock = rig.held();
    rig.show(lock);
    rig.pass(10);
    jumpNow();
    QCOMPARE(rig.fired.size(), 0);
    scanWithOffset();
    rig.pass(49);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.fired.size(), 1);
    jumpNow();
    QCOMPARE(rig.over.size(), 0);
    scanWithOffset();
    rig.pass(10);
    QCOMPARE(rig.over.size(), 0);
    QCOMPARE(rig.fired.size(), 1);
}

void TestAlertEngine::levels_data()
{
    QTest::addColumn<int>("condition");
    QTest::addColumn<qint64>("threshold");
    QTest::addColumn<qint64>("firesAt"); // −1: never

    const auto row = [](const char *name, AlertCondition when, qint64 threshold, qint64 firesAt) {
        QTest::newRow(name) << int(when) << threshold << firesAt;
    };
    // Two waiters since 0 and 10 s, held since 0, two renewals with a gap of 27 s of a lease of 30 s.
    row("longest wait", AlertCondition::LongestWait, 60 * kSecond, 60);
    row("waiting now", AlertCondition::WaitingNow, 60 * kSecond, 35);
    row("waiters reached", AlertCondition::Waiters, 2, 10);
    row("waiters not reached", AlertCondition::Waiters, 3, -1);
    row("held for", AlertCondition::HeldFor, 100 * kSecond, 100);
    row("a margin below", AlertCondition::LeaseMargin, 101, 10);
    row("a margin that is kept", AlertCondition::LeaseMargin, 100, -1);
}

void TestAlertEngine::levels()
{
    QFETCH(int, condition);
    QFETCH(qint64, threshold);
    QFETCH(qint64, firesAt);
    AlertRule rule = ruleFor(AlertCondition(condition));
    rule.threshold = rule.clear = threshold;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    const qint64 since = rig.now + rig.offset;
    lock.waiters = {{"w2", since, {}, 0}};
    rig.show(lock);
    rig.pass(10);
    lock.waiters.append({"w3", since + 10 * kSecond, {}, 0});
    lock.renewals = 2;
    lock.ttlMs = 30'000;
    lock.longestRenewalGapUs = 27 * kSecond;
    rig.show(lock);
    rig.pass(200);
    QCOMPARE(rig.fired.size(), firesAt < 0 ? 0 : 1);
    if (firesAt >= 0)
        QCOMPARE(rig.at(rig.fired[0].firedUs), firesAt);
}

void TestAlertEngine::endsBelowItsOwnThreshold()
{
    AlertRule rule = ruleFor(AlertCondition::Waiters);
    rule.threshold = 10;
    rule.clear = 5;
    rule.clearForUs = 20 * kSecond;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    const auto wait = [&](int count) {
        lock.waitersVisible = false;
        lock.waiting = quint32(count);
        rig.show(lock);
        rig.pass(10);
    };
    wait(10);
    QCOMPARE(rig.fired.size(), 1);
    wait(7);
    wait(7);
    wait(7);
    QCOMPARE(rig.over.size(), 0);
    wait(4);
    QCOMPARE(rig.over.size(), 0);
    wait(4);
    wait(4);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::flapsAreOneAlert()
{
    AlertRule rule = ruleFor(AlertCondition::Stuck);
    rule.clearForUs = 30 * kSecond;
    EngineRig rig({rule});
    LockState &lock = rig.held();
    for (int i = 0; i < 4; ++i) {
        lock.stuck = domain::StuckReason::NoExpiry;
        rig.show(lock);
        rig.pass(5);
        lock.stuck = domain::StuckReason::None;
        rig.show(lock);
        rig.pass(5);
    }
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.over.size(), 0);
    rig.pass(30);
    QCOMPARE(rig.over.size(), 1);
    QCOMPARE(rig.over[0].repeats, 3);
}

void TestAlertEngine::momentsEndAfterQuiet()
{
    AlertRule rule = ruleFor(AlertCondition::ForceReleased);
    rule.clearForUs = 600 * kSecond;
    EngineRig rig({rule}, 60); // moments don't wait for the settling time
    LockState lock = rig.held();
    lock.phase = domain::Phase::Free;
    rig.table[lock.key] = lock;
    rig.event(EventKind::ForceReleased, lock);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    rig.pass(300);
    rig.event(EventKind::ForceReleased, lock);
    rig.pass(599);
    QCOMPARE(rig.over.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.over.size(), 1);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.over[0].repeats, 1);
}

void TestAlertEngine::nothingEndsUnseen()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck)});
    LockState &lock = rig.held();
    lock.stuck = domain::StuckReason::NoExpiry;
    rig.show(lock);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    // A lock that can't be read isn't over.
    LockState unreadable = lock;
    unreadable.phase = domain::Phase::Unknown;
    unreadable.stuck = domain::StuckReason::None;
    rig.show(unreadable);
    rig.pass(100);
    QCOMPARE(rig.over.size(), 0);
    // The agent doesn't see the source, and its table loses the lock.
    rig.link(domain::Link::Down);
    rig.engine.removeLock(lock.key, rig.now);
    rig.pass(100);
    QCOMPARE(rig.over.size(), 0);
    // A gap that is open, over a link that is up.
    rig.source.gapSinceUs = rig.now + rig.offset;
    rig.link(domain::Link::Up);
    rig.table[lock.key].stuck = domain::StuckReason::None;
    rig.pass(100);
    QCOMPARE(rig.over.size(), 0);
    rig.source.gapSinceUs.reset();
    rig.link(domain::Link::Up);
    rig.show(rig.table[lock.key]);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::aDownSourceIsOneAlert()
{
    AlertRule down = ruleFor(AlertCondition::SourceDown);
    down.forUs = 30 * kSecond;
    AlertRule wait = ruleFor(AlertCondition::LongestWait);
    wait.threshold = wait.clear = 60 * kSecond;
    EngineRig rig({down, wait, ruleFor(AlertCondition::Gap)});
    for (int i = 0; i < 5; ++i) {
        LockState &lock = rig.held(QByteArray::number(i));
        lock.waiters = {{"w2", rig.now + rig.offset, {}, 0}};
        rig.show(lock);
    }
    rig.pass(10);
    rig.source.gapSinceUs = rig.now + rig.offset;
    rig.source.error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"), {}};
    rig.link(domain::Link::Down);
    rig.pass(600);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].condition, AlertCondition::SourceDown);
    QCOMPARE(rig.at(rig.fired[0].firedUs), 40);
    QCOMPARE(rig.fired[0].detail.value(QLatin1String("cause")).toString(),
             QStringLiteral("connection refused"));
}

void TestAlertEngine::standbyEndsItsAlerts()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck), ruleFor(AlertCondition::SourceDown)});
    rig.held().stuck = domain::StuckReason::NoExpiry;
    rig.show(rig.lock());
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    rig.link(domain::Link::Standby);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
    rig.link(domain::Link::Up);
    rig.show(rig.lock());
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 2);
}

void TestAlertEngine::settlesFirst()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck)}, 30);
    LockState &lock = rig.held();
    lock.stuck = domain::StuckReason::NoExpiry;
    rig.show(lock);
    rig.pass(29);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.fired.size(), 1);
}

void TestAlertEngine::aRestartKeepsItsAlerts()
{
    EngineRig before({ruleFor(AlertCondition::Stuck)});
    before.held().stuck = domain::StuckReason::NoExpiry;
    before.show(before.lock());
    before.pass(1);
    QCOMPARE(before.fired.size(), 1);

    EngineRig after({ruleFor(AlertCondition::Stuck)}, 30);
    after.now = before.now;
    after.engine.restore(before.fired);
    after.table = before.table;
    after.show(after.lock());
    after.engine.endTable(kSource, after.now);
    after.pass(600);
    QCOMPARE(after.fired.size(), 0);
    QCOMPARE(after.over.size(), 0);
    QCOMPARE(after.engine.activeCount(), 1);
}

void TestAlertEngine::aRestartEndsWhatIsOver()
{
    EngineRig before({ruleFor(AlertCondition::Stuck), ruleFor(AlertCondition::Expired)});
    before.held().stuck = domain::StuckReason::NoExpiry;
    before.show(before.lock());
    before.pass(1);
    QCOMPARE(before.fired.size(), 1);

    EngineRig after({ruleFor(AlertCondition::Stuck)}, 30);
    after.engine.restore(before.fired);
    after.pass(600); // the table hasn't been shown whole
    QCOMPARE(after.over.size(), 0);
    after.engine.endTable(kSource, after.now);
    after.pass(1);
    QCOMPARE(after.over.size(), 1);
    QCOMPARE(after.over[0].id, before.fired[0].id);
}

void TestAlertEngine::manyAreOneStorm()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck)});
    for (int i = 0; i < 10'000; ++i) {
        LockState &lock = rig.held("lock:" + QByteArray::number(i));
        lock.stuck = domain::StuckReason::NoExpiry;
        rig.show(lock);
    }
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    const Alert storm = rig.known.value(rig.fired[0].id);
    QCOMPARE(storm.detail.value(QLatin1String("count")).toInt(), 10'000);
    QCOMPARE(storm.detail.value(QLatin1String("worst")).toArray().size(), 10);
    QVERIFY(!storm.isOfLock());
    for (LockState &lock : rig.table) {
        lock.stuck = domain::StuckReason::None;
        rig.show(lock);
    }
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
    QCOMPARE(rig.over[0].id, storm.id);
}

void TestAlertEngine::absentIsNoticed()
{
    AlertRule rule = ruleFor(AlertCondition::Absent);
    rule.threshold = rule.clear = 120 * kSecond;
    EngineRig rig({rule});
    rig.show(rig.held("scheduler"));
    rig.pass(1'000);
    QCOMPARE(rig.fired.size(), 0);
    LockState &lock = rig.lock("scheduler");
    lock.phase = domain::Phase::Free;
    rig.event(EventKind::Released, lock);
    rig.pass(119);
    QCOMPARE(rig.fired.size(), 0);
    rig.pass(2);
    QCOMPARE(rig.fired.size(), 1);
    rig.event(EventKind::Acquired, rig.held("scheduler"));
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::aNamedLockIsMissedUnseen()
{
    AlertRule rule = ruleFor(AlertCondition::Absent);
    rule.match = "scheduler";
    rule.threshold = rule.clear = 120 * kSecond;
    EngineRig rig({rule});
    rig.pass(600);
    QCOMPARE(rig.fired.size(), 0); // nothing is known before the table was shown
    rig.engine.endTable(kSource, rig.now);
    rig.pass(121);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].lock.name, QByteArray("scheduler"));
    rig.event(EventKind::Acquired, rig.held("scheduler"));
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
    QCOMPARE(rig.engine.activeCount(), 0);
}

void TestAlertEngine::locksHeldByDesign()
{
    AlertRule held = ruleFor(AlertCondition::HeldFor);
    held.threshold = held.clear = 60 * kSecond;
    EngineRig rig({held, ruleFor(AlertCondition::Stuck), ruleFor(AlertCondition::TakenOver)});
    rig.settings.expected = {{kSource, "redis.token", "leader*"}};
    rig.engine.configure(rig.settings, rig.now);
    LockState &lock = rig.held("leader");
    lock.stuck = domain::StuckReason::NoExpiry;
    rig.show(lock);
    rig.show(rig.held("job"));
    rig.pass(100);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].lock.name, QByteArray("job"));
    lock.owner = "w2";
    rig.event(EventKind::TakenOver, lock);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 2);
    QCOMPARE(rig.fired[1].condition, AlertCondition::TakenOver);
}

void TestAlertEngine::ratioOfItsOwnHolds()
{
    AlertRule rule = ruleFor(AlertCondition::HeldRatio);
    rule.threshold = rule.clear = 5'000; // five times
    EngineRig rig({rule});
    for (int i = 0; i < 30; ++i) {
        rig.event(EventKind::Acquired, rig.held());
        rig.pass(i == 0 ? 200 : 10); // with fewer than 20 holds, nothing is unusual
        LockState &lock = rig.lock();
        lock.phase = domain::Phase::Free;
        rig.event(EventKind::Released, lock);
        rig.pass(1);
    }
    QCOMPARE(rig.fired.size(), 0);
    for (int i = 0; i < 200; ++i) {
        rig.event(EventKind::Acquired, rig.held());
        rig.pass(10);
        LockState &lock = rig.lock();
        lock.phase = domain::Phase::Free;
        rig.event(EventKind::Released, lock);
    }
    rig.event(EventKind::Acquired, rig.held());
    const qint64 began = rig.now;
    rig.pass(100);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].firedUs - began, 50 * kSecond);
}

void TestAlertEngine::inexactHoldsDontCount()
{
    AlertRule rule = ruleFor(AlertCondition::HeldRatio);
    rule.threshold = rule.clear = 5'000;
    EngineRig rig({rule});
    for (int i = 0; i < 50; ++i) {
        rig.event(EventKind::Acquired, rig.held(), kSecond);
        rig.pass(9);
        LockState &lock = rig.lock();
        lock.phase = domain::Phase::Free;
        rig.event(EventKind::Released, lock);
    }
    rig.event(EventKind::Acquired, rig.held());
    rig.pass(1'000);
    QCOMPARE(rig.fired.size(), 0); // each length was known to a ninth of it only
}

void TestAlertEngine::holderChangesWithinTheHour()
{
    AlertRule rule = ruleFor(AlertCondition::HolderChanges);
    rule.threshold = rule.clear = 3;
    EngineRig rig({rule});
    for (int i = 0; i < 3; ++i) {
        LockState &lock = rig.held("leader");
        lock.owner = "n" + QByteArray::number(i);
        rig.event(EventKind::TakenOver, lock);
        rig.pass(600);
    }
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.at(rig.fired[0].firedUs), 1'200);
    rig.pass(3'600);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::rootBlockersAreOneAlert()
{
    AlertRule rule = ruleFor(AlertCondition::WaitingNow);
    rule.threshold = rule.clear = 60 * kSecond;
    EngineRig rig({rule});
    domain::WaitGraph graph;
    graph.source = kSource;
    graph.sessions = sessionsOf({"1", "2", "3"});
    const LockKey first{kSource, "sql.row", "app.jobs", "7"};
    const LockKey second{kSource, "sql.row", "app.jobs", "8"};
    const qint64 since = rig.now + rig.offset;
    graph.edges = {{"2", "1", first, since, 0, {}}, {"3", "2", second, since, 0, {}}};
    for (int i = 0; i < 10; ++i) {
        graph.beganUs = graph.endedUs = rig.now + rig.offset;
        rig.engine.showGraph(graph, rig.now);
        rig.pass(5);
    }
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.at(rig.fired[0].firedUs), 30);
    QCOMPARE(rig.fired[0].lock, first);
    QCOMPARE(rig.fired[0].holder, QByteArray("1"));
    QCOMPARE(rig.fired[0].detail.value(QLatin1String("sessions")).toInt(), 2);
    QCOMPARE(rig.fired[0].detail.value(QLatin1String("chain")).toArray().toVariantList(),
             QVariantList({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")}));
    graph.edges.clear();
    graph.sessions.clear();
    rig.engine.showGraph(graph, rig.now);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::deadlocks()
{
    EngineRig rig({ruleFor(AlertCondition::Deadlock)});
    domain::WaitGraph graph;
    graph.source = kSource;
    graph.sessions = sessionsOf({"1", "2"});
    const LockKey first{kSource, "sql.row", "app.jobs", "7"};
    const LockKey second{kSource, "sql.row", "app.jobs", "8"};
    graph.edges = {{"2", "1", first, rig.now, 0, {}}, {"1", "2", second, rig.now, 0, {}}};
    rig.engine.showGraph(graph, rig.now);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    QCOMPARE(rig.fired[0].detail.value(QLatin1String("chain")).toArray().size(), 2);
}

void TestAlertEngine::reloadEndsRemovedRules()
{
    EngineRig rig({ruleFor(AlertCondition::Stuck)});
    rig.held().stuck = domain::StuckReason::NoExpiry;
    rig.show(rig.lock());
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1);
    rig.settings.rules = {ruleFor(AlertCondition::Expired)};
    rig.engine.configure(rig.settings, rig.now);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 1);
}

void TestAlertEngine::agentAndReceivers()
{
    EngineRig rig({ruleFor(AlertCondition::AuditFailing), ruleFor(AlertCondition::ReloadFailed),
                   ruleFor(AlertCondition::ReceiverFailing), ruleFor(AlertCondition::AlwaysFiring)});
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 1); // the heartbeat
    rig.engine.showAgent({{base::ErrorCode::Storage, QStringLiteral("disk full"), {}}, true}, rig.now);
    rig.engine.showReceiver(QStringLiteral("oncall"),
                            {base::ErrorCode::Unreachable, QStringLiteral("refused"), {}}, rig.now);
    rig.pass(1);
    QCOMPARE(rig.fired.size(), 4);
    rig.engine.showAgent({}, rig.now);
    rig.engine.showReceiver(QStringLiteral("oncall"), {}, rig.now);
    rig.pass(1);
    QCOMPARE(rig.over.size(), 3);
}

LOCKKEEPER_TEST(TestAlertEngine)

} // namespace tst_alert_engine

#include "tst_alert_engine.moc"
