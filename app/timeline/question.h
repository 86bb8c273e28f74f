// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/chart.h"

namespace lockkeeper::app::timeline {

/** Whose lanes are asked for. */
struct Lanes
{
    protocol::TimelineLanes by = protocol::TimelineLanes::Lock;
    QString source;
    QByteArray lockGlob;
    QByteArray holderGlob;
    QList<domain::LockKey> keys; ///< exactly these instead of the ranking; `exactly` with none: nothing
    bool exactly = false;

    bool operator==(const Lanes &) const = default;
};

inline constexpr int kMostLanes = 50;
inline constexpr int kStripSlices = 400;

/** The slices of a range: what two pixels stand for, in a length that stays the same while one pans. */
qint64 sliceFor(const Range &range, int widthPx);

/**
 * What to ask for a range that is `widthPx` wide on the screen: half a screen more on each side, so that a
 * pan finds it there, and nothing finer than can be seen. `strip`: the range of the strip; empty: none. Pure.
 */
protocol::TimelineQuery questionFor(const Lanes &lanes, const Range &shown, int widthPx, const Range &strip,
                                    qint64 nowUs);

/** True where what was read still serves: it covers the range, as finely as two pixels want it. Pure. */
bool serves(const Range &read, qint64 readSliceUs, const Range &shown, int widthPx, qint64 nowUs);

} // namespace lockkeeper::app::timeline
