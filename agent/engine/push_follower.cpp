// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/push_follower.h"

#include "agent/engine/gap_tracker.h"
#include "agent/engine/lock_observer.h"
#include "agent/engine/pending_releases.h"
#include "agent/engine/scan_scheduler.h"
#include "shared/base/text.h"

#include <algorithm>
#include <utility>

/*
 * The changes that a store pushes come in its own order, and each is observed in a separate bracket: when it
 * happened. Scans continue beside them, through another connection, and may be ahead or behind:
 *
 * - Until a first whole scan has ended (isWhole()), scans are applied as usual. A record that was pushed
 *   already is newer. A scan ends only after the changes from before its end were pushed.
 * - From then on only the changes make the table. If a reading differs, the change may be on its way, or
 *   written to the log and not yet visible: the lock is read again after a while. If the reading still
 *   differs then, a change is missing that should have been pushed. The difference is journalled with its
 *   window, and counted.
 * - A difference that needs no change is applied at once. An example is a deadline that has passed over an
 *   unchanged row.
 * - When the store resumes after a pause, its next changes are older than any reading. The agent reads
 *   nothing until the store has answered whether it resumes. If a page was read nevertheless, only that
 *   reading counts.
 * - A reading that needs no change may still be ahead. An example is a row that was held and released before
 *   its changes come, or released and held again by the same token. When these changes come, that sighting
 *   doesn't bound them: see reopen().
 */

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::Link;
using domain::Phase;
using stores::Observation;

namespace {
constexpr qint64 kDoubtUs = 1'000'000;
constexpr qsizetype kMostAsked = 1'000;

/** The row as it was seen last. */
Observation lastSighting(const LockRecord &record)
{
    Observation seen;
    seen.set = record.set;
    seen.held = true;
    seen.ownerKnown = record.ownerKnown;
    seen.flaw = record.flaw;
    seen.expiry = record.expiry;
    seen.expiresBy = record.expiresBy;
    seen.name = record.name().toByteArray();
    seen.owner = record.owner().toByteArray();
    seen.token = record.token().toByteArray();
    seen.identity = record.identity().toByteArray();
    seen.expiresUs = record.expiresUs;
    seen.expirySlackUs = record.slackUs;
    seen.expiryNoiseUs = record.noiseUs;
    seen.ownIdentity = record.ownIdentity;
    seen.dated = record.dated;
    seen.depth = record.depth;
    return seen;
}

/** True if only the deadline has passed, over the same row or over the key that the store removed for it. */
bool isByDeadline(const LockRecord &record, const Observation &seen, const Verdict &verdict)
{
    if (!verdict.end || !verdict.end->expired || verdict.begin)
        return false;
    return seen.present ? record.identity() == seen.identity && record.expiresUs == seen.expiresUs
                        : record.expiresBy == Evidence::Ttl;
}
} // namespace

Frame PushFollower::frameOf(const Bracket &bracket) const
{
    // A lock that wasn't known when everything may have changed at once was absent just before.
    const qint64 absentUs =
        m_on ? std::max(m_scheduler.absentSinceUs(), m_trueUntilUs) : m_scheduler.absentSinceUs();
    Frame frame;
    frame.bracket = bracket;
    frame.absentSinceUs = absentUs;
    frame.epoch = m_context.epoch;
    frame.restartEpoch = m_context.restartEpoch;
    frame.rewoundEpoch = m_context.rewoundEpoch;
    frame.clientClock = m_context.spec.clientClock;
    frame.staleUs = m_context.staleUs(bracket);
    return frame;
}

void PushFollower::pushed(const stores::Push &push, Instant now, EngineStep &step)
{
    m_placed = !push.position.isEmpty();
    if (!m_on)
        return;
    for (const stores::Change &change : push.changes)
        take(change, now, step);
    if (push.everything)
        takeEverything(push.sinceUs, now, step);
    m_scheduler.reads().fill(m_context.table, step.pointReads);
}

