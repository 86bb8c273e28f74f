// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/span_walk.h"
#include "shared/protocol/messages.h"

#include <vector>

namespace lockkeeper::agent::journal {

/** Equal parts of a range of time. Their borders are multiples of their length, so that they stay the same
 * when the range moves. */
struct SliceGrid
{
    Interval range;
    qint64 sliceUs = 1;

    qint64 firstUs() const; ///< beginning of the first part, may lie before the range
    qsizetype count() const;
    /** The part that contains the moment, which must lie in the range. */
    qsizetype indexOf(qint64 timeUs) const { return qsizetype((timeUs - firstUs()) / sliceUs); }
};

/** Collects the content of one lane of a timeline as bars and as slices at the same time, because only the
 * end shows which are used. Pure. */
class LaneTally
{
public:
    LaneTally(SliceGrid grid, qint64 nowUs, qsizetype mostBars)
        : m_grid(grid), m_nowUs(nowUs), m_mostBars(mostBars)
    {
    }

    /** The time that the span and the range share. An open span counts until `nowUs`. */
    static qint64 sharedUs(const MeasuredSpan &span, Interval range, qint64 nowUs);

    /** Adds the part of the span that lies `within` a part of the range. It counts as a bar if `isBar`. */
    void add(const MeasuredSpan &span, Interval within, bool isBar);
    /** Adds an hour or a day. The lane will then have slices, which are no shorter. */
    void add(const Rollup &rollup);
    /** True if all spans are bars, at most `mostBars`. */
    bool fits() const { return !m_isSliced && m_bars <= m_mostBars; }
    qsizetype bars() const { return m_bars; }
    const std::vector<qint64> &holds() const { return m_holds; } ///< ids of the bars, if fits()
    const std::vector<qint64> &waits() const { return m_waits; }
    QList<protocol::TimelineSlice> slices() const; ///< only slices that aren't empty

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
