// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_proxy.h"

#include <algorithm>

namespace lockkeeper::app::models {

using replica::Badge;

LocksProxy::RowPlace &LocksProxy::place(const LockRow &row)
{
    if (row.slot >= m_places.size())
        m_places.resize(size_t(row.slot) + 1);
    return m_places[row.slot];
}

void LocksProxy::markDirty(const LockRow &row)
{
    RowPlace &known = place(row);
    if (!known.dirty || known.moving)
        m_dirty.append(&row);
    known.dirty = true;
    known.moving = false; // its known new place is outdated
}

void LocksProxy::count(const LockRow &row)
{
    RowPlace &known = place(row);
    if (known.counted)
        --m_counts[size_t(known.countedAs)];
    known.counted = known.fits && !row.gone;
    known.countedAs = row.badge;
    if (known.counted)
        ++m_counts[size_t(row.badge)];
}

void LocksProxy::judge(const LockRow &row)
{
    place(row).fits = fitsNow(row);
    count(row);
    markDirty(row);
}

void LocksProxy::judgeAll()
{
    for (int row = 0; row < m_source.rowCount(); ++row)
        judge(*m_source.at(row));
    Q_EMIT countsChanged();
}

void LocksProxy::onTouched(const QList<const LockRow *> &rows)
{
    QList<int> positions;
    for (const LockRow *row : rows) {
        judge(*row);
        const int position = place(*row).position;
        if (position >= 0)
            positions.append(position);
    }
    announceRows(positions);
    Q_EMIT countsChanged();
}

void LocksProxy::onAdded(const QList<const LockRow *> &rows)
{
    for (const LockRow *row : rows)
        judge(*row);
    Q_EMIT countsChanged();
}

/** True if rows started or stopped matching as time passed. */
bool LocksProxy::fitAnew()
{
    bool any = false;
    for (int i = 0; m_query.dependsOnTime() && i < m_source.rowCount(); ++i) {
        const LockRow &row = *m_source.at(i);
        if (place(row).fits == fitsNow(row))
            continue;
        judge(row);
        any = true;
    }
    return any;
}

/**
 * Updates order and membership for all dirty rows. Many rows are sorted over several turns of the event loop;
 * the list changes once.
 */
void LocksProxy::rebuild(bool atOnce)
{
    if (m_sortedOut.isEmpty() && fitAnew())
        Q_EMIT countsChanged();
    if (m_dirty.isEmpty() && m_sortedOut.isEmpty())
        return;
    if (!atOnce && m_dirty.size() > m_turnRows / 4) { // otherwise showing them costs more
        sortSome(std::min<qsizetype>(m_turnRows, m_dirty.size()));
        m_turn.start(0);
        return;
    }
    sortSome(m_dirty.size());
    placeMoving();
    show(arrange());
    announceGroups();
    dropEmptyGroups();
    m_source.purgeGone();
}

/** Some of the dirty rows, among themselves. */
void LocksProxy::sortSome(qsizetype rows)
{
    const auto before = [this](const SortedRow &a, const SortedRow &b) { return comesBefore(a, b, m_sort); };
    // Rows that have changed since would break the order of the others.
    std::erase_if(m_moving, [this](const SortedRow &entry) { return !m_places[entry.slot].moving; });
    const auto sortedBefore = std::ptrdiff_t(m_moving.size());
    for (; rows > 0; --rows) {
        const LockRow *row = m_dirty.takeLast();
        RowPlace &known = place(*row);
        known.moving = true;
        m_sortedOut.append(row);
        if (!row->gone && known.fits && m_shown[size_t(row->badge)])
            m_moving.push_back(sortedRow(*row, m_sort));
    }
    std::sort(m_moving.begin() + sortedBefore, m_moving.end(), before);
    std::inplace_merge(m_moving.begin(), m_moving.begin() + sortedBefore, m_moving.end(), before);
}

/**
 * Removes the dirty rows and merges them back in with one pass over the rest. The order of the rest can't
 * have changed, because neither those rows nor their sort keys have.
 */
void LocksProxy::placeMoving()
{
    const auto before = [this](const SortedRow &a, const SortedRow &b) { return comesBefore(a, b, m_sort); };
    std::erase_if(m_sorted, [this](const SortedRow &entry) { return m_places[entry.slot].dirty; });
    // In place, with room for the few moving rows: a copy of a million rows at each tick would stay allocated
    // in the process.
    const auto stayed = std::ptrdiff_t(m_sorted.size());
    m_sorted.insert(m_sorted.end(), m_moving.begin(), m_moving.end());
    std::inplace_merge(m_sorted.begin(), m_sorted.begin() + stayed, m_sorted.end(), before);
    for (const LockRow *row : std::as_const(m_sortedOut))
        place(*row).dirty = place(*row).moving = false;
    m_sortedOut.clear();
    m_moving.clear();
}

std::vector<LocksProxy::ProxyRow> LocksProxy::arrange()
{
    std::vector<ProxyRow> next;
    next.reserve(m_sorted.size() + m_groups.size());
    if (m_grouping == Grouping::None) {
        for (const SortedRow &entry : m_sorted)
            next.push_back({entry.row, nullptr, entry.slot});
    } else {
        gather(next);
    }
    return next;
}

LocksProxy::GroupRow &LocksProxy::groupOf(const LockRow &row)
{
    const domain::LockState state = row.lock.peek();
    const QByteArray key = groupKey(state, m_grouping);
    if (const auto known = m_groups.find(key); known != m_groups.end())
        return known->second;
    const QByteArray own(key.constData(), key.size());
    GroupRow &group = m_groups[own];
    group.key = own;
    return group;
}

void LocksProxy::gather(std::vector<ProxyRow> &next)
{
    for (auto &[key, group] : m_groups) {
        group.rows.clear();
        group.counts = {};
        group.worst = Badge::Free;
    }
    std::vector<GroupRow *> order; // the groups in row order: each at the place of its first lock
    for (const SortedRow &entry : m_sorted) {
        GroupRow &group = groupOf(*entry.row);
        if (group.rows.isEmpty())
            order.push_back(&group);
        group.rows.append(entry.row);
        ++group.counts[size_t(entry.row->badge)];
        group.worst = std::min(group.worst, entry.row->badge);
    }
    // The worst groups come first under any sorting, as locks do without groups.
    std::stable_sort(order.begin(), order.end(),
                     [](const GroupRow *a, const GroupRow *b) { return a->worst < b->worst; });
    for (auto &[key, group] : m_groups) {
        group.total = group.rows.size();
        group.collapsed = m_collapsed.contains(key);
    }
    for (GroupRow *group : order) {
        next.push_back({nullptr, group, 0});
        if (!group->collapsed) {
            for (const LockRow *row : std::as_const(group->rows))
                next.push_back({row, nullptr, row->slot});
        }
        group->rows.clear();
    }
}

int &LocksProxy::nextOf(const ProxyRow &item)
{
    return item.lock ? m_places[item.slot].next : item.group->next;
}

int &LocksProxy::positionOf(const ProxyRow &item)
{
    return item.lock ? m_places[item.slot].position : item.group->position;
}

/**
 * Changes the rows to `next` with at most three signals, for any number of added, removed and moved rows. It
 * appends the new rows, then orders all rows with the removed ones at the end, and then cuts off the end.
 */
void LocksProxy::show(std::vector<ProxyRow> next)
{
    if (next == m_items)
        return;
    for (const ProxyRow &item : m_items)
        nextOf(item) = -1;
    for (size_t i = 0; i < next.size(); ++i)
        nextOf(next[i]) = int(i);
    const size_t keep = next.size();
    appendNew(next);
    for (const ProxyRow &item : m_items) {
        if (nextOf(item) < 0)
            next.push_back(item);
    }
    moveTo(std::move(next));
    cutTail(keep);
    m_shownLocks = std::count_if(m_items.begin(), m_items.end(),
                                 [](const ProxyRow &item) { return item.lock != nullptr; });
}

void LocksProxy::appendNew(const std::vector<ProxyRow> &next)
{
    std::vector<ProxyRow> added;
    for (const ProxyRow &item : next) {
        if (positionOf(item) < 0)
            added.push_back(item);
    }
    if (added.empty())
        return;
    beginInsertRows({}, int(m_items.size()), int(m_items.size() + added.size()) - 1);
    m_items.insert(m_items.end(), added.begin(), added.end());
    setPositions();
    endInsertRows();
}

void LocksProxy::moveTo(std::vector<ProxyRow> target)
{
    if (target == m_items)
        return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<ProxyRow> owners;
    for (const QModelIndex &index : before)
        owners.push_back(m_items[size_t(index.row())]);
    m_items = std::move(target);
    setPositions();
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(positionOf(owners[size_t(i)]), before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void LocksProxy::cutTail(size_t keep)
{
    if (m_items.size() == keep)
        return;
    beginRemoveRows({}, int(keep), int(m_items.size()) - 1);
    for (size_t i = keep; i < m_items.size(); ++i)
        positionOf(m_items[i]) = -1;
    m_items.resize(keep);
    endRemoveRows();
}

void LocksProxy::setPositions()
{
    for (size_t i = 0; i < m_items.size(); ++i)
        positionOf(m_items[i]) = int(i);
}

void LocksProxy::dropEmptyGroups()
{
    std::erase_if(m_groups, [](const auto &entry) { return entry.second.position < 0; });
}

void LocksProxy::announceGroups()
{
    QList<int> positions;
    for (const auto &[key, group] : m_groups) {
        if (group.position >= 0)
            positions.append(group.position);
    }
    announceRows(positions);
}

} // namespace lockkeeper::app::models
