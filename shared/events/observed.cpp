// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/observed.h"

#include <algorithm>
#include <array>

namespace lockkeeper::events {

namespace {

/** True if the source was already observed before these events, which are its first. */
bool wasObservedBefore(const QList<SourceMark> &marks)
{
    const auto first = std::find_if(marks.cbegin(), marks.cend(),
                                    [](const SourceMark &m) { return m.kind != EventKind::SourceDown; });
    return marks.isEmpty() || (first != marks.cend() && first->kind == EventKind::GapOpened);
}

void addClipped(QList<Interval> &intervals, Interval interval, Interval range)
{
    interval.fromUs = std::max(interval.fromUs, range.fromUs);
    interval.toUs = std::min(interval.toUs, range.toUs);
    if (interval.fromUs < interval.toUs)
        intervals.append(interval);
}

} // namespace

SourceMark SourceMark::of(EventKind kind, qint64 timeUs, const EventDetail &detail)
{
    if (detail.partial)
        return {kind, timeUs, Part};
    return {kind, timeUs, detail.cause == EventCause::Journal ? Journal : Whole};
}

QList<Interval> observedIn(Interval range, const QList<SourceMark> &marks, qint64 oldestUs,
                           qint64 seenUntilUs)
{
    QList<Interval> observed;
    bool looking = wasObservedBefore(marks);
    std::array<bool, 3> gaps{};
    qint64 sinceUs = oldestUs;
    for (const SourceMark &mark : marks) {
        const bool opens = mark.kind == EventKind::GapOpened;
        if (opens && mark.gap == SourceMark::Whole)
            gaps[SourceMark::Part] = false; // the part may no longer exist, so nothing might close its gap
        if (opens || mark.kind == EventKind::GapClosed)
            gaps[mark.gap] = opens;
        const bool mayLook = mark.kind == EventKind::GapClosed || mark.kind == EventKind::SourceUp;
        const bool looks = mayLook && gaps == std::array<bool, 3>{};
        if (looks && !looking)
            sinceUs = std::max(sinceUs, mark.timeUs);
        else if (opens && looking)
            addClipped(observed, {sinceUs, mark.timeUs}, range);
        if (opens)
            sinceUs = std::max(sinceUs, mark.timeUs); // don't count time twice if the clock was set back
        looking = looks || (looking && !opens);
    }
    if (looking)
        addClipped(observed, {sinceUs, seenUntilUs}, range);
    return observed;
}

qint64 overlapUs(const QList<Interval> &intervals, qint64 fromUs, qint64 toUs)
{
    qint64 sum = 0;
    for (const Interval &interval : intervals)
        sum += std::max<qint64>(0, std::min(interval.toUs, toUs) - std::max(interval.fromUs, fromUs));
    return sum;
}

} // namespace lockkeeper::events
