// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/lane_tally.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

qint64 SliceGrid::firstUs() const
{
    return floorTo(range.fromUs, sliceUs);
}

qsizetype SliceGrid::count() const
{
    return indexOf(range.toUs - 1) + 1;
}

qint64 LaneTally::sharedUs(const MeasuredSpan &span, Interval range, qint64 nowUs)
{
    const qint64 endUs = std::min(span.toUs == MeasuredSpan::kOpen ? nowUs : span.toUs, range.toUs);
    return std::max<qint64>(0, endUs - std::max(span.fromUs, range.fromUs));
}

protocol::TimelineSlice &LaneTally::sliceAt(qint64 timeUs)
{
    if (m_slices.empty())
        m_slices.resize(size_t(m_grid.count()));
    return m_slices[size_t(m_grid.indexOf(timeUs))];
}

void LaneTally::add(const MeasuredSpan &span, Interval within, bool isBar)
{
    m_isSliced = m_isSliced || !isBar;
    if (++m_bars <= m_mostBars && !m_isSliced)
        (span.ofWait ? m_waits : m_holds).push_back(span.id);
    else
        m_holds = m_waits = {};
    const qint64 beganUs = std::max(span.fromUs, within.fromUs);
    const qint64 lengthUs = sharedUs(span, within, m_nowUs);
    const qint64 endUs = beganUs + lengthUs;
    for (qint64 at = floorTo(beganUs, m_grid.sliceUs); lengthUs > 0 && at < endUs; at += m_grid.sliceUs) {
        protocol::TimelineSlice &slice = sliceAt(at);
        const qint64 part = std::min(endUs, at + m_grid.sliceUs) - std::max(beganUs, at);
        (span.ofWait ? slice.waitUs : slice.heldUs) += part;
    }
    if (span.isCounted || span.toUs < within.fromUs || span.toUs >= within.toUs)
        return;
    protocol::TimelineSlice &last = sliceAt(span.toUs);
    ++(span.ofWait ? last.waits : last.holds);
    last.forced += span.end == HoldEnd::ForceReleased;
}

void LaneTally::add(const Rollup &rollup)
{
    m_isSliced = true;
    m_bars += rollup.holds + rollup.waits;
    protocol::TimelineSlice &slice = sliceAt(rollup.fromUs);
    slice.heldUs += rollup.heldUs;
    slice.waitUs += rollup.waitedUs;
    slice.holds += rollup.holds;
    slice.waits += rollup.waits;
    slice.forced += rollup.forced;
}

QList<protocol::TimelineSlice> LaneTally::slices() const
{
    QList<protocol::TimelineSlice> some;
    qint64 at = m_grid.firstUs();
    for (protocol::TimelineSlice slice : m_slices) {
        if (!(slice == protocol::TimelineSlice{})) {
            slice.fromUs = at;
            some.append(slice);
        }
        at += m_grid.sliceUs;
    }
    return some;
}

} // namespace lockkeeper::agent::journal
