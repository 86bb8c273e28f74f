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

/** A lock is looked at 15 ms before its deadline: what ended between that and the deadline had run out. */
constexpr qint64 kLookedBeforeUs = 16'000;
constexpr qint64 kClocksApartUs = 2'000'000; ///< columns by clocks of several hosts may differ by so much

/** Flaws that leave it open whether and by whom the lock is held. A NULL holder is a holder nobody knows. */
bool isUnreadable(const Observation &seen)
{
    return seen.flaw != Flaw::None && seen.flaw != Flaw::NullIdentity;
}

/** What is known of the record's beginning lies within what the column says of the one that is seen. */
bool isSameTime(const Record &before, const Observation &seen)
{
    if (!seen.acquiredUs || before.acquiredBy != Evidence::Column)
        return true;
    const Span column = columnSpan(seen);
    return before.acquiredUs <= column.toUs && before.acquiredUs - before.windowUs >= column.fromUs;
}

/** As far as two readings of one deadline may differ. */
bool isSameDeadline(const Record &before, const Observation &seen)
{
    return before.expiry == seen.expiry &&
           (seen.expiry != ExpiryKind::At || std::abs(before.expiresUs - seen.expiresUs) <=
                                                 std::max(qint64(before.noiseUs), seen.expiryNoiseUs));
}

bool isSameHolder(const Record &before, const Observation &seen)
{
    if (!before.restored && (!before.identity().isEmpty() || !seen.identity.isEmpty()))
        return before.identity() == seen.identity;
    // Restored from the journal, or rows without any identity: the best that is known of both.
    return before.ownerKnown == seen.ownerKnown && before.owner() == seen.owner &&
           before.token() == seen.token && isSameTime(before, seen);
}

/**
 * What stays when its holder gives it back may say something else of its run, and still names that holder.
 * Where a column dates acquisitions it tells them apart.
 */
bool isGivenBack(const Record &before, const Observation &seen)
{
    return seen.present && !seen.held && !seen.acquiredUs && before.acquiredBy != Evidence::Column &&
           before.ownerKnown && seen.ownerKnown && !seen.owner.isEmpty() && before.owner() == seen.owner;
}

/** The earliest time of a change that the store told of; of any other one the last sighting tells. */
qint64 changedSinceUs(const Frame &frame)
{
    return frame.pushed ? frame.bracket.beganUs : frame.trueUntilUs;
}

/** The earliest time of what is new: the last sighting, where the same clock tells it. */
qint64 seenSinceUs(const Record &before, const Frame &frame)
{
    return frame.otherClock ? std::max<qint64>(1, frame.bracket.beganUs) : before.seenBeganUs();
}

/** The beginning by its column, no more exactly than that keeps times, and cut by what else is known. Empty:
 * what was seen before contradicts it. */
