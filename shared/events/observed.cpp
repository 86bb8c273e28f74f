// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/observed.h"

#include <algorithm>

namespace lockkeeper::events {

namespace {

/** Whether a source whose first events these are had been observed before them. */
bool wasObservedBefore(const QList<SourceMark> &marks)
{
    const auto first = std::find_if(marks.cbegin(), marks.cend(),
                                    [](const SourceMark &m) { return m.kind != Kind::SourceDown; });
    return marks.isEmpty() || (first != marks.cend() && first->kind == Kind::GapOpened);
}

void addClipped(QList<Interval> &intervals, Interval interval, Interval range)
{
    interval.fromUs = std::max(interval.fromUs, range.fromUs);
    interval.toUs = std::min(interval.toUs, range.toUs);
    if (interval.fromUs < interval.toUs)
        intervals.append(interval);
}

} // namespace

QList<Interval> observedIn(Interval range, const QList<SourceMark> &marks, qint64 oldestUs,
                           qint64 seenUntilUs)
{
    QList<Interval> observed;
    bool looking = wasObservedBefore(marks);
    bool gap = false;
    qint64 sinceUs = oldestUs;
    for (const SourceMark &mark : marks) {
        const bool looks = mark.kind == Kind::GapClosed || (mark.kind == Kind::SourceUp && !gap);
        if (mark.kind == Kind::GapOpened || mark.kind == Kind::GapClosed)
            gap = mark.kind == Kind::GapOpened;
        if (looks && !looking)
            sinceUs = std::max(sinceUs, mark.timeUs);
        else if (mark.kind == Kind::GapOpened && looking)
            addClipped(observed, {sinceUs, mark.timeUs}, range);
        if (mark.kind == Kind::GapOpened)
            sinceUs = std::max(sinceUs, mark.timeUs); // a clock that was set back counts no time twice
        looking = looks || (looking && mark.kind != Kind::GapOpened);
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