void PushFollower::stateChanged(const stores::PushState &state, Instant now, EngineStep &step)
{
    const bool awaited = awaitsState();
    // The pages that were read are newer than the changes that would come.
    const bool isLate = m_placed && !m_stateSeen && m_pageSeen;
    if (!state.on)
        endPush(state, now, step);
    else if (state.blind || isLate || !m_whole)
        beginAfresh(state, now, step);
    else
        goOn(step);
    if (awaited)
        m_scheduler.beginScan(now, step);
    m_stateSeen = true;
    m_context.source.mode = m_on ? domain::ObservationMode::Push : domain::ObservationMode::Poll;
    m_context.source.error = m_context.warning;
    setPace();
}

/** Scans read the locks whose changes aren't pushed, or verify the pushed changes. */
void PushFollower::setPace()
{
    const bool poll = !m_on || m_gaps.hasPolled();
    m_scheduler.setPollUs((poll ? m_context.spec.pollMs : m_context.spec.reconcileMs) * 1000);
}

void PushFollower::linkMade()
{
    m_pageSeen = m_stateSeen = false;
    m_wholeAt = 0;
    if (m_releases.dropDeferred())
        m_whole = false; // the dropped changes were never applied
}

void PushFollower::sayGap(EngineStep &step)
{
    if (std::exchange(m_gapUnsaid, false))
        m_gaps.open(m_context.source.lastSeenUs.value_or(0), m_gapCause, step);
}

void PushFollower::giveUpWaiting(EngineStep &step)
{
    sayGap(step);
    m_whole = false;
}

void PushFollower::linkFailed(qint64 lastUs, EngineStep &step)
{
    sayGap(step);
    m_gaps.open(lastUs, events::EventCause::SourceDown, step);
    m_on = false;
    m_doubts.clear();
    if (m_releases.dropDeferred())
        m_whole = false;
    m_context.source.mode = domain::ObservationMode::Poll;
    m_scheduler.setPollUs(m_context.spec.pollMs * 1000);
}

void PushFollower::scanFinished(const stores::ScanEnd &end, EngineStep &step)
{
    if (m_scheduler.stamp() < m_wholeAt)
        return;
    if (m_on)
        m_whole = true;
    m_gaps.close(end.endedUs, step);
}

void PushFollower::take(const stores::Change &change, Instant now, EngineStep &step)
{
    const Observation &seen = change.lock;
    if (seen.set >= m_context.spec.locks.size())
        return;
    m_doubts.remove(stores::Subject{seen.set, seen.name});
    m_context.clock.note(seen.server, change.timeUs, now);
    Frame frame = frameOf({change.timeUs - change.windowUs, change.timeUs});
    if (m_releases.awaitsOutcome(seen, frame)) {
        m_releases.defer(
            seen, [this, change](Instant at, EngineStep &to) { take(change, at, to); }, now, step);
        return;
    }
    quint32 index = m_context.table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    frame.pushed = isFollowed(index, {seen.set, seen.name});
    frame.told = true;
    if (frame.pushed) { // in the primary's order, but later by the replica's delay
        frame.bracket.beganUs = frame.knownUs();
        frame.staleUs = 0;
    }
    frame.saidExpired = frame.pushed && change.expired;
    frame.saidDeleted = frame.pushed && change.deleted;
    // Traces of a lock without a holder aren't a hold.
    if (!seen.present && frame.pushed &&
        (!known || m_context.table.at(index).gone || m_context.table.at(index).phase == Phase::Free)) {
        if (change.unseen)
            tellUnseen(change, frame, step);
        else
            ++m_unread;
    }
    if (!known && !seen.present) {
        rememberGone(change, frame);
        return;
    }
    if (frame.pushed && known) {
        endRunOut(index, frame, now, step);
        reopen(m_context.table.at(index), frame);
    }
    const qsizetype from = step.events.size();
    m_observer.observe(seen, frame, now, step);
    for (qsizetype i = from; change.coalesced > 0 && i < step.events.size(); ++i)
        step.events[i].detail.coalesced = qint64(change.coalesced);
    index = m_context.table.find(seen.set, seen.name);
    if (index == LockTable::kNone)
        return;
    LockRecord &record = m_context.table.at(index);
    record.pushed = record.pushed || (record.epoch == m_context.epoch && record.seenUs == change.timeUs);
    // A gone lock is remembered only against pages under way that may be older, and for the clients in its
    // queue.
    if (record.gone && !record.extras && m_whole && !m_scheduler.isRunning() && !record.readAsked &&
        !record.readQueued)
        m_context.table.remove(index);
}

