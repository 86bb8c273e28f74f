// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

namespace lockkeeper::domain {

/** How long many things of one kind took, in microseconds. Percentiles by nearest rank; all 0 without any. */
struct Spread
{
    qint64 count = 0;
    qint64 totalUs = 0;
    qint64 p50Us = 0;
    qint64 p95Us = 0;
    qint64 maxUs = 0;

    bool operator==(const Spread &) const = default;
};

/**
 * What one lock cost in a range of time, as the journal tells. A hand-over is the free time between one
 * holder's end and the next one's beginning. Both are known within their windows only, so that it lasted at
 * least what `handoverLow` says and at most what `handoverHigh` says. Somebody who came and went between two
 * observations is in none of the figures.
 */
struct Contention
{
    LockKey key;
    bool waitersVisible = false; ///< false: the scheme doesn't show who waits, and `waits` says nothing
    qint64 acquisitions = 0;     ///< that were seen to begin in the range
    qint64 takeovers = 0;        ///< holds that ended in the range, by how they ended
    qint64 expiries = 0;
    qint64 forced = 0;
    Spread waits; ///< that reached into the range; `totalUs` is what lay in it
    Spread holds; ///< that ended in the range, both ends seen; `maxUs` also of one that goes on, so far
    Spread handoverLow;
    Spread handoverHigh;
    qint64 heldLowUs = 0;  ///< of the observed time, the lock was held at least so long …
    qint64 heldHighUs = 0; ///< … and at most so long
    qint64 observedUs = 0; ///< of the range, in which its source was observed

    bool operator==(const Contention &) const = default;
};

/** What one waiter's waiting in a range of time came to, over all locks of a source. */
struct WaiterCost
{
    QString source;
    QByteArray waiter;
    qint64 locks = 0; ///< that it waited for
    qint64 waits = 0;
    qint64 totalUs = 0;    ///< of its waits, what lay in the range
    qint64 maxUs = 0;      ///< of one of them
    qint64 observedUs = 0; ///< of the range, in which its source was observed

    bool operator==(const WaiterCost &) const = default;
};

} // namespace lockkeeper::domain
