// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/question.h"

#include <algorithm>

namespace lockkeeper::app::timeline {

namespace {
constexpr int kMostBars = 10'000;
constexpr qint64 kCoarsest = 4; ///< slices longer than this multiple of the wanted length are requested again
} // namespace

qint64 sliceFor(const TimeRange &range, int widthPx)
{
    const qint64 wanted = std::max<qint64>(1, range.lengthUs() * 2 / std::max(1, widthPx));
    qint64 slice = 1;
    while (slice * 2 <= wanted) // a power of two: unchanged over many zooms
        slice *= 2;
    return slice;
}

protocol::TimelineQuery questionFor(const Lanes &lanes, const TimeRange &shown, int widthPx,
                                    const TimeRange &strip, qint64 nowUs)
{
    protocol::TimelineQuery query;
    query.by = lanes.by;
    query.source = lanes.source;
    query.lockGlob = lanes.lockGlob;
    query.holderGlob = lanes.holderGlob;
    query.keys = lanes.keys;
    const qint64 margin = shown.lengthUs() / 2;
    query.fromUs = shown.fromUs - margin;
    // The future has no data yet; data that arrives later is requested again.
    query.toUs = std::min(shown.toUs + margin, std::max(nowUs + 1, shown.fromUs + 1));
    query.sliceUs = sliceFor(shown, widthPx);
    query.lanes = lanes.keys.isEmpty() ? kMostLanes : int(lanes.keys.size());
    query.bars = kMostBars;
    if (!strip.isEmpty()) {
        query.stripSlices = kStripSlices;
        query.stripFromUs = strip.fromUs;
        query.stripToUs = strip.toUs;
    }
    return query;
}

bool serves(const TimeRange &read, qint64 readSliceUs, const TimeRange &shown, int widthPx, qint64 nowUs)
{
    const TimeRange seen{shown.fromUs, std::min(shown.toUs, nowUs)};
    if (seen.isEmpty())
        return true;
    const qint64 slice = sliceFor(shown, widthPx);
    return read.covers(seen) && readSliceUs <= slice * kCoarsest && readSliceUs * kCoarsest >= slice;
}

} // namespace lockkeeper::app::timeline