/** True if the record has all pushed changes of the lock: a difference is a later change. */
bool PushFollower::isFollowed(quint32 index, const stores::Subject &lock) const
{
    if (m_gaps.isPolled(lock))
        return false;
    if (index == LockTable::kNone)
        return m_whole;
    const LockRecord &record = m_context.table.at(index);
    return record.pushed || (m_whole && record.scanStamp >= m_wholeAt);
}

/** Reports a hold by an unknown client: the lock existed for a moment, but couldn't be read. */
void PushFollower::tellUnseen(const stores::Change &change, const Frame &frame, EngineStep &step)
{
    const Bracket &bracket = frame.bracket;
    const Begin begin{bracket.endedUs, bracket.endedUs - bracket.beganUs, Evidence::Observation, false};
    LockRecord record;
    record.set = change.lock.set;
    record.texts.setName(change.lock.name);
    record.epoch = m_context.epoch;
    record.noteSeen(bracket);
    record.phase = Phase::Held;
    record.ownerKnown = false;
    record.acquiredUs = begin.timeUs;
    record.windowUs = begin.windowUs;
    record.acquiredBy = begin.by;
    step.events.append(m_context.builder.began(events::EventKind::Acquired, record, begin, bracket.endedUs));
    const Past past = m_context.builder.pastOf(record, frame);
    record.gone = true;
    record.phase = Phase::Free;
    const HoldEnding end{change.expired, begin.timeUs, begin.windowUs};
    step.events.append(
        m_context.builder.ended(change.expired ? events::EventKind::Expired : events::EventKind::Released,
                                record, past, end, bracket.endedUs));
    step.events.last().detail.lastSeenUs.reset();
    for (qsizetype i = step.events.size() - 2; i < step.events.size(); ++i) {
        step.events[i].detail.unseen = true;
        if (change.coalesced > 0)
            step.events[i].detail.coalesced = qint64(change.coalesced);
    }
}

/** Everything changed at once. The table was true until `sinceUs`, the next scan shows the new state, and
 * nothing was missed meanwhile. */
void PushFollower::takeEverything(qint64 sinceUs, Instant now, EngineStep &step)
{
    // Locks that still wait to be read since the last such change may have changed as early as that.
    const bool settled = m_whole && (m_trueUntilUs == 0 || m_scheduler.stamp() > m_wholeAt);
    if (settled)
        m_trueUntilUs = sinceUs;
    m_whole = false;
    m_doubts.clear();
    for (quint32 index = 0; index < m_context.table.end(); ++index)
        m_context.table.at(index).pushed = false;
    scanAnew(now);
    if (m_scheduler.isScanDue(now))
        m_scheduler.beginScan(now, step);
}

/** Remembers a deleted lock: a page that was read before the deletion may come after it. */
void PushFollower::rememberGone(const stores::Change &change, const Frame &frame)
{
    if (!m_scheduler.isRunning())
        return;
    LockRecord &record = m_context.table.at(m_context.table.insert(change.lock.set, change.lock.name));
    record.gone = true;
    record.phase = Phase::Free;
    record.pushed = true;
    record.epoch = frame.epoch;
    record.server = change.lock.server;
    record.scanStamp = m_scheduler.stamp();
    record.noteSeen(frame.bracket);
}

