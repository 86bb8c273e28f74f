// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/lane_order.h"

#include <algorithm>

namespace lockkeeper::app::timeline {

LaneId idOf(const protocol::TimelineLane &lane)
{
    if (lane.key)
        return {lane.key, {}, {}};
    return {std::nullopt, lane.source, lane.holder};
}

void LaneOrder::setPinned(const LaneId &lane, bool pinned)
{
    if (pinned == isPinned(lane))
        return;
    if (pinned)
        m_pinned.append(lane);
    else
        m_pinned.removeAll(lane);
}

void LaneOrder::move(const QList<LaneId> &shown, qsizetype from, qsizetype to)
{
    if (from < 0 || from >= shown.size() || shown.isEmpty())
        return;
    const auto pins = qsizetype(
        std::count_if(shown.cbegin(), shown.cend(), [this](const LaneId &lane) { return isPinned(lane); }));
    const bool ofPins = from < pins;
    to = ofPins ? std::clamp<qsizetype>(to, 0, pins - 1) : std::clamp<qsizetype>(to, pins, shown.size() - 1);
    QList<LaneId> order = shown;
    order.move(from, to);
    if (ofPins) {
        QList<LaneId> elsewhere = m_pinned; // from another page
        elsewhere.removeIf([&order](const LaneId &lane) { return order.contains(lane); });
        m_pinned = order.first(pins) + elsewhere;
    } else {
        m_moved = order.sliced(pins);
    }
}

void LaneOrder::clear()
{
    m_pinned.clear();
    m_moved.clear();
}

QList<qsizetype> LaneOrder::arrange(const QList<LaneId> &ranked) const
{
    // Pinned, dragged and ranked are three runs, each in its own order.
    const auto placeOf = [this, &ranked](qsizetype index) -> std::pair<int, qsizetype> {
        const LaneId &lane = ranked.at(index);
        if (const qsizetype pin = m_pinned.indexOf(lane); pin >= 0)
            return {0, pin};
        if (const qsizetype moved = m_moved.indexOf(lane); moved >= 0)
            return {1, moved};
        return {2, index};
    };
    QList<std::pair<std::pair<int, qsizetype>, qsizetype>> places;
    for (qsizetype i = 0; i < ranked.size(); ++i)
        places.append({placeOf(i), i});
    std::sort(places.begin(), places.end());
    QList<qsizetype> order;
    for (const auto &place : places)
        order.append(place.second);
    return order;
}

} // namespace lockkeeper::app::timeline
