// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/time_axis.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::timeline {

/**
 * The shown range of time: zoomed, panned or following the present, and the history of ranges to return to.
 * Step-by-step zooming counts as one range in that history. Pure.
 */
class ViewRange
{
public:
    explicit ViewRange(const TimeRange &range) : m_range(range) {}

    const TimeRange &range() const { return m_range; }
    bool isFollowing() const { return m_following; }
    bool canGoBack() const { return !m_trail.isEmpty(); }

    /**
     * Sets the journal's oldest time and the present: outside of them there is nothing to show. 0: not known
     * yet.
     */
    void setLimits(qint64 firstUs, qint64 nowUs);
    /** The end follows the present; the length stays. */
    void setFollowing(bool following);
    /**
     * Returns true if the range moved. It moves by whole pixels, so that the picture stays sharp; after a
     * long pause in a single step.
     */
    bool follow(qint64 nowUs, int widthPx);

    void zoom(double factor, qint64 aroundUs);
    void pan(qint64 byUs);
    /** Shows another range, such as a brushed one; the user can return to the present range. */
    void show(const TimeRange &range);
    void goBack();
    /** Shows the whole journal. */
    void fit();
    /**
     * The first look at a journal: fits the range to a journal that is younger, and to an older journal if
     * `nothing` is in the range. Later calls do nothing. Returns true if the range changed.
     */
    bool open(bool nothing);
    /** The next open() decides again, for another journal. */
    void reopen();
    /** Without the effect of open(). */
    qint64 chosenLengthUs() const { return m_chosenUs > 0 ? m_chosenUs : m_range.lengthUs(); }

private:
    TimeRange journal(qint64 leastUs) const;
    void set(const TimeRange &range);
    TimeRange limits() const;
    void remember();

    TimeRange m_range;
    QList<TimeRange> m_trail;
    qint64 m_firstUs = 0;
    qint64 m_nowUs = 0;
    bool m_following = true;
    bool m_zooming = false; ///< the last step was a zoom()
    bool m_opening = true;  ///< open() has yet to decide
    qint64 m_chosenUs = 0;  ///< the length before open() fitted the range; 0: it didn't
};

} // namespace lockkeeper::app::timeline
