// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/waits.h"

#include "shared/base/clock.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Phase;
using domain::Waiter;
using stores::Observation;

namespace {

/** When a wait that wasn't known before began. */
WaitChange beginningOf(const Waiter &waiter, const LockRecord *before, const Frame &frame, bool firstSeen)
{
    WaitChange change;
    change.began = true;
    change.id = waiter.id;
    change.firstSeen = firstSeen;
    const qint64 endedUs = frame.bracket.endedUs;
    if (waiter.sinceUs) {
        change.timeUs = std::min(*waiter.sinceUs, endedUs);
        change.windowUs = std::max<qint64>(0, change.timeUs - (*waiter.sinceUs - waiter.windowUs));
        return change;
    }
    const qint64 lowerUs = before ? before->seenBeganUs() : frame.absentSinceUs;
    change.timeUs = endedUs;
    change.windowUs = firstSeen || lowerUs == 0 ? 0 : std::max<qint64>(0, endedUs - lowerUs);
    return change;
}

/** When and how a client that is no longer among the waiters stopped waiting. */
WaitChange endOf(const Waiter &waiter, const LockRecord &before, const Observation &seen, const Frame &frame,
                 const Verdict &verdict)
{
    WaitChange change;
    change.id = waiter.id;
    change.sinceUs = waiter.sinceUs;
    if (verdict.begin && seen.held && seen.ownerKnown && seen.owner == waiter.id) {
        change.outcome = WaitOutcome::Acquired;
        change.timeUs = verdict.begin->timeUs;
        change.windowUs = verdict.begin->windowUs;
        return change;
    }
    change.outcome = seen.present ? WaitOutcome::Left : WaitOutcome::LockGone;
    change.timeUs = frame.bracket.endedUs;
    change.windowUs = std::max<qint64>(0, frame.bracket.endedUs - before.seenBeganUs());
    return change;
}

/** True for another wait of the same waiter: it began after the last sighting. */
bool waitsAnew(const Waiter &known, const Waiter &shown, const LockRecord &before)
{
    return shown.sinceUs && *shown.sinceUs - shown.windowUs > before.seenUs &&
           (!known.sinceUs || *shown.sinceUs > *known.sinceUs);
}

/** The same wait, with the more exact of the two dates. */
Waiter merged(const Waiter &known, const Waiter &shown)
{
    Waiter result = shown;
    if (known.sinceUs && (!shown.sinceUs || known.windowUs <= shown.windowUs)) {
        result.sinceUs = known.sinceUs;
        result.windowUs = known.windowUs;
    }
    return result;
}

} // namespace

Waits waitsOf(const LockRecord *before, const Observation &seen, const Frame &frame, const Verdict &verdict)
{
    Waits waits;
    waits.visible = seen.present && seen.waitersVisible;
    if (before && before->extras && (before->waitersVisible || before->gone))
        waits.before = before->extras->waiters;
    if (seen.present && !seen.waitersVisible)
        return waits; // the waiters are no longer visible, which ends no wait
    if (!seen.present && seen.waiting.value_or(0) > 0) {
        waits.now = waits.before; // between two holders: the next holder's queue shows who is left
        return waits;
    }
    QHash<QByteArray, const Waiter *> shown;
    for (const Waiter &waiter : seen.waiters)
        shown.insert(waiter.id, &waiter);
    QHash<QByteArray, const Waiter *> kept;
    for (const Waiter &known : std::as_const(waits.before)) {
        const Waiter *now = shown.value(known.id);
        if (now && !waitsAnew(known, *now, *before))
            kept.insert(known.id, &known);
        else
            waits.changes.append(endOf(known, *before, seen, frame, verdict));
    }
    // If a point read didn't show the waiters and this reading does, the time of their arrival is unknown.
    const bool firstSeen =
        before ? !before->gone && before->seenUs != 0 && !before->waitersVisible : frame.absentSinceUs == 0;
    for (const Waiter &waiter : seen.waiters) {
        if (shown.value(waiter.id) != &waiter)
            continue; // listed twice: the last entry counts
        if (const Waiter *known = kept.value(waiter.id)) {
            waits.now.append(merged(*known, waiter));
            continue;
        }
        const WaitChange change = beginningOf(waiter, before, frame, firstSeen);
        waits.changes.append(change);
        waits.now.append({waiter.id, change.timeUs, waiter.detail, change.windowUs});
    }
    return waits;
}

