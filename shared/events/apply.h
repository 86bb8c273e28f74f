// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QHash>

namespace lockkeeper::events {

/** A table of locks as of one sequence number: what a console's replica and the tests keep. */
struct LockTable
{
    quint64 seq = 0;
    QHash<domain::LockKey, domain::LockState> locks;

    bool operator==(const LockTable &) const = default;
};

/** What apply() did with an event. */
enum class Applied {
    Changed,   ///< the table has a new, changed or removed lock
    NoChange,  ///< an event of a source: only the number moved
    Duplicate, ///< seen before: nothing was done
    Gap,       ///< a number is missing in between: nothing was done, ask again from table.seq
};

/** Moves `seq` on by one event: Changed where the event's lock is now as `after` says, or gone. */
Applied advance(const LockEvent &event, quint64 &seq);

/**
 * Applies one sequenced event. Pure but for `table`. An event already applied is a no-op; one that
 * leaves a hole in the numbers is not applied.
 */
Applied apply(const LockEvent &event, LockTable &table);

/**
 * Takes over an unsequenced state (a renewal, a point read): replaces a lock that is in the table. One that
 * isn't there is inserted only where nobody holds it (Free, Optimistic, Unknown) or its hold is over
 * (Expired), because holds begin with an event. A Free state without `seenUs` says that there is nothing at
 * that name any more: it takes out a lock that nobody holds, because holds end with an event; a lock past its
 * deadline has had that event.
 */
Applied applyUpdate(const domain::LockState &state, LockTable &table);

} // namespace lockkeeper::events
