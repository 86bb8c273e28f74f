// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_proxy.h"

#include <utility>

namespace lockkeeper::app::models {

using replica::Badge;

namespace {
constexpr int kTickMs = 2000;
}

LocksProxy::LocksProxy(LockModel &source, QObject *parent)
    : RawModel(kLockColumnNames, parent), m_source(source)
{
    m_shown.fill(true);
    m_shown[size_t(Badge::Free)] = false;
    m_shown[size_t(Badge::Optimistic)] = false;
    connect(&source, &LockModel::rowsTouched, this, [this](const auto &rows) { onTouched(rows); });
    connect(&source, &LockModel::rowsAdded, this, [this](const auto &rows) { onAdded(rows); });
    connect(&source, &LockModel::clockMoved, this, [this] {
        // Every duration in every row has changed: this range covers the changes.
        if (!m_items.empty())
            Q_EMIT dataChanged(index(0, HeldForColumn), index(rowCount() - 1, LongestWaitColumn));
    });
    m_turn.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LocksProxy::tick);
    connect(&m_turn, &QTimer::timeout, this, &LocksProxy::tick);
    judgeAll();
    rebuild(true);
    m_timer.start(kTickMs);
}

Qt::ItemFlags LocksProxy::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    return lockAt(index.row()) ? common | Qt::ItemIsSelectable : common;
}

void LocksProxy::sort(int column, Qt::SortOrder order)
{
    LockSort wanted{column >= 0 && column < LockColumnCount ? column : -1, order};
    if (wanted.column < 0)
        wanted.order = Qt::AscendingOrder;
    if (wanted == m_sort)
        return;
    m_sort = wanted;
    judgeAll();
    rebuild(true);
}

const LockRow *LocksProxy::lockAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_items[size_t(row)].lock : nullptr;
}

const LockGroup *LocksProxy::groupAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_items[size_t(row)].group : nullptr;
}

int LocksProxy::rowOf(const domain::LockKey &key) const
{
    const LockRow *row = m_source.find(key);
    return row && row->slot < m_places.size() ? m_places[row->slot].position : -1;
}

void LocksProxy::setQuery(const filter::Query &query)
{
    if (query == m_query)
        return;
    m_query = query;
    judgeAll();
    rebuild(true);
}

void LocksProxy::setBadgeShown(Badge badge, bool shown)
{
    if (m_shown[size_t(badge)] == shown)
        return;
    m_shown[size_t(badge)] = shown;
    judgeAll();
    rebuild(true);
}

void LocksProxy::setGrouping(Grouping grouping)
{
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_collapsed.clear();
    // The old groups' rows are still in the list: they live until the new groups replace them.
    auto old = std::exchange(m_groups, {});
    judgeAll();
    rebuild(true);
}

void LocksProxy::setCollapsed(const QByteArray &group, bool collapsed)
{
    if (m_collapsed.contains(group) == collapsed)
        return;
    if (collapsed)
        m_collapsed.insert(group);
    else
        m_collapsed.remove(group);
    show(arrange());
    announceGroups();
}

void LocksProxy::setTickMs(int ms)
{
    if (ms > 0)
        m_timer.start(ms);
    else
        m_timer.stop();
}

void LocksProxy::tick()
{
    if (!m_frozen)
        rebuild(false);
}

} // namespace lockkeeper::app::models
