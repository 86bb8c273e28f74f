// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/differ.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::Phase;
using stores::Flaw;
using stores::Observation;

namespace {

/** A lock is read 15 ms before its deadline: a hold that ended between that reading and the deadline had run
 * out. */
constexpr qint64 kLookedBeforeUs = 16'000;
constexpr qint64 kClocksApartUs = 2'000'000; ///< columns by several hosts' clocks may differ this much

/** Flaws that leave open whether the lock is held, and by which client. A NULL holder is an unknown one. */
bool isUnreadable(const Observation &seen)
{
    return seen.flaw != Flaw::None && seen.flaw != Flaw::NullIdentity;
}

/** Whether the record's known beginning lies within the column's span for the observed hold. */
bool isSameTime(const LockRecord &before, const Observation &seen)
{
    if (!seen.acquiredUs || before.acquiredBy != Evidence::Column)
        return true;
    const StoreSpan column = columnSpan(seen);
    return before.acquiredUs <= column.toUs && before.acquiredUs - before.windowUs >= column.fromUs;
}

/** Whether the two deadlines differ no more than two readings of one deadline may. */
bool isSameDeadline(const LockRecord &before, const Observation &seen)
{
    return before.expiry == seen.expiry &&
           (seen.expiry != ExpiryKind::At || std::abs(before.expiresUs - seen.expiresUs) <=
                                                 std::max(qint64(before.noiseUs), seen.expiryNoiseUs));
}

bool isSameHolder(const LockRecord &before, const Observation &seen)
{
    if (!before.restored && (!before.identity().isEmpty() || !seen.identity.isEmpty()))
        return before.identity() == seen.identity;
    // Restored from the journal, or rows without any identity: compare the best that is known of both.
    return before.ownerKnown == seen.ownerKnown && before.owner() == seen.owner &&
           before.token() == seen.token && isSameTime(before, seen);
}

/**
 * True if the holder released the lock and its row stays: the row still names that holder, although other
 * values may have changed. Where a column dates acquisitions, the column distinguishes them.
 */
bool isGivenBack(const LockRecord &before, const Observation &seen)
{
    return seen.present && !seen.held && !seen.acquiredUs && before.acquiredBy != Evidence::Column &&
           before.ownerKnown && seen.ownerKnown && !seen.owner.isEmpty() && before.owner() == seen.owner;
}

/** The earliest time of a pushed change. For any other change the last sighting decides, or trueUntilUs. */
qint64 changedSinceUs(const Frame &frame)
{
    return frame.pushed ? frame.bracket.beganUs : frame.trueUntilUs;
}

/** The earliest time of the new state: the last sighting, if the same clock dates it. */
qint64 seenSinceUs(const LockRecord &before, const Frame &frame)
{
    return frame.otherClock ? std::max<qint64>(1, frame.bracket.beganUs) : before.seenBeganUs();
}

/** The beginning by its column, only as exact as the column's times, and narrowed by other evidence. Empty:
 * an earlier sighting contradicts it. */
std::optional<Begin> beginByColumn(const Observation &seen, const Frame &frame, qint64 lowerUs)
{
    const qint64 endedUs = frame.bracket.endedUs;
    const qint64 at = *seen.acquiredUs;
    StoreSpan span = columnSpan(seen);
    // A writer may use whole seconds in a finer column: then the last sighting is more exact.
    if (span.toUs < lowerUs && at % 1'000'000 == 0)
        span.toUs = at + 999'999;
    span.toUs = std::min(span.toUs, endedUs);
    if (at > endedUs || span.toUs < lowerUs)
        return std::nullopt;
    span.fromUs = std::max(span.fromUs, lowerUs);
    if (frame.pushed && span.fromUs < span.toUs && frame.bracket.beganUs <= span.toUs)
        span.fromUs = std::max(span.fromUs, frame.bracket.beganUs);
    return Begin{span.toUs, span.toUs - span.fromUs, Evidence::Column, lowerUs == 0};
}

/** The beginning, by a column if it has a time that no earlier sighting contradicts. */
Begin beginOf(const Observation &seen, const Frame &frame, qint64 lowerUs)
{
    const qint64 endedUs = frame.bracket.endedUs;
    // The store reports its uncertainty: a row lock may have existed unseen while nobody waited for it.
    if (seen.acquiredUs && seen.acquiredWindowUs > 0) {
        const qint64 latest = std::min(*seen.acquiredUs, endedUs);
        const qint64 earliest = std::min(*seen.acquiredUs - seen.acquiredWindowUs, latest);
        return Begin{latest, latest - earliest, Evidence::Observation, lowerUs == 0};
    }
    // The applications' own clocks date a beginning only if nothing better is known.
    if (seen.acquiredUs && (!frame.clientClock || lowerUs == 0)) {
        if (const auto begin = beginByColumn(seen, frame, lowerUs))
            return *begin;
    }
    if (lowerUs == 0)
        return Begin{endedUs, 0, Evidence::FirstSeen, true};
    const qint64 earliest = std::max(lowerUs, changedSinceUs(frame));
    return Begin{endedUs, std::max<qint64>(0, endedUs - earliest), Evidence::Observation, false};
}

HoldEnding releasedBetween(const LockRecord &before, qint64 untilUs, const Frame &frame)
{
    qint64 earliest = std::max(seenSinceUs(before, frame), changedSinceUs(frame));
    if (before.acquiredBy != Evidence::None && before.acquiredUs <= untilUs && !frame.otherClock)
        earliest = std::max(earliest, before.acquiredUs - before.windowUs); // nothing ends before it began
    return HoldEnding{false, untilUs, std::max<qint64>(0, untilUs - earliest)};
}

/** True if the store removes an expired lock some time after its deadline; the lock is held until then. */
bool isRemovedLate(const LockRecord &before)
{
    return before.expiresBy == Evidence::Ttl && before.reclaimed;
}

/**
 * The end of a hold that the store pushed, if the deadline lies between the end's earliest and latest time.
 * Unless the store reports the kind of end, an expiry is assumed: a lock that was deleted earlier would have
 * been missing in the reading just before its deadline.
 */
HoldEnding endAroundDeadline(const LockRecord &before, qint64 expiresUs, const Frame &frame)
{
    const qint64 at = isRemovedLate(before) ? frame.bracket.endedUs
                                            : std::min(expiresUs + before.slackUs, frame.bracket.endedUs);
    if (frame.saidExpired)
        return HoldEnding{true, at, std::max<qint64>(0, at - expiresUs)};
    const qint64 earliest = std::max(seenSinceUs(before, frame), frame.bracket.beganUs);
    return HoldEnding{true, at, std::max<qint64>(0, at - earliest), true};
}

/** The end of a hold whose record was removed. Empty: the deadline lies within the bracket, so the kind of
 * end is still unknown. */
std::optional<HoldEnding> endByAbsence(const LockRecord &before, const Frame &frame)
{
    const Bracket &bracket = frame.bracket;
    const qint64 expiresUs = before.expiresUs + frame.aheadUs;
    if (frame.saidExpired && bracket.endedUs < expiresUs) {
        HoldEnding end = releasedBetween(before, bracket.endedUs, frame);
        end.expired = true; // its deadline was shortened in the meantime
        return end;
    }
    // If the store doesn't act on a deadline, somebody deleted the lock. A lock that was deleted after its
    // deadline had been renewed unseen.
    if (before.expiry != ExpiryKind::At || frame.saidDeleted ||
        (before.expiresBy != Evidence::Ttl && !(before.reclaimed && !frame.clientClock)) ||
        bracket.endedUs < expiresUs)
        return releasedBetween(before, bracket.endedUs, frame);
    if (frame.knownUs() < expiresUs)
        return frame.pushed ? std::optional(endAroundDeadline(before, expiresUs, frame)) : std::nullopt;
    if (before.epoch != frame.epoch) {
        // The agent didn't watch in between: the lock may have been renewed or released in the meantime.
        HoldEnding end = releasedBetween(before, bracket.endedUs, frame);
        end.expired = true;
        return end;
    }
    if (isRemovedLate(before)) {
        const qint64 fromUs = std::max({expiresUs, seenSinceUs(before, frame), changedSinceUs(frame)});
        return HoldEnding{true, bracket.endedUs, std::max<qint64>(0, bracket.endedUs - fromUs)};
    }
    const qint64 at = std::min(expiresUs + before.slackUs, bracket.endedUs);
    return HoldEnding{true, at, at - expiresUs};
}

/** Another client has the lock now. Returns the end of the previous lease if it ran out first; empty: not
 * known. */
std::optional<HoldEnding> endBeforeNext(const LockRecord &before, const Frame &frame)
{
    const qint64 expiresUs = before.expiresUs + frame.aheadUs;
    if (before.expiry != ExpiryKind::At || before.expiresBy != Evidence::Ttl || frame.saidDeleted ||
        (frame.bracket.endedUs < expiresUs && !frame.saidExpired))
        return std::nullopt;
    // Between two sightings far apart the lock may have been released or renewed unseen. Only clients with
    // very short leases renew at the last moment.
    const bool looked = before.epoch == frame.epoch && before.seenUs >= before.expiresUs - kLookedBeforeUs &&
                        before.ttlMs * 1000 > 10 * kLookedBeforeUs && frame.knownUs() >= expiresUs;
    return frame.pushed || looked ? endByAbsence(before, frame) : std::nullopt;
}

/** The row still exists and is free: its deadline shows when and how the hold ended. */
HoldEnding endByRow(const LockRecord &before, const Observation &seen, const Frame &frame)
{
    const qint64 until = seen.expiresUs;
    const bool usable = seen.expiry == ExpiryKind::At && until <= frame.bracket.endedUs && !frame.clientClock;
    if (usable && before.expiry == ExpiryKind::At && until >= before.expiresUs &&
        until <= before.expiresUs + before.slackUs)
        return HoldEnding{true, until, 0};
    const qint64 latest = std::min(until + qint64(seen.expiresStepUs) - 1, frame.bracket.endedUs);
    if (!usable || latest < before.seenBeganUs())
        return releasedBetween(before, frame.bracket.endedUs, frame);
    // The deadline moved unseen: a lease renewed after the last sighting can't end before its full length.
    const bool ranOut = before.expiry == ExpiryKind::At && until > before.expiresUs && before.ttlMs > 0 &&
                        until >= before.seenBeganUs() + before.ttlMs * 1000;
    if (ranOut)
        return HoldEnding{true, until, 0};
    qint64 earliest = std::max(until, before.seenBeganUs());
    if (frame.pushed && frame.bracket.beganUs <= latest)
        earliest = std::max(earliest, frame.bracket.beganUs);
    return HoldEnding{false, latest, latest - std::min(earliest, latest)};
}

/** The end of a hold that was never seen held: from its row alone. */
HoldEnding endUnseen(const LockRecord &before, const Observation &seen, const Begin &begin,
                     const Frame &frame)
{
    const qint64 endedUs = frame.bracket.endedUs;
    const qint64 beganUs = begin.timeUs - begin.windowUs;
    const qint64 latest = std::min(seen.expiresUs + qint64(seen.expiresStepUs) - 1, endedUs);
    const bool usable = seen.expiry == ExpiryKind::At && latest >= begin.timeUs &&
                        seen.expiresUs <= endedUs && !frame.clientClock;
    if (!usable)
        return HoldEnding{false, endedUs, endedUs - beganUs};
    const qint64 fromUs = begin.by == Evidence::Column ? *seen.acquiredUs : begin.timeUs;
    const bool ranOut =
        before.ttlMs > 0 && seen.expiresUs >= begin.timeUs && seen.expiresUs - fromUs >= before.ttlMs * 1000;
    return ranOut ? HoldEnding{true, seen.expiresUs, 0}
                  : HoldEnding{false, latest, latest - std::max(std::min(seen.expiresUs, latest), beganUs)};
}

/** A hold began and ended between two sightings of a row, whose columns have the exact times. */
bool cameAndWent(const LockRecord &before, const Observation &seen, const Frame &frame)
{
    return !before.gone && !seen.identity.isEmpty() && !isSameHolder(before, seen) && seen.acquiredUs &&
           columnSpan(seen).toUs > before.seenUs && *seen.acquiredUs <= frame.bracket.endedUs;
}

/** The row names a holder, but its deadline has passed by the store's clock: it stays until somebody deletes
 * it. */
bool isPastDeadline(const Observation &seen, const Frame &frame)
{
    return seen.held && seen.expiry == ExpiryKind::At && seen.expiresBy != Evidence::Ttl &&
           !frame.clientClock && frame.knownUs() > seen.expiresUs + seen.expirySlackUs;
}

/**
 * True if the row shows a hold from before the one that ends: its store went back to an older state. Columns
 * alone prove this only if their writers' clocks can't explain the difference.
 */
bool isOlderState(const LockRecord &before, const Observation &seen, const Frame &frame, bool same)
{
    if (!seen.present || isUnreadable(seen) || (seen.held && same))
        return false;
    const bool rewound = before.epoch < frame.rewoundEpoch;
    const bool dated = seen.acquiredUs && seen.acquiredWindowUs == 0 && !frame.clientClock;
    const bool ended = !seen.held && seen.expiry == ExpiryKind::At && seen.expiresUs <= frame.bracket.endedUs;
    qint64 newestUs = dated ? columnSpan(seen).toUs : 0;
    if (ended && !frame.clientClock)
        newestUs = std::max(newestUs, seen.expiresUs + qint64(seen.expiresStepUs) - 1);
    if (rewound && !seen.held)
        return newestUs <= before.seenBeganUs();
    return dated && !same && (seen.held || ended) && before.acquiredBy == Evidence::Column &&
           newestUs + kClocksApartUs < before.acquiredUs - before.windowUs;
}

/** A hold that had run out already when it was first seen: its deadline is its end. */
std::optional<HoldEnding> endBySight(const Observation &seen, const Frame &frame)
{
    if (!isPastDeadline(seen, frame))
        return std::nullopt;
    return HoldEnding{true, seen.expiresUs + seen.expirySlackUs, seen.expirySlackUs};
}

Verdict changed()
{
    Verdict verdict;
    verdict.reading = Interpretation::Changed;
    return verdict;
}

Verdict diffSameHolder(const LockRecord &before, const Observation &seen, const Frame &frame)
{
    Verdict verdict;
    const bool unreadable = isUnreadable(seen);
    if (before.flaw != seen.flaw || before.depth != seen.depth || before.restored ||
        before.expiry != seen.expiry || unreadable != (before.phase == Phase::Unknown))
        verdict.reading = Interpretation::Changed;
    if (seen.expiry != ExpiryKind::At)
        return verdict;
    // A column identifies the deadline exactly, even if its time is vague.
    const qint64 latest = before.expiresUs + (seen.expiresBy == Evidence::Column ? 0 : before.slackUs);
    const bool sameClock = before.server == seen.server;
    if (before.expiry == ExpiryKind::At) {
        // On another server the deadline is by that server's clock: it may differ without a renewal.
        verdict.renewed = !unreadable && sameClock && seen.expiresUs > latest;
        // Shortened, or so much more exact that it is worth reporting.
        if (verdict.renewed || (!sameClock && seen.expiresUs > latest) ||
            seen.expiresUs + seen.expirySlackUs < before.expiresUs ||
            seen.expirySlackUs * 2 < qint64(before.slackUs) - 1'000 ||
            (sameClock && !isSameDeadline(before, seen)))
            verdict.reading = Interpretation::Changed;
    }
    const bool past = !unreadable && isPastDeadline(seen, frame);
    if ((before.phase == Phase::Held || (before.phase == Phase::Unknown && before.hasHold())) && past) {
        verdict.reading = Interpretation::Changed;
        verdict.renewed = false; // its end implies the renewal
        verdict.end = HoldEnding{true, seen.expiresUs + seen.expirySlackUs, seen.expirySlackUs};
    } else if (before.phase == Phase::Expired && seen.held && !unreadable && !past) {
        // Renewed after its hold had ended: the same holder has it again.
        verdict.reading = Interpretation::Changed;
        verdict.renewed = false;
        verdict.begin = beginOf(seen, frame, seenSinceUs(before, frame));
    }
    return verdict;
}

Verdict diffOccupied(const LockRecord &before, const Observation &seen, const Frame &frame)
{
    Verdict verdict = changed();
    if (!seen.present) {
        verdict.end = endByAbsence(before, frame);
        if (!verdict.end)
            verdict.reading = Interpretation::ReadAgain;
        return verdict;
    }
    // Too few of several servers have traces of the lock: nobody holds it, whichever client left them.
    if (!seen.held && !seen.nodes.isEmpty() && !isUnreadable(seen)) {
        verdict.end = endByAbsence(before, frame);
        if (!verdict.end)
            verdict.reading = Interpretation::ReadAgain;
        return verdict;
    }
    const bool broken = seen.held && frame.brokenUs != 0 && frame.bracket.beganUs > frame.brokenUs;
    const bool same = !broken && (isSameHolder(before, seen) || isGivenBack(before, seen));
    if (isUnreadable(seen)) {
        if (same && !seen.identity.isEmpty())
            return diffSameHolder(before, seen, frame);
        verdict.end = releasedBetween(before, frame.bracket.endedUs, frame);
        return verdict;
    }
    if (same && seen.held)
        return diffSameHolder(before, seen, frame);
    if (isOlderState(before, seen, frame, same)) {
        verdict.wentBack = true;
        verdict.end = releasedBetween(before, frame.bracket.endedUs, frame);
        verdict.takenOver = seen.held;
        if (seen.held)
            verdict.begin = beginOf(seen, frame, seenSinceUs(before, frame));
        return verdict;
    }
    // A row that no longer names a holder was released: no other holder is known.
    if (same || (!seen.held && seen.identity.isEmpty())) {
        verdict.end = endByRow(before, seen, frame);
        return verdict;
    }
    verdict.takenOver = true;
    verdict.begin = beginOf(seen, frame, seenSinceUs(before, frame));
    verdict.end = endBeforeNext(before, frame);
    if (!verdict.end || verdict.end->timeUs > verdict.begin->timeUs)
        verdict.end = releasedBetween(before, verdict.begin->timeUs, frame);
    if (!seen.held)
        verdict.endAfter = endUnseen(before, seen, *verdict.begin, frame);
    else
        verdict.endAfter = endBySight(seen, frame);
    return verdict;
}

Verdict diffIdle(const LockRecord *before, const Observation &seen, const Frame &frame)
{
    Verdict verdict = changed();
    const bool unknownBefore = before && !before->gone && before->phase == Phase::Unknown;
    const Phase idlePhase = seen.optimistic ? Phase::Optimistic : Phase::Free;
    if (!seen.present) {
        verdict.reading = before->gone ? Interpretation::Same : Interpretation::Forget;
        return verdict;
    }
    if (isUnreadable(seen)) {
        if (unknownBefore && before->flaw == seen.flaw)
            return diffSameHolder(*before, seen, frame);
        return verdict;
    }
    if (seen.held && !seen.optimistic) {
        // A lock that was unreadable for a while and is the same again is no new hold.
        if (unknownBefore && (before->restored || !before->identity().isEmpty()) &&
            isSameHolder(*before, seen))
            return verdict;
        const qint64 lowerUs = before ? seenSinceUs(*before, frame) : frame.absentSinceUs;
        verdict.endAfter = endBySight(seen, frame);
        // The hold was over before the first look here: it was reported at its time, or never.
        if (verdict.endAfter && (lowerUs == 0 || verdict.endAfter->timeUs < lowerUs)) {
            verdict.endAfter.reset();
            return verdict;
        }
        verdict.begin = beginOf(seen, frame, lowerUs);
        verdict.cameBack = seen.acquiredUs && seen.acquiredWindowUs == 0 && !frame.clientClock &&
                           columnSpan(seen).toUs < lowerUs;
        return verdict;
    }
    if (before && before->phase == Phase::Free && cameAndWent(*before, seen, frame)) {
        verdict.begin = beginOf(seen, frame, seenSinceUs(*before, frame));
        verdict.endAfter = endUnseen(*before, seen, *verdict.begin, frame);
    } else if (before && !before->gone && !before->restored && before->phase == idlePhase &&
               before->flaw == seen.flaw && isSameHolder(*before, seen) &&
               (seen.nodes.isEmpty() || isSameDeadline(*before, seen))) {
        verdict.reading = Interpretation::Same;
    }
    return verdict;
}

} // namespace

