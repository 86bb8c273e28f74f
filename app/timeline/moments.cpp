// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/moments.h"

namespace lockkeeper::app::timeline {

namespace {

/** Keeps the nearest time on one side. */
class Nearest
{
public:
    Nearest(qint64 us, bool forward) : m_us(us), m_forward(forward) {}
    void offer(qint64 us)
    {
        if (m_forward ? us > m_us && (!m_found || us < *m_found) : us < m_us && (!m_found || us > *m_found))
            m_found = us;
    }
    void offer(qint64 from, const std::optional<qint64> &to)
    {
        offer(from);
        if (to)
            offer(*to);
    }
    std::optional<qint64> found() const { return m_found; }

private:
    qint64 m_us;
    bool m_forward;
    std::optional<qint64> m_found;
};

void findHolds(const protocol::TimelineLane &lane, qint64 us, const SeenUntil &seen, Moment &moment)
{
    using Known = Moment::Knowledge;
    for (qsizetype i = 0; i < lane.holds.size(); ++i) {
        const protocol::Hold &hold = lane.holds.at(i);
        const TimeRange span = spanOf(hold, seen);
        const qint64 first = span.fromUs - (hold.startSeen ? hold.fromWindowUs : 0);
        if (us < first || us >= span.toUs)
            continue;
        const bool surely = us >= span.fromUs && (!hold.toUs || us < span.toUs - hold.toWindowUs);
        if (surely || us >= span.fromUs)
            ++moment.holders;
        if (moment.known == Known::Held && !surely)
            continue;
        moment.known = surely ? Known::Held : Known::MaybeHeld;
        moment.hold = i;
    }
}

} // namespace

Moment momentOf(const Chart &chart, qsizetype lane, qint64 us, const SeenUntil &seen)
{
    using Known = Moment::Knowledge;
    Moment moment;
    if (lane < 0 || lane >= chart.lanes.size() || !chart.range.contains(us))
        return moment;
    const protocol::TimelineLane &shown = chart.lanes.at(lane);
    const QString source = sourceOf(shown);
    for (qsizetype i = 0; i < chart.gaps.size(); ++i) {
        if (chart.gaps.at(i).source == source && spanOf(chart.gaps.at(i), seen).contains(us)) {
            moment.known = Known::NotObserved;
            moment.gap = i;
            return moment;
        }
    }
    if (us >= seen.of(source) || us < chart.firstUs) {
        moment.known = Known::NotObserved;
        return moment;
    }
    moment.known = Known::NotHeld;
    for (qsizetype i = 0; i < shown.slices.size(); ++i) {
        const protocol::TimelineSlice &slice = shown.slices.at(i);
        if (us >= slice.fromUs && us < slice.fromUs + chart.sliceUs) {
            moment.known = Known::Slices;
            moment.slice = i;
            return moment;
        }
    }
    findHolds(shown, us, seen, moment);
    for (const protocol::Wait &wait : shown.waits)
        moment.waiters += spanOf(wait, seen).contains(us) ? 1 : 0;
    return moment;
}

std::optional<qint64> nextEvent(const Chart &chart, qsizetype lane, qint64 us, bool forward)
{
    Nearest nearest(us, forward);
    for (qsizetype i = 0; i < chart.lanes.size(); ++i) {
        if (lane >= 0 && i != lane)
            continue;
        for (const protocol::Hold &hold : chart.lanes.at(i).holds)
            nearest.offer(hold.fromUs, hold.toUs);
        for (const protocol::Wait &wait : chart.lanes.at(i).waits)
            nearest.offer(wait.fromUs, wait.toUs);
        for (const protocol::TimelineSlice &slice : chart.lanes.at(i).slices)
            nearest.offer(slice.fromUs);
    }
    for (const protocol::TimelineGap &gap : chart.gaps) {
        if (lane < 0 || (lane < chart.lanes.size() && gap.source == sourceOf(chart.lanes.at(lane))))
            nearest.offer(gap.fromUs, gap.toUs);
    }
    return nearest.found();
}

} // namespace lockkeeper::app::timeline
