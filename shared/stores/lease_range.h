// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores {

/**
 * The bounds of a semaphore's lease, in milliseconds. Whenever a permit is taken or refreshed,
 * redis-semaphore makes the whole set expire one lease later and writes the current time as the permit's
 * score. The set's remaining time is therefore never longer than a lease. The time from its newest permit to
 * its end is never shorter; it equals the lease unless a newer permit was released.
 */
struct LeaseRange
{
    qint64 leastMs = 0;
    qint64 mostMs = 0;

    bool operator==(const LeaseRange &) const = default;
};

/** All three in milliseconds since the epoch: the set ends at `endsMs`. */
LeaseRange leaseRangeOf(qint64 nowMs, qint64 endsMs, qint64 newestMs);

/** The intersection of both ranges; where they contradict each other, `mostMs` is the lesser. */
LeaseRange narrowed(const LeaseRange &one, const LeaseRange &other);

/** The longest possible lease, rounded where a round figure is near: time-outs are round figures. */
qint64 longestLeaseMs(const LeaseRange &range);

} // namespace lockkeeper::stores
