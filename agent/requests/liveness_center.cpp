// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/liveness_center.h"

#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QSysInfo>

#include <algorithm>
#include <chrono>

namespace lockkeeper::agent::requests {

Q_LOGGING_CATEGORY(lcLiveness, "lockkeeper.liveness")

using namespace std::chrono_literals;
using domain::HolderCheck;
using domain::HolderEvidence;
using domain::HolderVerdict;
using domain::LockState;
using liveness::ProbeCause;
using liveness::ProbePermit;

namespace {

constexpr auto kCheckEvery = 500ms;
constexpr auto kLivenessWalkEvery = 20ms;
constexpr auto kUnobservedWalkEvery = 1'000ms;
constexpr quint32 kLivenessSlice = 1'000;
constexpr qsizetype kMostInTrouble = 10'000; ///< further locks are probed when somebody looks at them
constexpr qsizetype kMostKnown = 20'000;

QStringList namesOfThisHost()
{
    const QString name = QSysInfo::machineHostName();
    return {name, name.section(QLatin1Char('.'), 0, 0)};
}

bool isSameAcquisition(const domain::TimeUs &acquiredUs, const QByteArray &holder, const QByteArray &token,
                       const LockState &lock)
{
    return acquiredUs && acquiredUs == lock.acquiredUs && holder == lock.owner && token == lock.token;
}

HolderCheck emptyCheck(const domain::LockKey &key, HolderEvidence evidence, qint64 nowUs)
{
    HolderCheck check;
    check.lock = key;
    check.evidence = evidence;
    check.checkedUs = nowUs;
    return check;
}

} // namespace

LivenessCenter::LivenessCenter(release::SourceDirectory &sources, const base::Clock &clock,
                               ProbeMaker makeProbe, QObject *parent)
    : QObject(parent), m_sources(sources), m_clock(clock), m_makeProbe(std::move(makeProbe))
{
    connect(&m_step, &QTimer::timeout, this, &LivenessCenter::step);
    connect(&m_walk, &QTimer::timeout, this, &LivenessCenter::walkOn);
}

LivenessCenter::~LivenessCenter() = default;

void LivenessCenter::configure(const QList<config::LivenessRule> &rules)
{
    cancelAll({HolderVerdict::Unknown, HolderEvidence::Waiting});
    m_step.stop();
    m_finder = liveness::TargetFinder(rules, namesOfThisHost());
    m_known.clear(); // they were found by other rules
    m_inTrouble.clear();
    walkTables();
    if (!m_finder.isEmpty())
        m_step.start(kCheckEvery);
}

void LivenessCenter::stop()
{
    m_step.stop();
    m_walk.stop();
    cancelAll({HolderVerdict::Unknown,
               HolderEvidence::Failed,
               std::nullopt,
               {base::ErrorCode::Shutdown, QStringLiteral("the agent is shutting down"), {}}});
}

void LivenessCenter::cancelAll(const liveness::ProbeOutcome &outcome)
{
    while (!m_running.empty())
        probed(m_running.begin()->first, outcome);
}

void LivenessCenter::take(const QList<events::LockEvent> &events)
{
    if (m_finder.isEmpty())
        return;
    for (const events::LockEvent &event : events) {
        if (!m_finder.concerns(event.key))
            continue;
        const release::SourcePort *port = m_sources.source(event.key.source);
        const auto lock = port ? port->lock(event.key) : std::nullopt;
        if (lock)
            consider(*lock);
        else
            forget(event.key);
    }
}

void LivenessCenter::show(const QList<LockState> &locks, const QList<domain::LockKey> &removed)
{
    if (m_finder.isEmpty())
        return;
    for (const LockState &lock : locks) {
        if (m_finder.concerns(lock.key))
            consider(lock);
    }
    for (const domain::LockKey &key : removed)
        forget(key);
}

void LivenessCenter::walkTables()
{
    m_walks.clear();
    m_walk.start(0);
}

/** Looks through a slice of each table: also without rules, since a rule that is gone may have left locks
 * marked. */
void LivenessCenter::walkOn()
{
    bool isDone = true;
    bool hasWalked = false;
    for (release::SourcePort *port : m_sources.sources()) {
        quint32 &place = m_walks[port->spec().name];
        if (place == release::SourcePort::kNoPlace)
            continue;
        isDone = false;
        const domain::SourceState state = port->state();
        if (!isObserved(port) || state.gapSinceUs || !state.lastSeenUs)
            continue;
        hasWalked = true;
        for (const LockState &lock : port->locksFrom(place, kLivenessSlice)) {
            if (m_finder.concerns(lock.key))
                consider(lock);
            else if (lock.stuck == domain::StuckReason::HolderGone)
                port->holderChecked(lock.key, lock.guard, false);
        }
    }
    if (isDone)
        m_walk.stop();
    else
        m_walk.start(hasWalked ? kLivenessWalkEvery : kUnobservedWalkEvery);
}

bool LivenessCenter::isObserved(const release::SourcePort *port) const
{
    return port && port->link() != 0;
}

bool LivenessCenter::isInTrouble(const LockState &lock)
{
    return lock.isHeld() && (lock.stuck != domain::StuckReason::None ||
                             lock.phase == domain::Phase::Expired || lock.isContended());
}

void LivenessCenter::consider(const LockState &lock)
{
    if (const auto known = m_known.constFind(lock.key);
        known != m_known.cend() && lock.phase != domain::Phase::Unknown && !isValid(*known, lock))
        m_known.erase(known);
    if (!isInTrouble(lock))
        m_inTrouble.remove(lock.key);
    else if (m_inTrouble.size() < kMostInTrouble)
        m_inTrouble.insert(lock.key);
}

void LivenessCenter::forget(const domain::LockKey &key)
{
    m_known.remove(key);
    m_inTrouble.remove(key);
}

bool LivenessCenter::isValid(const KnownVerdict &known, const LockState &lock) const
{
    if (!lock.isHeld())
        return false;
    if (!lock.guard.isEmpty() && known.check.guard == lock.guard)
        return true;
    const bool mayFollow = known.check.verdict != HolderVerdict::Dead || lock.guard.isEmpty();
    return mayFollow && isSameAcquisition(known.acquiredUs, known.check.holder, known.token, lock);
}

std::optional<HolderCheck> LivenessCenter::checkOf(const LockState &lock) const
{
    const auto known = m_known.constFind(lock.key);
    if (known == m_known.cend() || !isValid(*known, lock))
        return std::nullopt;
    HolderCheck check = known->check;
    check.guard = lock.guard;
    return check;
}

void LivenessCenter::look(const domain::LockKey &key, const domain::Sight &sight, const Checks &done)
{
    const release::SourcePort *port =
        sight.sees(key.source) && sight.sees(key) ? m_sources.source(key.source) : nullptr;
    const auto lock = port ? port->lock(key) : std::nullopt;
    if (!lock || !lock->isHeld() || !lock->ownerKnown || lock->owner.isEmpty()) {
        done({emptyCheck(key, HolderEvidence::NoHolder, nowUs())});
        return;
    }
    const liveness::TargetChoice choice = m_finder.choose(key, lock->owner);
    HolderCheck draft = draftOf(*lock, choice);
    if (!choice.target) {
        draft.evidence = choice.why;
        done({draft});
        return;
    }
    const ProbePermit permit = probe(*lock, choice, ProbeCause::Look);
    if (permit == ProbePermit::Now || permit == ProbePermit::UnderWay) {
        m_running.at(m_runningOf.value(key)).waiting.append(done);
        return;
    }
    draft.evidence = HolderEvidence::Waiting;
    done({checkOf(*lock).value_or(draft)});
}

QList<HolderCheck> LivenessCenter::known(const domain::Sight &sight) const
{
    QList<HolderCheck> checks;
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        const domain::LockKey &key = it.key();
        const release::SourcePort *port =
            sight.sees(key.source) && sight.sees(key) ? m_sources.source(key.source) : nullptr;
        const auto lock = port ? port->lock(key) : std::nullopt;
        if (const auto check = lock ? checkOf(*lock) : std::nullopt)
            checks.append(*check);
    }
    return checks;
}

