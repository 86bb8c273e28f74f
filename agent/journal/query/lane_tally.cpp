// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/lane_tally.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {

qint64 floorTo(qint64 timeUs, qint64 lengthUs)
{
    const qint64 rest = timeUs % lengthUs;
    return timeUs - (rest < 0 ? rest + lengthUs : rest);
}

} // namespace

qint64 SliceGrid::firstUs() const
{
    return floorTo(range.fromUs, sliceUs);
}

qsizetype SliceGrid::count() const
{
    return indexOf(range.toUs - 1) + 1;
}

qint64 LaneTally::sharedUs(const Span &span, Interval range, qint64 nowUs)
{
    const qint64 endUs = std::min(span.toUs == Span::kOpen ? nowUs : span.toUs, range.toUs);
    return std::max<qint64>(0, endUs - std::max(span.fromUs, range.fromUs));
}

void LaneTally::add(const Span &span)
{
    if (++m_bars <= m_mostBars)
        (span.ofWait ? m_waits : m_holds).push_back(span.id);
    else
        m_holds = m_waits = {};
    if (m_slices.empty())
        m_slices.resize(size_t(m_grid.count()));
    const qint64 beganUs = std::max(span.fromUs, m_grid.range.fromUs);
    const qint64 endUs = beganUs + sharedUs(span, m_grid.range, m_nowUs);
    for (qint64 at = floorTo(beganUs, m_grid.sliceUs); at < endUs; at += m_grid.sliceUs) {
        protocol::TimelineSlice &slice = m_slices[size_t(m_grid.indexOf(at))];
        const qint64 part = std::min(endUs, at + m_grid.sliceUs) - std::max(beganUs, at);
        (span.ofWait ? slice.waitUs : slice.heldUs) += part;
    }
    if (span.toUs < m_grid.range.fromUs || span.toUs >= m_grid.range.toUs)
        return;
    protocol::TimelineSlice &last = m_slices[size_t(m_grid.indexOf(span.toUs))];
    ++(span.ofWait ? last.waits : last.holds);
    last.forced += span.end == HoldEnd::ForceReleased;
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
