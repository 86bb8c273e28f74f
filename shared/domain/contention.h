// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

namespace lockkeeper::domain {

/** Statistics of many durations, in microseconds. Percentiles by nearest rank; all 0 without durations. */
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
 * The cost of one lock in a range of time, computed from the journal. A hand-over is the free time between
 * the end of one hold and the beginning of the next. Both moments are only known within a window, so a
 * hand-over has a lower bound (`handoverLow`) and an upper bound (`handoverHigh`). Holds and waits that began
 * and ended between two observations are not counted.
 */
struct Contention
{
    LockKey key;
    bool waitersVisible = false; ///< false: the scheme doesn't show waiters, and `waits` has no meaning
    qint64 acquisitions = 0;     ///< acquisitions whose beginning was seen in the range
    qint64 takeovers = 0;        ///< holds that ended in the range by takeover; below: by expiry, by force
    qint64 expiries = 0;
    qint64 forced = 0;
    Spread waits; ///< waits that overlap the range; `totalUs` counts only the part inside it
    Spread holds; ///< holds that ended in the range, both ends seen; `maxUs` includes a running hold
    Spread handoverLow;
    Spread handoverHigh;
    qint64 heldLowUs = 0;  ///< minimum time held within the observed time …
    qint64 heldHighUs = 0; ///< … and maximum
    qint64 observedUs = 0; ///< time within the range in which the source was observed

    bool operator==(const Contention &) const = default;
};

/** The statistics that rank locks, or the clients that waited or made others wait. */
enum class ContentionRanking : quint8 { Lock = 0, Waiter, Holder, Statement };

/**
 * The waiting that one holder caused in a range of time, over all locks of a source. A wait counts for the
 * holder of its lock, each part of it for the one who held then.
 */
struct BlockerCost
{
    QString source;
    QByteArray holder;    ///< empty with ContentionRanking::Statement
    QByteArray statement; ///< that the holding connection ran, as the server showed it; untrusted
    qint64 locks = 0;     ///< number of locks at which others waited for it
    qint64 waiters = 0;   ///< number of distinct waiters
    qint64 waits = 0;
    qint64 totalUs = 0;    ///< time that others waited for it within the range, summed
    qint64 maxUs = 0;      ///< longest part of a single wait
    qint64 observedUs = 0; ///< time within the range in which the source was observed

    bool operator==(const BlockerCost &) const = default;
};

/** The total waiting of one waiter in a range of time, over all locks of a source. */
struct WaiterCost
{
    QString source;
    QByteArray waiter;
    qint64 locks = 0; ///< number of locks that it waited for
    qint64 waits = 0;
    qint64 totalUs = 0;    ///< time waited within the range
    qint64 maxUs = 0;      ///< longest wait
    qint64 observedUs = 0; ///< time within the range in which the source was observed

    bool operator==(const WaiterCost &) const = default;
};

} // namespace lockkeeper::domain
