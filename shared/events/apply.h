// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QHash>

namespace lockkeeper::events {

/** A table of locks as of one sequence number. Consoles' replicas and the tests use it. */
struct AppliedLocks
{
    quint64 seq = 0;
    QHash<domain::LockKey, domain::LockState> locks;

    bool operator==(const AppliedLocks &) const = default;
};

/** The effect of an event in apply(). */
enum class Applied {
    Changed,   ///< a lock of the table was added, changed or removed
    NoChange,  ///< an event of a source: only the number advanced
    Duplicate, ///< applied before: nothing was done
    Gap,       ///< numbers are missing in between: nothing was done; request the events after table.seq
};

/** Advances `seq` by one event. On Changed the event's lock is now `after`, or removed if that is empty. */
Applied advance(const LockEvent &event, quint64 &seq);

/**
 * Applies one sequenced event. Pure, apart from `table`. Ignores an event that was already applied, and an
 * event that would leave a gap in the numbers.
 */
Applied apply(const LockEvent &event, AppliedLocks &table);

/**
 * Applies an unsequenced state (a renewal, a point read). Replaces a lock that is in the table. A lock that
 * isn't in the table is inserted unless it is Held, because holds begin with an event. A Free state without
 * `seenUs` means that the store has no such lock any more. It removes the lock from the table unless that is
 * Held, because holds end with an event. An Expired lock has already had that event.
 */
Applied applyUpdate(const domain::LockState &state, AppliedLocks &table);

} // namespace lockkeeper::events
