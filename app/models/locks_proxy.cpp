// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_proxy.h"

#include "app/models/locks_proxy_p.h"

#include <utility>

namespace lockkeeper::app::models {

namespace {
constexpr int kTickMs = 2000;
}

LocksProxy::LocksProxy(LockModel &source, QObject *parent)
    : RawModel(kLockColumns, parent), d(std::make_unique<Private>(this, source))
{
    d->shown[size_t(Badge::Free)] = false;
    d->shown[size_t(Badge::Optimistic)] = false;
    connect(&source, &LockModel::rowsTouched, this, [this](const auto &rows) { d->onTouched(rows); });
    connect(&source, &LockModel::rowsAdded, this, [this](const auto &rows) { d->onAdded(rows); });
    connect(&source, &LockModel::clockMoved, this, [this] {
        // Every duration on every row has moved on: this range is what has changed.
        if (!d->items.empty())
            Q_EMIT dataChanged(index(0, HeldForColumn), index(rowCount() - 1, AliveColumn));
    });
    connect(&d->timer, &QTimer::timeout, this, &LocksProxy::tick);
    connect(&d->turn, &QTimer::timeout, this, &LocksProxy::tick);
    d->judgeAll();
    d->rebuild(true);
    d->timer.start(kTickMs);
}

LocksProxy::~LocksProxy() = default;

int LocksProxy::rows() const
{
    return int(d->items.size());
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
    if (wanted == d->sort)
        return;
    d->sort = wanted;
    d->judgeAll();
    d->rebuild(true);
    Q_EMIT sortingChanged();
}

const LockRow *LocksProxy::lockAt(int row) const
{
    return row >= 0 && row < rowCount() ? d->items[size_t(row)].lock : nullptr;
}

const LockGroup *LocksProxy::groupAt(int row) const
{
    return row >= 0 && row < rowCount() ? d->items[size_t(row)].group : nullptr;
}

int LocksProxy::rowOf(const domain::LockKey &key) const
{
    const LockRow *row = d->source.find(key);
    return row ? d->place(*row).position : -1;
}

const LockModel &LocksProxy::source() const
{
    return d->source;
}

void LocksProxy::setQuery(const state::Query &query)
{
    if (query == d->query)
        return;
    d->query = query;
    d->judgeAll();
    d->rebuild(true);
}

const state::Query &LocksProxy::query() const
{
    return d->query;
}

void LocksProxy::setBadgeShown(Badge badge, bool shown)
{
    if (d->shown[size_t(badge)] == shown)
        return;
    d->shown[size_t(badge)] = shown;
    d->judgeAll();
    d->rebuild(true);
}

bool LocksProxy::isBadgeShown(Badge badge) const
{
    return d->shown[size_t(badge)];
}

void LocksProxy::setGrouping(Grouping grouping)
{
    if (grouping == d->grouping)
        return;
    d->grouping = grouping;
    d->collapsed.clear();
    // The old groups' rows still stand in the list: they live until the new ones have taken their place.
    auto old = std::exchange(d->groups, {});
    d->judgeAll();
    d->rebuild(true);
}

Grouping LocksProxy::grouping() const
{
    return d->grouping;
}

void LocksProxy::setCollapsed(const QByteArray &group, bool collapsed)
{
    if (d->collapsed.contains(group) == collapsed)
        return;
    if (collapsed)
        d->collapsed.insert(group);
    else
        d->collapsed.remove(group);
    d->show(d->arrange());
    d->announceGroups();
}

LockSort LocksProxy::sorting() const
{
    return d->sort;
}

void LocksProxy::setTickMs(int ms)
{
    if (ms > 0)
        d->timer.start(ms);
    else
        d->timer.stop();
}

void LocksProxy::setTurnRows(int rows)
{
    d->turnRows = rows;
}

void LocksProxy::setFrozen(bool frozen)
{
    d->frozen = frozen;
}

bool LocksProxy::isFrozen() const
{
    return d->frozen;
}

void LocksProxy::tick()
{
    if (!d->frozen)
        d->rebuild(false);
}

const state::BadgeCounts &LocksProxy::counts() const
{
    return d->counts;
}

qint64 LocksProxy::shownLocks() const
{
    return d->shownLocks;
}

} // namespace lockkeeper::app::models
