// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/lock_observer.h"

#include "agent/engine/conditions.h"
#include "agent/engine/gap_tracker.h"
#include "agent/engine/pending_releases.h"
#include "agent/engine/scan_scheduler.h"
#include "shared/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::agent::engine {

using domain::ExpiryKind;
using domain::Phase;
using domain::StuckReason;
using events::EventKind;
using stores::Observation;

namespace {

/** By Phase, for the detail of `changed` events. */
constexpr std::array<events::TableState, 5> kShownStates{
    events::TableState::Free, events::TableState::Held, events::TableState::Expired,
    events::TableState::Optimistic, events::TableState::Unknown};

} // namespace

LockObserver::Shown::Shown(const LockRecord &record, const Frame &frame)
    : phase(record.shownPhase()),
      expiry(record.expiry),
      expiresUs(record.expiresUs),
      server(record.server),
      journalled(record.journalled),
      sinceUs(record.seenUs == 0 ? frame.absentSinceUs : record.seenBeganUs())
{
}

void LockObserver::count(const LockRecord &record, int sign)
{
    if (record.gone)
        return;
    m_context.source.counts.total += sign;
    if (record.indeterminate || record.unseen)
        return;
    switch (record.phase) {
    case Phase::Held:
        m_context.source.counts.held += sign;
        if (record.expiry == domain::ExpiryKind::None && hasExpiries(m_context.spec.locks.at(record.set)))
            m_withoutExpiry += sign;
        break;
    case Phase::Expired:
        m_context.source.counts.expired += sign;
        break;
    case Phase::Free:
    case Phase::Optimistic:
        m_context.source.counts.free += sign;
        break;
    case Phase::Unknown:
        break;
    }
    if (record.stuck != StuckReason::None)
        m_context.source.counts.stuck += sign;
    if (record.isOccupied() && record.extras && record.extras->isContended())
        m_context.source.counts.contended += sign;
}

void LockObserver::observe(const Observation &seen, const Frame &frame, Instant now, EngineStep &step)
{
    if (seen.set >= m_context.spec.locks.size())
        return;
    quint32 index = m_context.table.find(seen.set, seen.name);
    const LockRecord *known = index != LockTable::kNone ? &std::as_const(m_context.table).at(index) : nullptr;
    if (seen.flaw == stores::Flaw::Indeterminate || mayBeRenewed(known, seen, frame)) {
        leaveIndeterminate(index, seen, frame, now, step);
        return;
    }
    if (index != LockTable::kNone && m_context.table.at(index).indeterminate &&
        !m_context.table.at(index).isOccupied()) {
        observe(seen, forgetIndeterminate(index, seen, frame, step), now, step);
        return;
    }
    if (index == LockTable::kNone) {
        if (!seen.present)
            return;
        Frame first = frame;
        if (!m_scheduler.isCovered({seen.set, seen.name}))
            first.absentSinceUs = std::min(frame.absentSinceUs, m_scheduler.wholeSinceUs());
        const Verdict verdict = diff(nullptr, seen, first);
        index = m_context.table.insert(seen.set, seen.name);
        if (first.shownUnknown) {
            m_context.table.at(index).phase = Phase::Unknown;
            m_context.table.at(index).journalled = true;
        }
        change(index, seen, first, verdict, now, step);
        return;
    }
    LockRecord &record = m_context.table.at(index);
    m_scheduler.reads().settle(record);
    if (seen.present)
        record.scanStamp = m_scheduler.stamp();
    Frame here = frame;
    if (record.server != seen.server && record.expiresBy == domain::Evidence::Ttl)
        here.aheadUs = m_context.clock.aheadUs(seen.server, record.server);
    here.brokenUs = m_releases.brokenUs(record);
    const Verdict verdict = diff(&record, seen, here);
    if (seen.present && !verdict.end)
        m_releases.stillHeld(record, now);
    switch (verdict.reading) {
    case Interpretation::Ignore:
        return;
    case Interpretation::ReadAgain:
        // Until the lock is read again, the next pushed change may not be all that has happened to it.
        record.pushed = false;
        record.scanStamp = 0;
        m_scheduler.reads().add(record, index);
        return;
    case Interpretation::Changed:
    case Interpretation::Forget:
        change(index, seen, frame, verdict, now, step);
        break;
    case Interpretation::Same:
        keep(index, seen, frame, step);
        break;
    }
    if (seen.present)
        m_context.table.at(index).serverGone = 0;
}