std::optional<Begin> beginByColumn(const Observation &seen, const Frame &frame, qint64 lowerUs)
{
    const qint64 endedUs = frame.bracket.endedUs;
    const qint64 at = *seen.acquiredUs;
    Span span = columnSpan(seen);
    // Who writes the column may say less than it could: the last sighting says more then.
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

/** The beginning, by a column where it tells and what was seen before doesn't contradict it. */
Begin beginOf(const Observation &seen, const Frame &frame, qint64 lowerUs)
{
    const qint64 endedUs = frame.bracket.endedUs;
    // The store says how much it knows: a row lock may have been there unseen while nobody waited for it.
    if (seen.acquiredUs && seen.acquiredWindowUs > 0) {
        const qint64 latest = std::min(*seen.acquiredUs, endedUs);
        const qint64 earliest = std::min(*seen.acquiredUs - seen.acquiredWindowUs, latest);
        return Begin{latest, latest - earliest, Evidence::Observation, lowerUs == 0};
    }
    // The applications' own clocks date a beginning only where nothing better is known.
    if (seen.acquiredUs && (!frame.clientClock || lowerUs == 0)) {
        if (const auto begin = beginByColumn(seen, frame, lowerUs))
            return *begin;
    }
    if (lowerUs == 0)
        return Begin{endedUs, 0, Evidence::FirstSeen, true};
    const qint64 earliest = std::max(lowerUs, changedSinceUs(frame));
    return Begin{endedUs, std::max<qint64>(0, endedUs - earliest), Evidence::Observation, false};
}

End releasedBetween(const Record &before, qint64 untilUs, const Frame &frame)
{
    qint64 earliest = std::max(seenSinceUs(before, frame), changedSinceUs(frame));
    if (before.acquiredBy != Evidence::None && before.acquiredUs <= untilUs && !frame.otherClock)
        earliest = std::max(earliest, before.acquiredUs - before.windowUs); // nothing ends before it began
    return End{false, untilUs, std::max<qint64>(0, untilUs - earliest)};
}

/** Its store removes what has expired some time after its deadline: held it is until then. */
bool isRemovedLate(const Record &before)
{
    return before.expiresBy == Evidence::Ttl && before.reclaimed;
}

/**
 * The store told of the end of a hold whose deadline lies between the earliest and the latest time of it. The
 * store has to say which it was; else the likelier is told, as a lock that was deleted any earlier than just
 * before its deadline would have been read before it.
 */
End endAroundDeadline(const Record &before, qint64 expiresUs, const Frame &frame)
{
    const qint64 at = isRemovedLate(before) ? frame.bracket.endedUs
                                            : std::min(expiresUs + before.slackUs, frame.bracket.endedUs);
    if (frame.saidExpired)
        return End{true, at, std::max<qint64>(0, at - expiresUs)};
    const qint64 earliest = std::max(seenSinceUs(before, frame), frame.bracket.beganUs);
    return End{true, at, std::max<qint64>(0, at - earliest), true};
}

/** The hold's record is gone. Empty: the deadline lies within the bracket, so it can't be told yet. */
std::optional<End> endByAbsence(const Record &before, const Frame &frame)
{
    const Bracket &bracket = frame.bracket;
    const qint64 expiresUs = before.expiresUs + frame.aheadUs;
    if (frame.saidExpired && bracket.endedUs < expiresUs) {
        End end = releasedBetween(before, bracket.endedUs, frame);
        end.expired = true; // shortened meanwhile
        return end;
    }
    // Where the store doesn't act on a deadline, somebody deleted what is gone; and what was deleted after
    // its deadline had been renewed unseen.
    if (before.expiry != ExpiryKind::At || frame.saidDeleted ||
        (before.expiresBy != Evidence::Ttl && !(before.reclaimed && !frame.clientClock)) ||
        bracket.endedUs < expiresUs)
        return releasedBetween(before, bracket.endedUs, frame);
    if (frame.knownUs() < expiresUs)
        return frame.pushed ? std::optional(endAroundDeadline(before, expiresUs, frame)) : std::nullopt;
    if (before.epoch != frame.epoch) {
        // Nobody watched in between: it may have been renewed or released meanwhile.
        End end = releasedBetween(before, bracket.endedUs, frame);
        end.expired = true;
        return end;
    }
    if (isRemovedLate(before)) {
        const qint64 fromUs = std::max({expiresUs, seenSinceUs(before, frame), changedSinceUs(frame)});
        return End{true, bracket.endedUs, std::max<qint64>(0, bracket.endedUs - fromUs)};
    }
    const qint64 at = std::min(expiresUs + before.slackUs, bracket.endedUs);
    return End{true, at, at - expiresUs};
}

/** Another has it now: had the lease before run out first? Empty: that isn't known. */
std::optional<End> endBeforeNext(const Record &before, const Frame &frame)
{
    const qint64 expiresUs = before.expiresUs + frame.aheadUs;
    if (before.expiry != ExpiryKind::At || before.expiresBy != Evidence::Ttl || frame.saidDeleted ||
        (frame.bracket.endedUs < expiresUs && !frame.saidExpired))
        return std::nullopt;
    // Between two sightings far apart it may have been given back, or renewed, and nobody looked. Nobody
    // renews a lease at its last moment but those whose leases are about as short.
    const bool looked = before.epoch == frame.epoch && before.seenUs >= before.expiresUs - kLookedBeforeUs &&
                        before.ttlMs * 1000 > 10 * kLookedBeforeUs && frame.knownUs() >= expiresUs;
    return frame.pushed || looked ? endByAbsence(before, frame) : std::nullopt;
}

/** The row is there and free: its deadline says when and how the hold ended. */
End endByRow(const Record &before, const Observation &seen, const Frame &frame)
{
    const qint64 until = seen.expiresUs;
    const bool usable = seen.expiry == ExpiryKind::At && until <= frame.bracket.endedUs && !frame.clientClock;
    if (usable && before.expiry == ExpiryKind::At && until >= before.expiresUs &&
        until <= before.expiresUs + before.slackUs)
        return End{true, until, 0};
    const qint64 latest = std::min(until + qint64(seen.expiresStepUs) - 1, frame.bracket.endedUs);
    if (!usable || latest < before.seenBeganUs())
        return releasedBetween(before, frame.bracket.endedUs, frame);
    // Moved on unseen: a lease renewed after the last sighting can't end before its full length.
    const bool ranOut = before.expiry == ExpiryKind::At && until > before.expiresUs && before.ttlMs > 0 &&
                        until >= before.seenBeganUs() + before.ttlMs * 1000;
    if (ranOut)
        return End{true, until, 0};
    qint64 earliest = std::max(until, before.seenBeganUs());
    if (frame.pushed && frame.bracket.beganUs <= latest)
        earliest = std::max(earliest, frame.bracket.beganUs);
    return End{false, latest, latest - std::min(earliest, latest)};
}

/** The end of a hold that was never seen held: from its row alone. */
End endUnseen(const Record &before, const Observation &seen, const Begin &begin, const Frame &frame)
{
    const qint64 endedUs = frame.bracket.endedUs;
    const qint64 beganUs = begin.timeUs - begin.windowUs;
    const qint64 latest = std::min(seen.expiresUs + qint64(seen.expiresStepUs) - 1, endedUs);
    const bool usable = seen.expiry == ExpiryKind::At && latest >= begin.timeUs &&
                        seen.expiresUs <= endedUs && !frame.clientClock;
    if (!usable)
        return End{false, endedUs, endedUs - beganUs};
    const qint64 fromUs = begin.by == Evidence::Column ? *seen.acquiredUs : begin.timeUs;
    const bool ranOut =
        before.ttlMs > 0 && seen.expiresUs >= begin.timeUs && seen.expiresUs - fromUs >= before.ttlMs * 1000;
    return ranOut ? End{true, seen.expiresUs, 0}
                  : End{false, latest, latest - std::max(std::min(seen.expiresUs, latest), beganUs)};
}

/** A holder came and went between two sightings of a row, and left the exact times. */
bool cameAndWent(const Record &before, const Observation &seen, const Frame &frame)
{
    return !before.gone && !seen.identity.isEmpty() && !isSameHolder(before, seen) && seen.acquiredUs &&
           columnSpan(seen).toUs > before.seenUs && *seen.acquiredUs <= frame.bracket.endedUs;
}

/** Held by the row, and past its deadline by the store's clock: it stays until somebody deletes it. */
bool isPastDeadline(const Observation &seen, const Frame &frame)
{
    return seen.held && seen.expiry == ExpiryKind::At && seen.expiresBy != Evidence::Ttl &&
           !frame.clientClock && frame.knownUs() > seen.expiresUs + seen.expirySlackUs;
}

/**
 * The row names a hold from before the one that ends: its store was taken back to an older state. Columns
 * say so by themselves only where the clocks that set them can't explain it.
 */
bool isOlderState(const Record &before, const Observation &seen, const Frame &frame, bool same)
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
std::optional<End> endBySight(const Observation &seen, const Frame &frame)
{
    if (!isPastDeadline(seen, frame))
        return std::nullopt;
    return End{true, seen.expiresUs + seen.expirySlackUs, seen.expirySlackUs};
}

Verdict changed()
{
    Verdict verdict;
    verdict.reading = Reading::Changed;
    return verdict;
}

Verdict diffSameHolder(const Record &before, const Observation &seen, const Frame &frame)
{
    Verdict verdict;
    const bool unreadable = isUnreadable(seen);
    if (before.flaw != seen.flaw || before.depth != seen.depth || before.restored ||
        before.expiry != seen.expiry || unreadable != (before.phase == Phase::Unknown))
        verdict.reading = Reading::Changed;
    if (seen.expiry != ExpiryKind::At)
        return verdict;
    // A column says exactly which deadline it is, however vague that is itself.
    const qint64 latest = before.expiresUs + (seen.expiresBy == Evidence::Column ? 0 : before.slackUs);
    const bool sameClock = before.server == seen.server;
    if (before.expiry == ExpiryKind::At) {
        // Taken to another server it has its deadline by that one's clock: it may differ, and nobody renewed
        // it.
        verdict.renewed = !unreadable && sameClock && seen.expiresUs > latest;
        // Shortened, or told so much more exactly that it is worth saying.
        if (verdict.renewed || (!sameClock && seen.expiresUs > latest) ||
            seen.expiresUs + seen.expirySlackUs < before.expiresUs ||
            seen.expirySlackUs * 2 < qint64(before.slackUs) - 1'000 ||
            (sameClock && !isSameDeadline(before, seen)))
            verdict.reading = Reading::Changed;
    }
    const bool past = !unreadable && isPastDeadline(seen, frame);
    if ((before.phase == Phase::Held || (before.phase == Phase::Unknown && before.hasHold())) && past) {
        verdict.reading = Reading::Changed;
        verdict.renewed = false; // by as much as its end says
        verdict.end = End{true, seen.expiresUs + seen.expirySlackUs, seen.expirySlackUs};
    } else if (before.phase == Phase::Expired && seen.held && !unreadable && !past) {
        // Renewed after its hold had ended: the same one has it again.
        verdict.reading = Reading::Changed;
        verdict.renewed = false;
        verdict.begin = beginOf(seen, frame, seenSinceUs(before, frame));
    }
    return verdict;
}

Verdict diffOccupied(const Record &before, const Observation &seen, const Frame &frame)
{
    Verdict verdict = changed();
    if (!seen.present) {
        verdict.end = endByAbsence(before, frame);
        if (!verdict.end)
            verdict.reading = Reading::ReadAgain;
        return verdict;
    }
    // Of several servers too few have anything of it: whoever it is of, nobody holds the lock.
    if (!seen.held && !seen.nodes.isEmpty() && !isUnreadable(seen)) {
        verdict.end = endByAbsence(before, frame);
        if (!verdict.end)
            verdict.reading = Reading::ReadAgain;
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
    // A row that names nobody any more was given back: nobody else has had it that anyone could tell.
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

Verdict diffIdle(const Record *before, const Observation &seen, const Frame &frame)
{
    Verdict verdict = changed();
    const bool unknownBefore = before && !before->gone && before->phase == Phase::Unknown;
    const Phase idlePhase = seen.optimistic ? Phase::Optimistic : Phase::Free;
    if (!seen.present) {
        verdict.reading = before->gone ? Reading::Same : Reading::Forget;
        return verdict;
    }
    if (isUnreadable(seen)) {
        if (unknownBefore && before->flaw == seen.flaw)
            return diffSameHolder(*before, seen, frame);
        return verdict;
    }
    if (seen.held && !seen.optimistic) {
        // A lock that was unreadable for a while and is the same again has begun nothing.
        if (unknownBefore && (before->restored || !before->identity().isEmpty()) &&
            isSameHolder(*before, seen))
            return verdict;
        const qint64 lowerUs = before ? seenSinceUs(*before, frame) : frame.absentSinceUs;
        verdict.endAfter = endBySight(seen, frame);
        // Over before anybody looked here: what began and ended then was told at its time, or by nobody.
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
        verdict.reading = Reading::Same;
    }
    return verdict;
}

} // namespace

bool mayBeRenewed(const Record *before, const Observation &seen, const Frame &frame)
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

Verdict diff(const Record *before, const Observation &seen, const Frame &frame)
{
    if (!before)
        return diffIdle(nullptr, seen, frame);
    Verdict ignore;
    ignore.reading = Reading::Ignore;
    const bool isOlder = !frame.pushed && frame.bracket.endedUs < before->seenBeganUs();
    if (isOlder && !frame.told)
        return ignore;
    Frame here = frame;
    here.otherClock = frame.pushed && before->server != seen.server;
    Verdict verdict =
        !before->gone && before->hasHold() ? diffOccupied(*before, seen, here) : diffIdle(before, seen, here);
    if (isOlder && verdict.reading == Reading::Same)
        return ignore;
    // Answers may overlap in time: which of two that differ is the later can't be told.
    if (!frame.pushed && verdict.reading != Reading::Same && frame.bracket.beganUs < before->seenUs)
        verdict.reading = Reading::ReadAgain;
    return verdict;
}

} // namespace lockkeeper::agent::engine
