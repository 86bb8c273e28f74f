// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/time_axis.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::timeline {

/**
 * The stretch of time that is shown: zoomed, panned, followed, and the stretches that one came from. Zooming
 * step by step counts as one stretch to come back to. Pure.
 */
class ViewRange
{
public:
    explicit ViewRange(const Range &range) : m_range(range) {}

    const Range &range() const { return m_range; }
    bool isFollowing() const { return m_following; }
    bool canGoBack() const { return !m_trail.isEmpty(); }

    /** What the journal reaches back to and now: there is nothing to see outside. 0: not known yet. */
    void setLimits(qint64 firstUs, qint64 nowUs);
    /** The end goes with the time; the length stays. */
    void setFollowing(bool following);
    /** True where that moved the range. By whole pixels, so that it doesn't blur; after a night at once. */
    bool follow(qint64 nowUs, int widthPx);

    void zoom(double factor, qint64 aroundUs);
    void pan(qint64 byUs);
    /** Another stretch, such as a brush; the present one can be come back to. */
    void show(const Range &range);
    void goBack();
    /** All of the journal. */
    void fit();

private:
    void set(const Range &range);
    Range limits() const;
    void remember();

    Range m_range;
    QList<Range> m_trail;
    qint64 m_firstUs = 0;
    qint64 m_nowUs = 0;
    bool m_following = true;
    bool m_zooming = false; ///< the last step was one of zoom()
};

} // namespace lockkeeper::app::timeline