void LockObserver::hide(const std::function<bool(const stores::Subject &)> &isIn, EngineStep &step)
{
    LockTable &table = m_context.table;
    for (quint32 index = 0; index < table.end(); ++index) {
        const LockRecord &record = std::as_const(table).at(index);
        if (!table.isUsed(index) || record.gone || record.unseen ||
            !isIn({record.set, record.name().toByteArray()}))
            continue;
        LockRecord &hidden = table.at(index);
        count(hidden, -1);
        hidden.unseen = true;
        count(hidden, 1);
        step.updates.append(m_context.builder.stateOf(hidden));
    }
}

/** Seen again with the same holder. */
void LockObserver::keep(quint32 index, const Observation &seen, const Frame &frame, EngineStep &step)
{
    LockRecord &record = m_context.table.at(index);
    const Shown before(record, frame);
    const qint64 windowUs = frame.bracket.endedUs - record.seenBeganUs();
    const bool newInstance = record.epoch < m_context.restartEpoch && !record.gone;
    const bool moved = record.server != seen.server;
    const bool decidedAgain = record.indeterminate || record.unseen;
    if (decidedAgain) {
        count(record, -1);
        record.indeterminate = record.unseen = false;
        count(record, 1);
    }
    bool told = false;
    const bool changed = keepDetails(record, seen, frame, step, told);
    // Only a later sighting moves the time: of two overlapping sightings, the end of either is good enough.
    // The bracket of a replica that may be hours behind is too long for a record.
    if (frame.bracket.endedUs >= record.seenUs && frame.staleUs <= LockRecord::kLongestSpanUs) {
        record.noteSeen(frame.sighting());
        record.server = seen.server;
    }
    record.epoch = frame.epoch;
    noteFreshness(record, seen, frame, false);
    told = judgeStuck(record, {frame.knownUs(), frame.bracket.endedUs, windowUs}, step) || told;
    if (told)
        record.journalled = !record.gone;
    else if (changed || newInstance || moved || decidedAgain)
        show(record, before, frame, step); // its guard may name another instance now
    m_scheduler.schedule(record, index);
}

/** Updates the waiters, the holder's session and the version. Sets `told` if events carry its state. */
bool LockObserver::keepDetails(LockRecord &record, const Observation &seen, const Frame &frame,
                               EngineStep &step, bool &told)
{
    const bool bare = !record.extras && !record.waitersVisible && record.off == offOf(record, seen, frame) &&
                      !seen.waitersVisible && !seen.session && seen.fencing.isEmpty() && !seen.optimistic &&
                      seen.nodes.isEmpty() && !seen.waiting && seen.mode.isEmpty();
    // If two overlapping sightings differ, their order is unknown: wait for the next one.
    if (bare || (!frame.pushed && frame.bracket.beganUs < record.seenUs))
        return false;
    Waits waits = waitsOf(&record, seen, frame, Verdict());
    count(record, -1);
    const bool changed = absorbDetails(record, seen, frame, waits);
    count(record, 1);
    told = emitWaits(record, waits, record.epoch != frame.epoch, frame, step);
    return changed;
}

void LockObserver::change(quint32 index, const Observation &seen, const Frame &frame, const Verdict &verdict,
                          Instant now, EngineStep &step)
{
    LockRecord &record = m_context.table.at(index);
    const Shown before(record, frame);
    const bool isNew = record.seenUs == 0;
    const bool otherEpoch = record.epoch != frame.epoch && !isNew;
    if (frame.clientClock && seen.acquiredUs && (isNew || record.identity() != seen.identity))
        m_clients.note(*seen.acquiredUs, isNew ? frame.absentSinceUs : record.seenBeganUs(),
                       frame.bracket.endedUs);
    Waits waits = waitsOf(isNew ? nullptr : &record, seen, frame, verdict);
    if (verdict.reading == Interpretation::Forget) {
        forget(index, waits, otherEpoch, frame, step);
        return;
    }
    const qint64 windowUs = isNew ? 0 : frame.bracket.endedUs - record.seenBeganUs();
    const bool hadEnd = verdict.end && record.hasHold();
    Past past = hadEnd ? m_context.builder.pastOf(record, frame) : Past();
    past.lost = seen.lost;
    if (verdict.wentBack)
        past.rewound = past.beforeRestart = true;
    if (!hadEnd && !record.identity().isEmpty())
        past.previous = record.identityHash();
    if (hadEnd && verdict.end->expired && !verdict.takenOver && seen.present && seen.nodes.isEmpty() &&
        seen.expiry == domain::ExpiryKind::At)
        past.expiresUs = std::min(seen.expiresUs, verdict.end->timeUs);
    const std::optional<Forced> cause =
        hadEnd ? m_releases.takeForced(record, seen, *verdict.end, now) : std::nullopt;
    if (!isNew)
        count(record, -1);
    record.indeterminate = record.unseen = false;
    absorb(record, seen, frame, verdict);
    absorbDetails(record, seen, frame, waits);
    noteFreshness(record, seen, frame, verdict.begin.has_value());
    record.scanStamp = m_scheduler.stamp();
    count(record, 1);
    bool told = emitChange(record, past, frame, verdict, cause ? &*cause : nullptr, step);
    told = emitWaits(record, waits, otherEpoch, frame, step) || told;
    told = judgeStuck(record, {frame.knownUs(), frame.bracket.endedUs, windowUs}, step) || told;
    if (verdict.renewed)
        emitRenewal(record, frame, step);
    if (told || (verdict.renewed && m_context.spec.journalRenewals))
        record.journalled = !record.gone;
    else
        show(record, before, frame, step);
    m_scheduler.schedule(record, index);
}

