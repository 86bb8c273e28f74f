// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/differ.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::Phase;
using domain::StuckReason;
using stores::Flaw;
using stores::Observation;

namespace {

Phase phaseOf(const Observation &seen, const Frame &frame)
{
    if (seen.flaw != Flaw::None && seen.flaw != Flaw::NullIdentity)
        return Phase::Unknown;
    if (seen.optimistic)
        return Phase::Optimistic;
    if (!seen.held)
        return Phase::Free;
    // The applications' own clocks expire nothing. If a store removes expired locks itself, a lock that it
    // still shows hasn't expired.
    const bool past = seen.expiry == ExpiryKind::At && seen.expiresBy != Evidence::Ttl &&
                      !frame.clientClock && frame.knownUs() > seen.expiresUs + seen.expirySlackUs;
    return past ? Phase::Expired : Phase::Held;
}

/** Milliseconds, rounded up, so that a lease of 30 s set a moment ago isn't called 29.999 s. */
qint64 toMs(qint64 us)
{
    return us > 0 ? (us + 999) / 1000 : 0;
}

void forgetHold(LockRecord &record)
{
    record.stuck = StuckReason::None;
    record.holderGone = record.goneDenied = false;
    record.acquiredBy = Evidence::None;
    record.acquiredUs = record.windowUs = 0;
    record.renewedUs = record.longestGapUs = 0;
    record.renewals = 0;
}

void beginHold(LockRecord &record, const Observation &seen, const Frame &frame, const Begin &begin)
{
    forgetHold(record);
    record.acquiredUs = begin.timeUs;
    record.windowUs = begin.windowUs;
    record.acquiredBy = begin.by;
    record.quietSinceUs = begin.timeUs;
    record.ttlMs = 0;
    if (seen.expiry == ExpiryKind::At) {
        const qint64 from = begin.by == Evidence::Column ? *seen.acquiredUs : frame.bracket.endedUs;
        record.ttlMs = toMs(seen.expiresUs + seen.expirySlackUs - from);
    }
}

void noteRenewal(LockRecord &record, const Observation &seen, const Frame &frame)
{
    const qint64 seenUs = frame.pushed ? std::max(record.seenBeganUs(), frame.bracket.beganUs) // dated
                                       : record.seenBeganUs();
    const qint64 earliest = std::min(seenUs, frame.bracket.endedUs);
    const qint64 at = std::clamp(seen.expiresUs - record.ttlMs * 1000, earliest, frame.bracket.endedUs);
    // A silence between two sightings over different connections belongs to the agent's outage, not to the
    // holder.
    if (record.renewals > 0 && record.epoch == frame.epoch)
        record.longestGapUs = std::max(record.longestGapUs, at - record.renewedUs);
    record.renewedUs = at;
    record.noteLife(at);
    ++record.renewals;
    const qint64 least = toMs(seen.expiresUs - frame.bracket.endedUs);
    const qint64 most = toMs(seen.expiresUs + seen.expirySlackUs - earliest);
    if (record.ttlMs < least || record.ttlMs > most)
        record.ttlMs = least;
}

void takeDeadline(LockRecord &record, const Observation &seen, const Frame &frame)
{
    const bool hadNone = record.expiry == ExpiryKind::None;
    record.expiry = seen.expiry;
    record.expiresBy = seen.expiresBy;
    record.server = seen.server;
    record.expiresUs = seen.expiry == ExpiryKind::At ? seen.expiresUs : 0;
    record.slackUs = quint32(std::clamp<qint64>(seen.expirySlackUs, 0, std::numeric_limits<quint32>::max()));
    record.noiseUs = quint32(std::clamp<qint64>(seen.expiryNoiseUs, 0, std::numeric_limits<quint32>::max()));
    if (seen.expiry == ExpiryKind::At && record.ttlMs == 0)
        record.ttlMs = toMs(seen.expiresUs + seen.expirySlackUs - frame.bracket.endedUs);
    else if (seen.expiry != ExpiryKind::At && record.phase != Phase::Free)
        record.ttlMs = 0;
    if (seen.expiry == ExpiryKind::None && !hadNone)
        record.quietSinceUs = frame.bracket.endedUs;
}

} // namespace

void absorb(LockRecord &record, const Observation &seen, const Frame &frame, const Verdict &verdict)
{
    if (!seen.present) {
        forgetHold(record);
        record.phase = Phase::Free;
        record.gone = true;
        record.flaw = Flaw::None;
        record.expiry = ExpiryKind::Unknown;
        record.server = seen.server;
    } else {
        const bool sameValues = !record.gone && !record.restored && record.identity() == seen.identity &&
                                record.owner() == seen.owner && record.token() == seen.token;
        const bool sameHolder = !verdict.begin && !verdict.end && sameValues;
        const bool sameTimes =
            seen.dated || (record.expiry == seen.expiry && record.expiresUs == seen.expiresUs);
        if (verdict.begin || !sameValues || !sameTimes)
            record.pinnedUs = frame.bracket.endedUs;
        if (!sameHolder && !record.identity().isEmpty() && record.identity() != seen.identity)
            record.previous = record.identityHash();
        if (!sameHolder)
            record.texts.set(seen.identity, seen.owner, seen.token);
        if (verdict.begin)
            beginHold(record, seen, frame, *verdict.begin);
        else if (verdict.renewed)
            noteRenewal(record, seen, frame);
        if (record.depth != seen.depth && !verdict.begin)
            record.noteLife(frame.bracket.endedUs);
        const bool hadHold = record.acquiredBy != Evidence::None && record.phase != Phase::Expired;
        const bool beganWithout = verdict.begin && seen.expiry == ExpiryKind::None;
        record.phase = phaseOf(seen, frame);
        record.gone = false;
        record.restored = false;
        record.ownerKnown = seen.ownerKnown;
        record.flaw = seen.flaw;
        record.depth = seen.depth;
        record.reclaimed = seen.reclaimed;
        record.ownIdentity = seen.ownIdentity;
        record.dated = seen.dated;
        takeDeadline(record, seen, frame);
        if (record.phase == Phase::Expired && record.acquiredBy == Evidence::None && seen.acquiredUs) {
            const StoreSpan column = columnSpan(seen);
            record.acquiredUs = std::min(column.toUs, frame.bracket.endedUs);
            record.windowUs = std::max<qint64>(0, record.acquiredUs - column.fromUs);
            record.acquiredBy = Evidence::Column;
        }
        if (beganWithout)
            record.quietSinceUs = verdict.begin->timeUs;
        if (!record.isOccupied() && (record.phase == Phase::Free || !hadHold || verdict.end))
            forgetHold(record);
    }
    record.noteSeen(frame.sighting());
    record.epoch = frame.epoch;
}

} // namespace lockkeeper::agent::engine