/** Ends a lease that had run out unseen before this change: each renewal would have been pushed. */
void PushFollower::endRunOut(quint32 index, const Frame &frame, Instant now, EngineStep &step)
{
    const LockRecord &record = m_context.table.at(index);
    const qint64 latest = record.expiresUs + record.slackUs;
    if (record.gone || record.restored || record.phase != Phase::Held || record.expiry != ExpiryKind::At ||
        record.expiresBy != Evidence::Column || latest >= frame.bracket.beganUs || frame.clientClock)
        return;
    Frame then = frame;
    then.bracket = {latest + 1, latest + 1};
    m_observer.observe(lastSighting(record), then, now, step);
}

/** Moves back a sighting that may have been ahead of this change: one without a holder, or with a token that
 * another hold may have too. */
void PushFollower::reopen(LockRecord &record, const Frame &frame)
{
    const qint64 earliest = frame.bracket.beganUs;
    if ((!record.isOccupied() || !record.ownIdentity) && record.seenBeganUs() > earliest)
        record.noteSeen({earliest, earliest});
}

/** An observation of a scan or of a point read. */
void PushFollower::takeReading(const Observation &seen, const Frame &frame, Instant now, EngineStep &step)
{
    if (m_releases.awaitsOutcome(seen, frame)) {
        m_releases.defer(
            seen, [this, seen, frame](Instant at, EngineStep &to) { takeReading(seen, frame, at, to); }, now,
            step);
        return;
    }
    // The last scan may already have shown the lock, in doubt: then it was absent at the scan before that.
    const qint64 sinceUs =
        m_doubts.isEmpty()
            ? frame.absentSinceUs
            : m_doubts.value({seen.set, seen.name}, {0, frame.absentSinceUs, false}).absentSinceUs;
    const Doubt doubt = m_on ? doubtOf(seen, frame) : Doubt::None;
    if (doubt == Doubt::Wait)
        return;
    Frame wider = frame;
    wider.absentSinceUs = std::min(sinceUs, frame.absentSinceUs);
    if (const quint32 index = m_context.table.find(seen.set, seen.name);
        m_on && index != LockTable::kNone && !isFollowed(index, {seen.set, seen.name}))
        wider.trueUntilUs = m_trueUntilUs;
    const qsizetype from = step.events.size();
    m_observer.observe(seen, wider, now, step);
    if (doubt == Doubt::Missed)
        noteMissed(from, step);
}

Doubt PushFollower::doubtOf(const Observation &seen, const Frame &frame)
{
    if (seen.set >= m_context.spec.locks.size())
        return Doubt::None;
    const quint32 index = m_context.table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    const stores::Subject subject{seen.set, seen.name};
    bool claims = false;
    if (isFollowed(index, subject) && (known || seen.present)) {
        const Verdict verdict = diff(known ? &m_context.table.at(index) : nullptr, seen, frame);
        const bool differs =
            verdict.reading == Interpretation::Changed || verdict.reading == Interpretation::Forget;
        const bool says =
            verdict.begin || verdict.end || verdict.renewed || verdict.reading == Interpretation::Forget;
        claims = differs && says && !(known && isByDeadline(m_context.table.at(index), seen, verdict));
    }
    if (!claims) {
        m_doubts.remove(subject);
        return Doubt::None;
    }
    if (const auto it = m_doubts.constFind(subject); it == m_doubts.constEnd()) {
        m_doubts.insert(subject, {frame.bracket.endedUs, frame.absentSinceUs, false});
        m_askAtUs = std::min(m_askAtUs, frame.bracket.endedUs + kDoubtUs + 1);
    } else if (frame.bracket.beganUs > it->sinceUs + kDoubtUs) {
        m_doubts.erase(it);
        return Doubt::Missed;
    }
    if (known) {
        LockRecord &record = m_context.table.at(index);
        m_scheduler.reads().settle(record);
        record.scanStamp = m_scheduler.stamp();
    }
    return Doubt::Wait;
}

void PushFollower::noteMissed(qsizetype from, EngineStep &step)
{
    ++m_missed;
    for (qsizetype i = from; i < step.events.size(); ++i)
        step.events[i].detail.missed = true;
}