/** Removes a lock that nobody held and that is gone. */
void LockObserver::forget(quint32 index, const Waits &waits, bool otherEpoch, const Frame &frame,
                          EngineStep &step)
{
    LockRecord &record = m_context.table.at(index);
    const Shown before(record, frame);
    count(record, -1);
    record.gone = true;
    if (!emitWaits(record, waits, otherEpoch, frame, step))
        show(record, before, frame, step);
    m_context.table.remove(index);
}

/**
 * Returns true if it made an event. Of several changes that were seen together only the last event shows the
 * waiters as observed. The others show the shorter of the two lists: a queue of hundreds that comes or goes
 * at once must not be written hundreds of times.
 */
bool LockObserver::emitWaits(const LockRecord &record, const Waits &waits, bool otherEpoch,
                             const Frame &frame, EngineStep &step)
{
    const QList<domain::Waiter> &shorter = waits.before.size() < waits.now.size() ? waits.before : waits.now;
    for (qsizetype i = 0; i < waits.changes.size(); ++i) {
        events::LockEvent event =
            m_context.builder.waited(waits.changes.at(i), record, otherEpoch, frame.bracket.endedUs);
        if (event.after && i + 1 < waits.changes.size())
            event.after->waiters = shorter;
        step.events.append(event);
    }
    return !waits.changes.isEmpty();
}

/** Returns true if an event carries the record's state already. */
bool LockObserver::emitChange(const LockRecord &record, const Past &past, const Frame &frame,
                              const Verdict &verdict, const Forced *cause, EngineStep &step)
{
    const qint64 observedUs = frame.bracket.endedUs;
    bool told = false;
    // A lease that ran out has ended already: the later removal of its row isn't another end.
    const bool endTold = past.phase == Phase::Expired && !cause;
    // If a server lost the lock, there was no hand-over.
    const bool replaced = verdict.takenOver && past.beforeRestart && !cause;
    const bool ranOutFirst = verdict.takenOver && verdict.end->expired;
    if (verdict.end && !endTold && (!verdict.takenOver || cause || replaced || ranOutFirst)) {
        const bool ranOut = (replaced || verdict.wentBack) &&
                            past.expiresUs.value_or(verdict.end->timeUs + 1) <= verdict.end->timeUs;
        const bool lost = past.lost || verdict.wentBack || (past.beforeRestart && (record.gone || replaced));
        const EventKind kind = cause                            ? EventKind::ForceReleased
                               : verdict.end->expired || ranOut ? EventKind::Expired
                               : lost                           ? EventKind::Lost
                                                                : EventKind::Released;
        events::LockEvent event = m_context.builder.ended(kind, record, past, *verdict.end, observedUs);
        if (cause)
            event.command = cause->command;
        if (cause && !cause->proven)
            event.detail.mayBeReleased = true;
        if (verdict.takenOver)
            event.after = m_context.builder.freeMoment(record, past);
        step.events.append(event);
        told = true;
    }
    if (verdict.begin) {
        const bool takenOver = verdict.takenOver && !cause && !replaced && !ranOutFirst && !endTold;
        events::LockEvent event = m_context.builder.began(
            takenOver ? EventKind::TakenOver : EventKind::Acquired, record, *verdict.begin, observedUs);
        if (takenOver)
            event.detail.previous.emplace(past.ownerKnown ? std::optional(base::textOf(past.owner))
                                                          : std::nullopt);
        m_gaps.noteReturn(event, record, past, verdict, replaced);
        step.events.append(event);
        told = true;
    }
    if (verdict.endAfter) {
        Past unseen = m_context.builder.pastOf(record, frame);
        unseen.ttlMs.reset();
        unseen.expiresUs.reset();
        unseen.seenUs = verdict.begin->timeUs;
        step.events.append(
            m_context.builder.ended(verdict.endAfter->expired ? EventKind::Expired : EventKind::Released,
                                    record, unseen, *verdict.endAfter, observedUs));
    }
    return told;
}

