// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/events_model.h"

#include <algorithm>

namespace lockkeeper::app::models {

const events::LockEvent *EventsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_events[size_t(row)] : nullptr;
}

void EventsModel::add(const QList<events::LockEvent> &events)
{
    const qsizetype count = std::min<qsizetype>(events.size(), kLimit);
    if (count == 0)
        return;
    const int surplus = int(m_events.size()) + int(count) - kLimit;
    if (surplus > 0) {
        beginRemoveRows({}, rowCount() - surplus, rowCount() - 1);
        m_events.resize(m_events.size() - size_t(surplus));
        endRemoveRows();
    }
    beginInsertRows({}, 0, int(count) - 1);
    for (auto it = events.end() - count; it != events.end(); ++it) {
        m_events.push_front(*it);
        m_events.front().after.reset(); // no row shows it
    }
    endInsertRows();
}

void EventsModel::clear()
{
    if (m_events.empty())
        return;
    beginRemoveRows({}, 0, rowCount() - 1);
    m_events.clear();
    endRemoveRows();
}

} // namespace lockkeeper::app::models