bool mayBeRenewed(const LockRecord *before, const Observation &seen, const Frame &frame)
{
    const auto isOpen = [&frame](qint64 fromUs, qint64 slackUs) {
        return frame.knownUs() <= fromUs + slackUs && fromUs <= frame.bracket.endedUs;
    };
    if (frame.staleUs <= 0 || isUnreadable(seen))
        return false;
    if (seen.present)
        return seen.expiry == ExpiryKind::At && isOpen(seen.expiresUs, seen.expirySlackUs);
    return before && !before->gone && before->isOccupied() && before->expiry == ExpiryKind::At &&
           (before->expiresBy == Evidence::Ttl || before->reclaimed) &&
           isOpen(before->expiresUs, before->slackUs);
}

Verdict diff(const LockRecord *before, const Observation &seen, const Frame &frame)
{
    if (!before)
        return diffIdle(nullptr, seen, frame);
    Verdict ignore;
    ignore.reading = Interpretation::Ignore;
    const bool isOlder = !frame.pushed && frame.bracket.endedUs < before->seenBeganUs();
    if (isOlder && !frame.told)
        return ignore;
    Frame here = frame;
    here.otherClock = frame.pushed && before->server != seen.server;
    Verdict verdict =
        !before->gone && before->hasHold() ? diffOccupied(*before, seen, here) : diffIdle(before, seen, here);
    if (isOlder && verdict.reading == Interpretation::Same)
        return ignore;
    // Answers may overlap in time: the order of two different answers is unknown.
    if (!frame.pushed && verdict.reading != Interpretation::Same && frame.bracket.beganUs < before->seenUs)
        verdict.reading = Interpretation::ReadAgain;
    return verdict;
}

} // namespace lockkeeper::agent::engine