void PushFollower::askDoubts(Instant now, EngineStep &step)
{
    const qint64 storeUs = m_context.clock.nowUs(now.monotonicUs);
    if (storeUs < m_askAtUs)
        return;
    m_askAtUs = kNever;
    for (auto it = m_doubts.begin(); it != m_doubts.end(); ++it) {
        if (it->asked)
            continue;
        const qint64 due = it->sinceUs + kDoubtUs + 1;
        if (due > storeUs || step.pointReads.size() >= kMostAsked) {
            m_askAtUs = std::min(m_askAtUs, std::max(due, storeUs + 1'000));
            continue;
        }
        it->asked = true;
        step.pointReads.append(it.key());
    }
}

void PushFollower::noteContinuous(const stores::Page &page, bool unasked, Instant now, EngineStep &step)
{
    m_pageSeen = m_pageSeen || !unasked;
    if (!isFollowing() || m_context.source.gapSinceUs || !unasked)
        return;
    m_context.source.lastSeenUs = page.endedUs;
    m_context.source.lastSeenWallUs = now.wallUs;
    step.sourceChanged = true;
}

/** The store resumes where the table's changes ended: the next changes are all that happened since. */
void PushFollower::goOn(EngineStep &step)
{
    m_on = m_whole = true;
    m_gapUnsaid = false;
    m_wholeAt = 0;
    m_context.warning = m_context.linkWarning;
    for (quint32 index = 0; index < m_context.table.end(); ++index) {
        if (!m_context.table.isUsed(index))
            continue;
        LockRecord &record = m_context.table.at(index);
        const bool otherInstance = record.epoch < m_context.restartEpoch;
        record.epoch = m_context.epoch;
        if (otherInstance && !record.gone) // its guard names the server's new instance now
            step.updates.append(m_context.builder.stateOf(record));
    }
}

/** The time since which changes may have been missed. */
qint64 PushFollower::lostSinceUs(const stores::PushState &state) const
{
    return state.toldUntilUs > 0
               ? state.toldUntilUs
               : std::max(m_context.clock.lastUs(), m_context.source.lastSeenUs.value_or(0));
}

/** Earlier pushed changes say nothing about the next ones. `lost`: changes may also have been missed. */
void PushFollower::breakOff(const stores::PushState &state, bool wasOn, bool lost, EngineStep &step)
{
    sayGap(step);
    if (lost)
        m_gaps.open(lostSinceUs(state), events::EventCause::PushLost, step);
    if (wasOn)
        ++m_context.epoch;
    if (!step.events.isEmpty() && !state.why.cause.isEmpty())
        step.events.last().detail.message = base::singleLine(state.why.cause);
    m_whole = m_placed = false;
    m_trueUntilUs = 0;
    m_doubts.clear();
}

void PushFollower::beginAfresh(const stores::PushState &state, Instant now, EngineStep &step)
{
    const bool wasOn = std::exchange(m_on, true);
    breakOff(state, wasOn, wasOn, step);
    m_context.warning = m_context.linkWarning;
    for (quint32 index = 0; index < m_context.table.end(); ++index)
        m_context.table.at(index).pushed = false;
    // A scan that has already shown something began before the changes did.
    const bool soonEnough = m_scheduler.isRunning() && !m_pageSeen && !m_stateSeen;
    m_wholeAt = m_scheduler.stamp() + (soonEnough ? 0 : 1);
    if (!soonEnough)
        m_scheduler.hurry(now);
}

void PushFollower::endPush(const stores::PushState &state, Instant now, EngineStep &step)
{
    const bool wasOn = std::exchange(m_on, false);
    breakOff(state, wasOn, wasOn && state.blind, step);
    if (!state.why.cause.isEmpty())
        m_context.warning = state.why;
    if (wasOn)
        scanAnew(now);
}

void PushFollower::scanAnew(Instant now)
{
    m_wholeAt = m_scheduler.stamp() + 1;
    m_scheduler.hurry(now);
}

} // namespace lockkeeper::agent::engine
