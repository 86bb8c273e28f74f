// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

#include <optional>

namespace lockkeeper::agent::engine {

/** What an observation means for a record. */
enum class Reading : quint8 {
    Ignore,    ///< older than what is known
    ReadAgain, ///< it can't be told what came first: nothing is claimed
    Same,      ///< nothing changed
    Changed,   ///< the record changes; `end`, `begin`, `takenOver` and `renewed` say what is claimed
    Forget,    ///< nothing was held and nothing is there any more
};

/** How a hold ended: in [timeUs − windowUs, timeUs]. */
struct End
{
    bool expired = false; ///< else released
    qint64 timeUs = 0;
    qint64 windowUs = 0;
    bool maybeReleased = false; ///< with expired: a release just before the deadline would look the same
};

/** How a hold began: in [timeUs − windowUs, timeUs]. */
struct Begin
{
    qint64 timeUs = 0;
    qint64 windowUs = 0;
    domain::Evidence by = domain::Evidence::Observation;
    bool firstSeen = false; ///< it was there when the agent looked for the first time
};

struct Verdict
{
    Reading reading = Reading::Same;
    bool renewed = false;
    /** `begin` follows `end` with no free time seen between; where that is an expiry there was some. */
    bool takenOver = false;
    std::optional<End> end;      ///< of the hold in the record
    std::optional<Begin> begin;  ///< of the hold that the observation shows
    std::optional<End> endAfter; ///< of that hold too: it came and went unseen, and its row tells
    bool wentBack = false;       ///< the row is as it was before the hold that ends: nobody gave it back
    bool cameBack = false;       ///< `begin` is of a hold from before the lock was seen without it
};

/** Between two times of the store's clock. */
struct Span
{
    qint64 fromUs = 0;
    qint64 toUs = 0;
};

/** When the acquisition was that a column dates so; the column may keep no finer times than whole seconds. */
inline Span columnSpan(const stores::Observation &seen)
{
    const qint64 at = seen.acquiredUs.value_or(0);
    return {at - seen.acquiredStepUs / 2, at + qint64(seen.acquiredStepUs) - 1};
}

/** What surrounds an observation. */
struct Frame
{
    Bracket bracket;
    qint64 absentSinceUs = 0;  ///< an unknown lock was absent at this time or later; 0: not known
    bool shownUnknown = false; ///< an unknown lock is in the journal's table, as unreadable
    quint16 epoch = 0;         ///< this connection
    quint16 restartEpoch = 0;  ///< the connection at which the server was found restarted
    quint16 rewoundEpoch = 0;  ///< the one at which its data were found older than what was seen
    bool clientClock = false;  ///< columns hold the applications' own time: it decides nothing
    /**
     * The store told of this very change: it was in the bracket, and comes right after what is known. Else
     * the bracket is only when the lock was looked at.
     */
    bool pushed = false;
    /**
     * The store pushed this change, which may come before or after what is known. A store dates a write a
     * little before others can read it: a page that was read meanwhile doesn't show it.
     */
    bool told = false;
    /** Without `pushed`: what is known of the lock was true at this time at the latest; 0: when it was seen.
     */
    qint64 trueUntilUs = 0;
    /** With `pushed`: the lock was seen last at another server, by whose clock that time is. */
    bool otherClock = false;
    /** So far the clock that the bracket is by is ahead of the one that the lock's deadline is by. */
    qint64 aheadUs = 0;
    /** The hold was broken at this time at the latest: what is held later is another one, however alike. 0:
     * it wasn't. */
    qint64 brokenUs = 0;
    bool saidExpired = false; ///< with `pushed`: the store said that what was seen last has expired …
    bool saidDeleted = false; ///< … or was deleted
    /** Of a replica: what was read may have been so at its primary this long before the bracket. */
    qint64 staleUs = 0;

    /** At its primary it was so at this time or later, until the bracket's end. */
    qint64 knownUs() const { return bracket.beganUs - staleUs; }
    Bracket sighting() const { return {knownUs(), bracket.endedUs}; }
};

/**
 * Compares what is known of a lock (null: nothing) with an observation of it. Pure. Claims nothing that the
 * observation's own bracket doesn't bear out: an expiry only where the bracket lies past the deadline,
 * an end or a beginning without a column's evidence with the window between the two sightings.
 */
Verdict diff(const Record *before, const stores::Observation &seen, const Frame &frame);

/** Its lease ran out by now, and wasn't yet when the replica that shows it was surely up to date: the primary
 * may have renewed it. */
bool mayBeRenewed(const Record *before, const stores::Observation &seen, const Frame &frame);

/** Takes the observation over into `record` as the verdict says. `record` may be new but for its name. */
void absorb(Record &record, const stores::Observation &seen, const Frame &frame, const Verdict &verdict);

} // namespace lockkeeper::agent::engine