std::optional<release::HolderKnowledge> LivenessCenter::knowledge(const domain::LockKey &key,
                                                                  const QByteArray &guard) const
{
    const release::SourcePort *port = m_sources.source(key.source);
    const auto lock = port ? port->lock(key) : std::nullopt;
    if (!lock || lock->guard != guard)
        return std::nullopt;
    const auto check = checkOf(*lock);
    if (!check)
        return std::nullopt;
    const KnownVerdict &known = *m_known.constFind(key);
    const bool isFresh = m_clock.monotonicUs() - known.monotonicUs < 2 * known.everyUs;
    const bool isPinned = !guard.isEmpty() && known.check.guard == guard;
    return release::HolderKnowledge{*check, check->verdict == HolderVerdict::Dead && isFresh && isPinned};
}

HolderCheck LivenessCenter::draftOf(const LockState &lock, const liveness::TargetChoice &choice) const
{
    HolderCheck check = emptyCheck(lock.key, choice.why, nowUs());
    check.guard = lock.guard;
    check.holder = lock.owner;
    check.target = choice.shown;
    if (choice.rule) {
        check.rule = choice.rule->name;
        check.method = choice.rule->method;
    }
    return check;
}

ProbePermit LivenessCenter::probe(const LockState &lock, const liveness::TargetChoice &choice,
                                  ProbeCause cause)
{
    const qint64 nowUs = m_clock.monotonicUs();
    const ProbePermit permit =
        m_plan.permit(lock.key, {choice.rule->everyUs, choice.rule->budget}, cause, nowUs);
    if (permit != ProbePermit::Now)
        return permit;
    m_plan.begin(lock.key, nowUs);
    const quint64 run = ++m_lastRun;
    RunningProbe &running = m_running[run];
    running.asked = lock;
    running.draft = {draftOf(lock, choice), lock.token, lock.acquiredUs, 0, choice.rule->everyUs};
    m_runningOf.insert(lock.key, run);
    liveness::ProbeTarget target = *choice.target;
    if (const release::SourcePort *port = m_sources.source(lock.key.source);
        port && target.method == domain::LivenessMethod::Redis)
        target.source = port->spec();
    running.probe = m_makeProbe(target, acquiredWhen(lock),
                                [this, run](const liveness::ProbeOutcome &outcome) { probed(run, outcome); });
    running.probe->start();
    return permit;
}