namespace {

/** A sign of life of a session: the end of its last statement, or now while it runs one. */
void noteSession(LockRecord &record, const domain::Session &session, const Frame &frame)
{
    const qint64 aliveUs =
        session.idleSinceUs ? std::min(*session.idleSinceUs, frame.bracket.endedUs) : frame.bracket.endedUs;
    if (aliveUs > record.quietSinceUs)
        record.noteLife(aliveUs);
}

bool isSameSession(const std::shared_ptr<const domain::Session> &a,
                   const std::shared_ptr<const domain::Session> &b)
{
    return a == b || (a && b && *a == *b);
}

/** Takes a reading of the version. Returns true if the rate has changed. */
bool noteVersion(Extras &extras, const Observation &seen, const Frame &frame)
{
    if (!seen.optimistic) {
        const bool had = extras.rate != nullptr;
        extras.rate.reset();
        return had;
    }
    const auto before = extras.rate ? extras.rate->perMinute() : std::nullopt;
    if (!extras.rate)
        extras.rate = std::make_unique<ChangeRate>();
    extras.rate->read(extras.fencing, seen.fencing, frame.bracket.endedUs);
    return extras.rate->perMinute() != before;
}

bool hasExtras(const Observation &seen)
{
    return seen.session || !seen.fencing.isEmpty() || seen.optimistic || seen.waiting || !seen.mode.isEmpty();
}

bool absorbExtras(Extras &extras, const Observation &seen, const Frame &frame, const Waits &waits)
{
    const bool changed = noteVersion(extras, seen, frame) || extras.fencing != seen.fencing ||
                         extras.waiters != waits.now || extras.nodes != seen.nodes ||
                         !isSameSession(extras.session, seen.session) || extras.waiting != seen.waiting ||
                         extras.mode != seen.mode;
    extras.fencing = seen.fencing;
    extras.waiters = waits.now;
    extras.nodes = seen.nodes;
    extras.session = seen.session;
    extras.waiting = seen.waiting;
    extras.mode = seen.mode;
    return changed;
}

/**
 * Within one step of its times, the row may be another hold of its client. The server may have rounded up, so
 * two steps must pass. They count from the agent's first sighting of these times: the clocks that wrote them
 * may be wrong, though not by more than minutes.
 */
bool isYoung(const LockRecord &record, const Observation &seen, const Frame &frame)
{
    constexpr qint64 kFineUs = 1'000; // a reading is passed on later than this (SourceRunner)
    constexpr qint64 kClientSkewUs = 300'000'000;
    if (seen.ownIdentity || seen.pinStepUs <= kFineUs || seen.off != domain::ReleaseOff::None ||
        !record.isOccupied())
        return false;
    const qint64 sinceUs = record.acquiredBy == domain::Evidence::Column
                               ? std::min(record.pinnedUs, record.acquiredUs + kClientSkewUs)
                               : record.pinnedUs;
    return frame.bracket.beganUs < sinceUs + 2 * qint64(seen.pinStepUs);
}

} // namespace

domain::ReleaseOff offOf(const LockRecord &record, const Observation &seen, const Frame &frame)
{
    if (record.gone)
        return domain::ReleaseOff::None;
    return isYoung(record, seen, frame) ? domain::ReleaseOff::TooYoung : seen.off;
}

void noteFreshness(LockRecord &record, const Observation &seen, const Frame &frame, bool begun)
{
    if (!seen.present || seen.expiry != domain::ExpiryKind::None) {
        record.freshness = 0;
        return;
    }
    const quint32 hash = quint32(qHash(seen.freshness)) | 1u;
    if (!begun && record.freshness != 0 && record.freshness != hash)
        record.noteLife(std::max(record.quietSinceUs, frame.bracket.endedUs));
    record.freshness = hash;
}

bool absorbDetails(LockRecord &record, const Observation &seen, const Frame &frame, Waits &waits)
{
    const bool visible = waits.visible && !record.gone;
    const domain::ReleaseOff off = offOf(record, seen, frame);
    bool changed = record.waitersVisible != visible || record.off != off;
    record.waitersVisible = visible;
    record.off = off;
    const bool bare = !seen.present ? seen.waiting.value_or(0) == 0 : record.phase == Phase::Free;
    if (bare)
        waits.now.clear();
    const bool plain = waits.now.isEmpty() && (record.gone || !hasExtras(seen));
    if (seen.nodes.isEmpty() && (bare || plain)) {
        changed = changed || record.extras;
        record.extras.reset();
        return changed;
    }
    if (!record.extras)
        record.extras = std::make_unique<Extras>();
    changed = (absorbExtras(*record.extras, seen, frame, waits) || changed) && !record.gone;
    if (seen.session && record.isOccupied())
        noteSession(record, *seen.session, frame);
    return changed;
}

} // namespace lockkeeper::agent::engine
