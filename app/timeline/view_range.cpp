// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/view_range.h"

#include <algorithm>

namespace lockkeeper::app::timeline {

namespace {
constexpr int kMostTrail = 32;
constexpr qint64 kAheadParts = 50;             ///< the present is this fraction of the range before its end
constexpr qint64 kShortestOpenUs = 60'000'000; ///< of a journal that has just begun
} // namespace

TimeRange ViewRange::limits() const
{
    if (m_nowUs == 0)
        return {};
    const qint64 length = std::max(m_range.lengthUs(), kShortestRangeUs);
    const qint64 ahead = length / kAheadParts;
    // A range longer than the journal may be shown: its beginning is empty.
    const qint64 first = m_firstUs > 0 ? m_firstUs - ahead : m_nowUs - kLongestRangeUs;
    return {std::min(first, m_nowUs + ahead - length), m_nowUs + ahead};
}

void ViewRange::set(const TimeRange &range)
{
    m_range = range;
    m_range = within(range, limits());
}

void ViewRange::remember()
{
    m_trail.append(m_range);
    if (m_trail.size() > kMostTrail)
        m_trail.removeFirst();
}

void ViewRange::setLimits(qint64 firstUs, qint64 nowUs)
{
    m_firstUs = firstUs;
    m_nowUs = nowUs;
}

void ViewRange::setFollowing(bool following)
{
    m_following = following;
}

bool ViewRange::follow(qint64 nowUs, int widthPx)
{
    m_nowUs = nowUs;
    if (!m_following)
        return false;
    const qint64 pixel = std::max<qint64>(1, m_range.lengthUs() / std::max(1, widthPx));
    const qint64 end = nowUs + m_range.lengthUs() / kAheadParts;
    const qint64 behind = end - m_range.toUs;
    if (behind > -pixel && behind < pixel)
        return false;
    m_range = panned(m_range, behind / pixel * pixel);
    return true;
}

void ViewRange::zoom(double factor, qint64 aroundUs)
{
    if (!m_zooming)
        remember();
    m_zooming = true;
    m_chosenUs = 0;
    // While the range follows the present, the present keeps its place.
    set(zoomed(m_range, factor, m_following ? m_nowUs : aroundUs));
}

void ViewRange::pan(qint64 byUs)
{
    m_zooming = false;
    m_following = false;
    set(panned(m_range, byUs));
}

void ViewRange::show(const TimeRange &range)
{
    if (range.isEmpty())
        return;
    remember();
    m_zooming = false;
    m_following = false;
    m_chosenUs = 0;
    const qint64 missing = kShortestRangeUs - range.lengthUs();
    set(missing > 0 ? TimeRange{range.fromUs - missing / 2, range.fromUs - missing / 2 + kShortestRangeUs}
                    : range);
}

void ViewRange::goBack()
{
    if (m_trail.isEmpty())
        return;
    m_zooming = false;
    m_following = false;
    m_chosenUs = 0;
    m_range = m_trail.takeLast();
}

void ViewRange::fit()
{
    if (m_nowUs == 0 || m_firstUs == 0)
        return;
    remember();
    m_zooming = false;
    m_chosenUs = 0;
    m_range = journal(kShortestRangeUs);
}

TimeRange ViewRange::journal(qint64 leastUs) const
{
    const qint64 length = std::clamp(m_nowUs - m_firstUs, leastUs, kLongestRangeUs);
    const qint64 ahead = length / kAheadParts;
    return {m_nowUs - length - ahead, m_nowUs + ahead};
}

bool ViewRange::open(bool nothing)
{
    if (!m_opening || m_nowUs == 0 || m_firstUs == 0)
        return false;
    m_opening = false;
    const TimeRange whole = journal(kShortestOpenUs);
    if (!m_following || (whole.lengthUs() >= m_range.lengthUs() && !nothing))
        return false;
    m_chosenUs = m_range.lengthUs();
    m_range = whole;
    return true;
}

void ViewRange::reopen()
{
    m_opening = true;
    m_range.fromUs = m_range.toUs - chosenLengthUs();
    m_chosenUs = 0;
}

} // namespace lockkeeper::app::timeline
