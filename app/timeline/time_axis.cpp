// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::app::timeline {

double TimeAxis::usPerPixel() const
{
    return isValid() ? double(m_range.lengthUs()) / m_width : 0;
}

double TimeAxis::xOf(qint64 us) const
{
    // Relative to the range first: a double can't distinguish microseconds since the epoch.
    return isValid() ? double(us - m_range.fromUs) * m_width / double(m_range.lengthUs()) : 0;
}

qint64 TimeAxis::timeAt(double x) const
{
    return m_range.fromUs + qint64(std::floor(x * usPerPixel()));
}

TimeRange zoomed(const TimeRange &range, double factor, qint64 aroundUs)
{
    const auto length = double(range.lengthUs());
    const double wanted = std::clamp(length * factor, double(kShortestRangeUs), double(kLongestRangeUs));
    const double before = double(aroundUs - range.fromUs) * (wanted / length);
    const qint64 from = aroundUs - qint64(std::llround(before));
    return {from, from + qint64(std::llround(wanted))};
}

TimeRange panned(const TimeRange &range, qint64 byUs)
{
    return {range.fromUs + byUs, range.toUs + byUs};
}

TimeRange within(const TimeRange &range, const TimeRange &limits)
{
    if (limits.isEmpty())
        return range;
    const qint64 length = std::min(range.lengthUs(), limits.lengthUs());
    const qint64 from = std::clamp(range.fromUs, limits.fromUs, limits.toUs - length);
    return {from, from + length};
}

} // namespace lockkeeper::app::timeline
