// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"

#include <QList>

namespace lockkeeper::agent::engine {

using events::WaitOutcome;

/** One wait that began or ended: in [timeUs − windowUs, timeUs]. */
struct WaitChange
{
    bool began = false;
    QByteArray id;
    qint64 timeUs = 0;
    qint64 windowUs = 0;
    bool firstSeen = false; ///< began: the waiter was present when the agent first saw the waiters
    domain::TimeUs sinceUs; ///< for an ended one: its start
    WaitOutcome outcome = WaitOutcome::Left;
};

/** The waiters before and after an observation, and the changes between. */
struct Waits
{
    QList<WaitChange> changes;    ///< ended waits come first
    QList<domain::Waiter> before; ///< the waiters known so far
    QList<domain::Waiter> now;    ///< in the order of their turn, each with its best known beginning
    bool visible = false;         ///< the observation shows the waiters
};

/**
 * Compares the known waiters with an observation, under the verdict that diff() gave on its holder. Pure. A
 * wait begins by the store's evidence if it has any, and otherwise between the two sightings. The function
 * doesn't invent waits that began and ended between them. A waiter of the same id whose wait began after the
 * last sighting counts as a new wait. If the observation doesn't show the waiters, the function claims
 * nothing. A queue that stays while the lock isn't held interrupts no wait: a wait lasts until the waiter
 * holds the lock or has left.
 */
Waits waitsOf(const LockRecord *before, const stores::Observation &seen, const Frame &frame,
              const Verdict &verdict);

/**
 * Notes a sign of life of a lock without expiry: the values that a guard's freshness compares have changed.
 * With `begun` they belong to another hold, and only remembered.
 */
void noteFreshness(LockRecord &record, const stores::Observation &seen, const Frame &frame, bool begun);

/** Why the lock can't be broken now: the store's reason, or the hold's age. */
domain::ReleaseOff offOf(const LockRecord &record, const stores::Observation &seen, const Frame &frame);

/** Updates everything but the holder in `record`: waiters, session, version, and why it can't be broken.
 * Returns true if the record's state shows a difference. */
bool absorbDetails(LockRecord &record, const stores::Observation &seen, const Frame &frame, Waits &waits);

} // namespace lockkeeper::agent::engine