/** By the agent's clock; empty if the store's times don't prove when the lock was acquired. */
std::optional<liveness::AcquiredWhen> LivenessCenter::acquiredWhen(const LockState &lock) const
{
    const release::SourcePort *port = m_sources.source(lock.key.source);
    const bool isProven = lock.acquiredBy == domain::Evidence::Observation ||
                          lock.acquiredBy == domain::Evidence::Notification ||
                          lock.acquiredBy == domain::Evidence::FirstSeen ||
                          (lock.acquiredBy == domain::Evidence::Column && port && !port->spec().clientClock);
    if (!port || !lock.acquiredUs || !isProven)
        return std::nullopt;
    const domain::SourceState state = port->state();
    const qint64 atUs = *lock.acquiredUs - state.clockOffsetUs;
    return liveness::AcquiredWhen{atUs - lock.windowUs - state.clockUncertaintyUs,
                                  atUs + state.clockUncertaintyUs};
}

void LivenessCenter::probed(quint64 run, const liveness::ProbeOutcome &outcome)
{
    const auto it = m_running.find(run);
    if (it == m_running.end())
        return;
    RunningProbe ended = std::move(it->second);
    m_running.erase(it);
    const domain::LockKey key = ended.asked.key;
    m_runningOf.remove(key);
    m_plan.end(key);
    if (ended.probe)
        ended.probe.release()->deleteLater(); // it may be calling
    KnownVerdict &found = ended.draft;
    found.monotonicUs = m_clock.monotonicUs();
    found.check.checkedUs = nowUs();
    found.check.verdict = outcome.verdict;
    found.check.evidence = outcome.evidence;
    found.check.number = outcome.number;
    found.check.error = outcome.error;
    const release::SourcePort *port = m_sources.source(key.source);
    const auto lock = port ? port->lock(key) : std::nullopt;
    HolderCheck answer = found.check;
    if (lock && isValid(found, *lock)) {
        keep(found);
        answer.guard = lock->guard;
        passOn(*lock, outcome.verdict);
    } else {
        // Another client holds the lock now, or nobody: nothing is known about that.
        answer = emptyCheck(key, lock && lock->isHeld() ? HolderEvidence::Waiting : HolderEvidence::NoHolder,
                            nowUs());
        if (lock && lock->isHeld()) {
            answer.guard = lock->guard;
            answer.holder = lock->owner;
        }
    }
    qCDebug(lcLiveness).noquote() << base::displayText(key.name) << release::livenessText(answer)
                                  << answer.error.line();
    for (const Checks &done : std::as_const(ended.waiting))
        done({answer});
}

