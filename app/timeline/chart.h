// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/lane_order.h"
#include "app/timeline/time_axis.h"
#include "app/timeline/tracks.h"

#include <QHash>

namespace lockkeeper::app::timeline {

/** The last observation of each source, by its own clock: open bars and open gaps end there. */
struct SeenUntil
{
    QHash<QString, qint64> sources;
    qint64 nowUs = 0; ///< for an unknown source

    qint64 of(const QString &source) const { return sources.value(source, nowUs); }
};

/** The agent's data, in display order. */
struct Chart
{
    protocol::TimelineLanes by = protocol::TimelineLanes::Lock;
    TimeRange range;    ///< the range that the lanes cover
    qint64 firstUs = 0; ///< of the journal: nothing before it was observed; 0: not known
    qint64 sliceUs = 0;
    QList<protocol::TimelineLane> lanes;
    QList<protocol::TimelineGap> gaps;
    bool more = false; ///< more lanes exist

    bool operator==(const Chart &) const = default;
};

QString sourceOf(const protocol::TimelineLane &lane);
inline TimeRange spanOf(const protocol::Hold &hold, const SeenUntil &seen)
{
    return {hold.fromUs, hold.toUs.value_or(qMax(hold.fromUs, seen.of(hold.key.source)))};
}
inline TimeRange spanOf(const protocol::Wait &wait, const SeenUntil &seen)
{
    return {wait.fromUs, wait.toUs.value_or(qMax(wait.fromUs, seen.of(wait.key.source)))};
}
inline TimeRange spanOf(const protocol::TimelineGap &gap, const SeenUntil &seen)
{
    return {gap.fromUs, gap.toUs.value_or(qMax(gap.fromUs, seen.nowUs))};
}

/** The sums of a range of one lane. */
struct LaneSums
{
    qint64 holds = 0;
    qint64 heldUs = 0;
    qint64 waits = 0;
    qint64 waitedUs = 0;
    bool about = false; ///< based on slices, which count the bars that ended in them
    bool operator==(const LaneSums &) const = default;
};
LaneSums sumsOf(const protocol::TimelineLane &lane, const TimeRange &range, const SeenUntil &seen,
                qint64 sliceUs);

/** The place of one lane among the others, in pixels from the top of the first. */
struct LaneBox
{
    static constexpr int kPad = 5;
    static constexpr int kHold = 14;
    static constexpr int kWait = 6;
    static constexpr int kBetween = 2;
    static constexpr int kNamed = 40;   ///< the least height for sums below the name
    static constexpr int kSumLine = 16; ///< the extra height for the sums of waits

    int top = 0;
    int height = 0;
    QList<int> holdTracks; ///< the sub-lane of each hold; −1: not drawn
    QList<int> waitTracks; ///< likewise of each wait
    int holdRows = 1;
    int waitRows = 0;
    int hiddenHolds = 0; ///< holds without a sub-lane
    int hiddenWaits = 0;

    int holdTop(int track) const { return kPad + track * (kHold + kBetween); }
    int waitTop(int track) const { return holdTop(holdRows) + track * (kWait + kBetween); }
};

/** The places of the lanes, which move as little as possible from page to page. Pure. */
class LaneLayout
{
public:
    void arrange(const Chart &chart);
    void clear();
    const QList<LaneBox> &boxes() const { return m_boxes; }
    int height() const { return m_boxes.isEmpty() ? 0 : m_boxes.last().top + m_boxes.last().height; }
    /** The lane at `y`; −1: none. */
    qsizetype laneAt(int y) const;

private:
    struct Kept
    {
        LaneId id;
        Tracks holds;
        Tracks waits;
    };
    QList<LaneBox> m_boxes;
    QList<Kept> m_kept;
};

} // namespace lockkeeper::app::timeline
