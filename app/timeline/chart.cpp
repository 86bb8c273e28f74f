// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/chart.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::timeline {

namespace {

constexpr qint64 kNoEnd = std::numeric_limits<qint64>::max();
constexpr int kDenseWaitRows = 2; ///< slices have a height instead of sub-lanes

/** If an agent doesn't number its bars, their beginnings distinguish them. */
template <typename Bar> QList<TrackItem> itemsOf(const QList<Bar> &bars)
{
    QList<TrackItem> items;
    items.reserve(bars.size());
    for (const Bar &bar : bars)
        items.append({bar.id != 0 ? bar.id : -bar.fromUs, bar.fromUs, bar.toUs.value_or(kNoEnd)});
    return items;
}

int rowsOf(const QList<int> &tracks)
{
    return tracks.isEmpty() ? 0 : *std::max_element(tracks.cbegin(), tracks.cend()) + 1;
}

} // namespace

LaneSums sumsOf(const protocol::TimelineLane &lane, const TimeRange &range, const SeenUntil &seen,
                qint64 sliceUs)
{
    LaneSums sums;
    const auto within = [&range](const TimeRange &span) {
        return std::max<qint64>(0, std::min(span.toUs, range.toUs) - std::max(span.fromUs, range.fromUs));
    };
    const auto touches = [&range](const TimeRange &span) {
        return span.fromUs < range.toUs && span.toUs >= range.fromUs;
    };
    for (const protocol::Hold &hold : lane.holds) {
        const TimeRange span = spanOf(hold, seen);
        sums.holds += touches(span) ? 1 : 0;
        sums.heldUs += within(span);
    }
    for (const protocol::Wait &wait : lane.waits) {
        const TimeRange span = spanOf(wait, seen);
        sums.waits += touches(span) ? 1 : 0;
        sums.waitedUs += within(span);
    }
    for (const protocol::TimelineSlice &slice : lane.slices) {
        if (!touches({slice.fromUs, slice.fromUs + sliceUs}))
            continue;
        sums.holds += slice.holds;
        sums.heldUs += slice.heldUs;
        sums.waits += slice.waits;
        sums.waitedUs += slice.waitUs;
        sums.about = true;
    }
    return sums;
}

QString sourceOf(const protocol::TimelineLane &lane)
{
    return lane.key ? lane.key->source : lane.source;
}

void LaneLayout::arrange(const Chart &chart)
{
    QList<Kept> kept;
    m_boxes.clear();
    int top = 0;
    for (const protocol::TimelineLane &lane : chart.lanes) {
        const LaneId id = idOf(lane);
        const auto before =
            std::find_if(m_kept.begin(), m_kept.end(), [&id](const Kept &one) { return one.id == id; });
        Kept tracks = before == m_kept.end() ? Kept{id, {}, {}} : std::move(*before);
        LaneBox box;
        // A lock has one holder at a time; if two seem to overlap, the clocks are inexact.
        if (lane.key)
            box.holdTracks.fill(0, lane.holds.size());
        else
            box.holdTracks = tracks.holds.assign(itemsOf(lane.holds));
        box.waitTracks = tracks.waits.assign(itemsOf(lane.waits));
        box.holdRows = std::max(1, rowsOf(box.holdTracks));
        box.waitRows = rowsOf(box.waitTracks);
        box.hiddenHolds = int(box.holdTracks.count(-1));
        box.hiddenWaits = int(box.waitTracks.count(-1));
        const auto waited = [](const protocol::TimelineSlice &slice) { return slice.waitUs > 0; };
        if (std::any_of(lane.slices.cbegin(), lane.slices.cend(), waited))
            box.waitRows = std::max(box.waitRows, kDenseWaitRows);
        box.top = top;
        box.height = box.waitTop(box.waitRows) - LaneBox::kBetween + LaneBox::kPad;
        if (!lane.key)
            box.height = std::max(box.height, LaneBox::kNamed + (box.waitRows > 0 ? LaneBox::kSumLine : 0));
        top += box.height;
        m_boxes.append(box);
        kept.append(std::move(tracks));
    }
    m_kept = std::move(kept);
}

void LaneLayout::clear()
{
    m_boxes.clear();
    m_kept.clear();
}

qsizetype LaneLayout::laneAt(int y) const
{
    const auto after = std::upper_bound(m_boxes.cbegin(), m_boxes.cend(), y,
                                        [](int at, const LaneBox &box) { return at < box.top; });
    if (after == m_boxes.cbegin() || y >= height())
        return -1;
    return std::distance(m_boxes.cbegin(), after) - 1;
}

} // namespace lockkeeper::app::timeline