/** Returns true if it made an event. */
bool LockObserver::judgeStuck(LockRecord &record, const Sighting &sighting, EngineStep &step)
{
    const stores::LockSet &set = m_context.spec.locks.at(record.set);
    const StuckReason reason = stuckReason(record, set, sighting.knownUs);
    if (reason == record.stuck)
        return false;
    const StuckReason before = record.stuck;
    count(record, -1);
    record.stuck = reason;
    count(record, 1);
    if (!record.isOccupied())
        return false; // the event of its end has reported it
    const bool now = reason != StuckReason::None;
    events::LockEvent event =
        m_context.builder.event(now ? EventKind::Stuck : EventKind::Unstuck, record, sighting.observedUs);
    const bool isDated = now && reason != StuckReason::HolderGone;
    event.timeUs = isDated ? record.quietSinceUs + patienceUs(set) : sighting.observedUs;
    event.windowUs = now ? 0 : sighting.windowUs;
    event.detail.reason = now ? reason : before;
    step.events.append(event);
    return true;
}

void LockObserver::noteHolder(quint32 index, const QByteArray &guard, bool isGone, qint64 atUs,
                              EngineStep &step)
{
    const LockRecord &known = std::as_const(m_context.table).at(index);
    if (known.gone || !known.isOccupied() || known.indeterminate || known.unseen || known.restored ||
        guard.isEmpty() || m_context.builder.stateOf(known).guard != guard)
        return;
    if ((isGone && known.goneDenied) || (isGone == known.holderGone && !known.goneDenied))
        return;
    LockRecord &record = m_context.table.at(index);
    record.holderGone = isGone;
    record.goneDenied = false;
    if (judgeStuck(record, {record.seenBeganUs(), std::max(atUs, record.seenUs), 0}, step))
        record.journalled = true;
    m_scheduler.schedule(record, index);
}

/**
 * Publishes a state that no event carries. Past tables are rebuilt from events alone: if they would keep
 * showing another state, this makes an event, otherwise an update. Renewals are kept with their hold, and a
 * lock that was never held isn't kept.
 */
void LockObserver::show(LockRecord &record, const Shown &before, const Frame &frame, EngineStep &step)
{
    const Phase phase = record.shownPhase();
    const qint64 latestUs = record.expiresUs + std::max(record.slackUs, record.noiseUs);
    const bool nearer = latestUs < before.expiresUs && record.server == before.server;
    const bool moved = phase == Phase::Held && (record.expiry != before.expiry || nearer);
    const bool differs = before.journalled
                             ? record.gone || phase != before.phase || moved
                             : !record.gone && phase != Phase::Free && phase != Phase::Optimistic;
    if (!differs) {
        step.updates.append(record.gone ? m_context.builder.forgotten(record)
                                        : m_context.builder.stateOf(record));
        return;
    }
    events::LockEvent event = m_context.builder.event(EventKind::Changed, record, frame.bracket.endedUs);
    const qint64 sinceUs = frame.pushed ? frame.bracket.beganUs : std::max(before.sinceUs, frame.trueUntilUs);
    if (sinceUs != 0)
        event.windowUs = std::max<qint64>(0, event.timeUs - sinceUs);
    event.detail.state = record.gone ? events::TableState::Gone : kShownStates.at(size_t(phase));
    step.events.append(event);
    record.journalled = !record.gone;
}

void LockObserver::emitRenewal(const LockRecord &record, const Frame &frame, EngineStep &step)
{
    events::LockEvent event = m_context.builder.event(EventKind::Renewed, record, frame.bracket.endedUs);
    event.timeUs = record.renewedUs;
    (m_context.spec.journalRenewals ? step.events : step.renewals).append(event);
}

} // namespace lockkeeper::agent::engine
