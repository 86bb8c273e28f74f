// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"

#include <QList>

namespace lockkeeper::agent::engine {

/** How a wait ended, as far as two observations tell. */
enum class WaitOutcome : quint8 {
    Acquired, ///< the one who waited holds the lock now
    Left,     ///< it waits no longer; whether it held the lock meanwhile, nobody saw
    LockGone, ///< the lock isn't there any more
};

QByteArrayView waitOutcomeName(WaitOutcome outcome);

/** One wait that began or ended: in [timeUs − windowUs, timeUs]. */
struct WaitChange
{
    bool began = false;
    QByteArray id;
    qint64 timeUs = 0;
    qint64 windowUs = 0;
    bool firstSeen = false; ///< began: it was there when the agent first saw who waits
    domain::TimeUs sinceUs; ///< ended: when it had begun
    WaitOutcome outcome = WaitOutcome::Left;
};

/** What an observation says of those who wait. */
struct Waits
{
    QList<WaitChange> changes;    ///< those that ended first
    QList<domain::Waiter> before; ///< as they were known
    QList<domain::Waiter> now;    ///< in the order of their turn, each with the best date of its beginning
    bool visible = false;         ///< the observation shows who waits
};

/**
 * Compares who is known to wait with what an observation shows, under the verdict that diff() gave of its
 * holder. Pure. Waits begin by the store's evidence where it tells, else between the two sightings; one that
 * began and ended between them isn't made up. A waiter of the same id whose wait began after the last
 * sighting waits anew. Where the observation doesn't show waiters nothing is claimed. A queue that stays
 * while nobody holds the lock cuts no wait: it lasts until the waiter holds the lock or has left.
 */
Waits waitsOf(const Record *before, const stores::Observation &seen, const Frame &frame,
              const Verdict &verdict);

/**
 * A sign of life of a lock without expiry is that what a guard's freshness compares has changed. With
 * `begun` it is another hold, and only remembered.
 */
void noteFreshness(Record &record, const stores::Observation &seen, const Frame &frame, bool begun);

/** Why the lock can't be broken now, as the store says it, or as its age does. */
domain::ReleaseOff offOf(const Record &record, const stores::Observation &seen, const Frame &frame);

/** Takes everything but the holder over into `record`: waiters, session, version, what keeps it from being
 * broken. True where its state shows something else than before. */
bool absorbDetails(Record &record, const stores::Observation &seen, const Frame &frame, Waits &waits);

} // namespace lockkeeper::agent::engine
