// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/span_walk.h"
#include "shared/protocol/messages.h"

#include <vector>

namespace lockkeeper::agent::journal {

/** Equal parts of a range of time: their borders are multiples of their length, so that a range that moves
 * keeps them. */
struct SliceGrid
{
    Interval range;
    qint64 sliceUs = 1;

    qint64 firstUs() const; ///< where the first part begins, which may be before the range
    qsizetype count() const;
    /** The part in which the moment lies; of the range. */
    qsizetype indexOf(qint64 timeUs) const { return qsizetype((timeUs - firstUs()) / sliceUs); }
};

/** What lies in one lane of a timeline, as bars and as slices at the same time: which it will be shows at the
 * end. Pure. */
class LaneTally
{
public:
    LaneTally(SliceGrid grid, qint64 nowUs, qsizetype mostBars)
        : m_grid(grid), m_nowUs(nowUs), m_mostBars(mostBars)
    {
    }

    /** `nowUs`: what goes on has lasted until then. */
    static qint64 sharedUs(const Span &span, Interval range, qint64 nowUs);

    /** What of it lies `within` a part of the range; it is a bar if `isBar`. */
    void add(const Span &span, Interval within, bool isBar);
    /** An hour or a day of a lane that will have slices, which are no shorter. */
    void add(const Rollup &rollup);
    /** No more than `mostBars`. */
    bool fits() const { return !m_isSliced && m_bars <= m_mostBars; }
    qsizetype bars() const { return m_bars; }
    const std::vector<qint64> &holds() const { return m_holds; } ///< their ids, where fits()
    const std::vector<qint64> &waits() const { return m_waits; }
    QList<protocol::TimelineSlice> slices() const; ///< those in which something was

private:
    protocol::TimelineSlice &sliceAt(qint64 timeUs);

    SliceGrid m_grid;
    qint64 m_nowUs;
    qsizetype m_mostBars;
    qsizetype m_bars = 0;
    bool m_isSliced = false;
    std::vector<qint64> m_holds;
    std::vector<qint64> m_waits;
    std::vector<protocol::TimelineSlice> m_slices;
};

} // namespace lockkeeper::agent::journal
