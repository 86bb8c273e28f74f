// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores {

/**
 * Between which lengths a semaphore's lease lies, milliseconds. redis-semaphore gives the whole set a lease's
 * time whenever a permit is taken or refreshed, and that permit the time of then as its score: what the set
 * has left is never longer than a lease, and what it has from its newest permit on never shorter. The second
 * is the lease itself, unless a newer permit was given back.
 */
struct LeaseRange
{
    qint64 leastMs = 0;
    qint64 mostMs = 0;

    bool operator==(const LeaseRange &) const = default;
};

/** All three in milliseconds since the epoch: the set ends at `endsMs`. */
LeaseRange leaseRangeOf(qint64 nowMs, qint64 endsMs, qint64 newestMs);

/** What both say; where they contradict each other `mostMs` is the lesser. */
LeaseRange narrowed(const LeaseRange &one, const LeaseRange &other);

/** The longest that it can be, as a round figure where one is near: time-outs are. */
qint64 longestLeaseMs(const LeaseRange &range);

} // namespace lockkeeper::stores