void LivenessCenter::keep(const KnownVerdict &known)
{
    if (m_known.size() >= kMostKnown && !m_known.contains(known.check.lock)) {
        const auto oldest =
            std::min_element(m_known.cbegin(), m_known.cend(),
                             [](const auto &a, const auto &b) { return a.monotonicUs < b.monotonicUs; });
        m_known.erase(oldest);
    }
    m_known.insert(known.check.lock, known);
}

/** Dead marks the lock, alive unmarks it. An unknown verdict contradicts neither. */
void LivenessCenter::passOn(const LockState &lock, HolderVerdict verdict)
{
    release::SourcePort *port = m_sources.source(lock.key.source);
    if (port && verdict != HolderVerdict::Unknown && !lock.guard.isEmpty())
        port->holderChecked(lock.key, lock.guard, verdict == HolderVerdict::Dead);
}

/** Probes the locks in trouble, those first that were probed longest ago. */
void LivenessCenter::step()
{
    struct DueProbe
    {
        qint64 lastUs = 0;
        domain::LockKey key;
    };
    const qint64 nowUs = m_clock.monotonicUs();
    std::vector<DueProbe> due;
    for (const domain::LockKey &key : std::as_const(m_inTrouble))
        due.push_back({m_plan.lastUs(key).value_or(0), key});
    std::sort(due.begin(), due.end(),
              [](const DueProbe &a, const DueProbe &b) { return a.lastUs < b.lastUs; });
    for (const DueProbe &one : due) {
        if (m_plan.underWay() >= liveness::ProbePlan::kMostAtOnce)
            break;
        release::SourcePort *port = m_sources.source(one.key.source);
        if (port && !isObserved(port))
            continue;
        const auto lock = port ? port->lock(one.key) : std::nullopt;
        if (!lock || !isInTrouble(*lock)) {
            m_inTrouble.remove(one.key);
            continue;
        }
        const liveness::TargetChoice choice = m_finder.choose(one.key, lock->owner);
        if (choice.target)
            probe(*lock, choice, ProbeCause::Trouble);
        else if (lock->stuck == domain::StuckReason::HolderGone)
            port->holderChecked(lock->key, lock->guard, false); // a rule of the past found it
    }
    m_plan.forgetOld(nowUs);
}

} // namespace lockkeeper::agent::requests
