// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/chart.h"

namespace lockkeeper::app::timeline {

/** The known facts about a lane at one moment. */
struct Moment
{
    enum class Knowledge : quint8 {
        NotRead = 0, ///< outside the read range
        NotObserved, ///< within a gap of its source, after its last observation, or before the journal
        Slices,      ///< only sums are known: `held` of a slice
        Held,        ///< by `hold`
        MaybeHeld,   ///< within the uncertainty of the beginning or the end of `hold`
        NotHeld,
    };
    Knowledge known = Knowledge::NotRead;
    qsizetype hold = -1;
    qsizetype gap = -1;   ///< in the chart
    qsizetype slice = -1; ///< in the lane
    int holders = 0;      ///< holds at that moment, in a lane of many locks
    int waiters = 0;
    bool operator==(const Moment &) const = default;
};

/** Pure. */
Moment momentOf(const Chart &chart, qsizetype lane, qint64 us, const SeenUntil &seen);

/**
 * The next beginning or end of a bar, a slice or a gap after `us` (before it if `forward` is false) in
 * `lane`, or in any lane for −1. Pure.
 */
std::optional<qint64> nextEvent(const Chart &chart, qsizetype lane, qint64 us, bool forward);

} // namespace lockkeeper::app::timeline
