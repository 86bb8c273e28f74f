// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::app::timeline {

/** A range of time in microseconds since the epoch; `toUs` is exclusive. */
struct TimeRange
{
    qint64 fromUs = 0;
    qint64 toUs = 0;

    qint64 lengthUs() const { return toUs - fromUs; }
    bool isEmpty() const { return toUs <= fromUs; }
    bool contains(qint64 us) const { return us >= fromUs && us < toUs; }
    bool covers(const TimeRange &other) const { return fromUs <= other.fromUs && toUs >= other.toUs; }
    bool operator==(const TimeRange &) const = default;
};

/** Time ↔ x of a picture that is `width` pixels wide. Pure. */
class TimeAxis
{
public:
    TimeAxis() = default;
    TimeAxis(const TimeRange &range, double width) : m_range(range), m_width(width) {}

    const TimeRange &range() const { return m_range; }
    double width() const { return m_width; }
    bool isValid() const { return m_width > 0 && !m_range.isEmpty(); }
    double usPerPixel() const;
    /** Times outside the range are left of 0 or right of the width. */
    double xOf(qint64 us) const;
    qint64 timeAt(double x) const;

private:
    TimeRange m_range;
    double m_width = 0;
};

inline constexpr qint64 kShortestRangeUs = 10'000; ///< the zoom limit: events are dated in µs
inline constexpr qint64 kLongestRangeUs = 400ll * 86'400'000'000;

/** `range` with `factor` times its length, so that `aroundUs` keeps its place on the screen. */
TimeRange zoomed(const TimeRange &range, double factor, qint64 aroundUs);
TimeRange panned(const TimeRange &range, qint64 byUs);
/** `range` moved into `limits`, with the same length if possible. */
TimeRange within(const TimeRange &range, const TimeRange &limits);

} // namespace lockkeeper::app::timeline
