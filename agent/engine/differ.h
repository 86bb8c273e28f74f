// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

#include <optional>

namespace lockkeeper::agent::engine {

/** The meaning of an observation for a record. */
enum class Interpretation : quint8 {
    Ignore,    ///< the observation is older than the record
    ReadAgain, ///< the order is unknown: claims nothing
    Same,      ///< nothing changed
    Changed,   ///< the record changes; `end`, `begin`, `takenOver` and `renewed` say what is claimed
    Forget,    ///< nothing was held, and the row or key is gone
};

/** How a hold ended: in [timeUs − windowUs, timeUs]. */
struct HoldEnding
{
    bool expired = false; ///< false: released
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
    bool firstSeen = false; ///< it existed when the agent looked for the first time
};

struct Verdict
{
    Interpretation reading = Interpretation::Same;
    bool renewed = false;
    /** `begin` follows `end`, and no free time was seen between. After an expiry there was some. */
    bool takenOver = false;
    std::optional<HoldEnding> end;      ///< of the hold in the record
    std::optional<Begin> begin;         ///< of the hold that the observation shows
    std::optional<HoldEnding> endAfter; ///< the end of that hold: it began and ended unseen, as its row shows
    bool wentBack = false;              ///< the row is as before the hold, so the hold wasn't released
    bool cameBack = false; ///< `begin` belongs to a hold that is older than a sighting without it
};

/** A span of time by the store's clock. */
struct StoreSpan
{
    qint64 fromUs = 0;
    qint64 toUs = 0;
};

/** The span in which the acquisition happened that a column dates; the column may keep only whole seconds. */
inline StoreSpan columnSpan(const stores::Observation &seen)
{
    const qint64 at = seen.acquiredUs.value_or(0);
    return {at - seen.acquiredStepUs / 2, at + qint64(seen.acquiredStepUs) - 1};
}

/** The context of an observation. */
struct Frame
{
    Bracket bracket;
    qint64 absentSinceUs = 0;  ///< an unknown lock was absent at this time or later; 0: not known
    bool shownUnknown = false; ///< an unknown lock is in the journal's table, as unreadable
    quint16 epoch = 0;         ///< the current connection
    quint16 restartEpoch = 0;  ///< the connection that found the server restarted
    quint16 rewoundEpoch = 0;  ///< the connection that found its data older than already seen
    bool clientClock = false;  ///< columns hold the applications' own time, which decides nothing
    /**
     * The store pushed this very change: it happened in the bracket, and directly follows the record.
     * Otherwise the bracket is only the time of the reading.
     */
    bool pushed = false;
    /**
     * The store pushed this change, which may be older or newer than the record. A store dates a write a
     * little before others can read it: a page that was read meanwhile doesn't show it.
     */
    bool told = false;
    /** Without `pushed`: the time until which the record was still true; 0: until it was last seen. */
    qint64 trueUntilUs = 0;
    /** With `pushed`: the last sighting was at another server, and is dated by that server's clock. */
    bool otherClock = false;
    /** How far the bracket's clock is ahead of the clock that dates the lock's deadline. */
    qint64 aheadUs = 0;
    /** The record's hold was broken at this time or earlier: a later hold is a different one, even if it
     * looks the same. 0: it wasn't broken. */
    qint64 brokenUs = 0;
    bool saidExpired = false; ///< with `pushed`: the store reported that the last seen hold expired …
    bool saidDeleted = false; ///< … or was deleted
    /** For a replica: the reading may show the primary's state from this long before the bracket. */
    qint64 staleUs = 0;

    /** The primary had the observed state at some time between this and the bracket's end. */
    qint64 knownUs() const { return bracket.beganUs - staleUs; }
    Bracket sighting() const { return {knownUs(), bracket.endedUs}; }
};

/**
 * Compares the record of a lock (null: unknown) with an observation of it. Pure. Claims only what the
 * observation's own bracket supports: an expiry only if the bracket lies past the deadline. An end or a
 * beginning without a column's evidence gets the window between the two sightings.
 */
Verdict diff(const LockRecord *before, const stores::Observation &seen, const Frame &frame);

/** Whether a replica shows a lease that has run out by now, but hadn't when the replica was surely up to
 * date: the primary may have renewed it. */
bool mayBeRenewed(const LockRecord *before, const stores::Observation &seen, const Frame &frame);

/** Updates `record` with the observation, as the verdict says. `record` may be new, with only a name. */
void absorb(LockRecord &record, const stores::Observation &seen, const Frame &frame, const Verdict &verdict);

} // namespace lockkeeper::agent::engine
