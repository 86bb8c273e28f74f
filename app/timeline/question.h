// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/chart.h"

namespace lockkeeper::app::timeline {

/** The requested lanes. */
struct Lanes
{
    protocol::TimelineLanes by = protocol::TimelineLanes::Lock;
    QString source;
    QByteArray lockGlob;
    QByteArray holderGlob;
    QList<domain::LockKey> keys; ///< only these instead of the ranking; `exactly` without keys: no lanes
    bool exactly = false;

    bool operator==(const Lanes &) const = default;
};

inline constexpr int kMostLanes = 50;
inline constexpr int kStripSlices = 400;

/**
 * The length of slices for a range: the time of two pixels, rounded so that it stays the same while the user
 * pans.
 */
qint64 sliceFor(const TimeRange &range, int widthPx);

/**
 * The query for a range that is `widthPx` wide on the screen: half a screen more on each side, so that a pan
 * finds data there, and no finer than visible. `strip`: the range of the strip; empty: none. Pure.
 */
protocol::TimelineQuery questionFor(const Lanes &lanes, const TimeRange &shown, int widthPx,
                                    const TimeRange &strip, qint64 nowUs);

/** True if the read data is still sufficient: it covers the range, as finely as two pixels require. Pure. */
bool serves(const TimeRange &read, qint64 readSliceUs, const TimeRange &shown, int widthPx, qint64 nowUs);

} // namespace lockkeeper::app::timeline
