// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_proxy_p.h"

#include <algorithm>

namespace lockkeeper::app::models {

LocksProxy::Private::Place &LocksProxy::Private::place(const LockRow &row)
{
    if (row.slot >= places.size())
        places.resize(size_t(row.slot) + 1);
    return places[row.slot];
}

void LocksProxy::Private::markDirty(const LockRow &row)
{
    Place &known = place(row);
    if (!known.dirty || known.moving)
        dirty.append(&row);
    known.dirty = true;
    known.moving = false; // it would stand where it should have stood before
}

void LocksProxy::Private::count(const LockRow &row)
{
    Place &known = place(row);
    if (known.counted)
        --counts[size_t(known.countedAs)];
    known.counted = known.fits && !row.gone;
    known.countedAs = row.badge;
    if (known.counted)
        ++counts[size_t(row.badge)];
}

void LocksProxy::Private::judge(const LockRow &row)
{
    place(row).fits = fitsNow(row);
    count(row);
    markDirty(row);
}

void LocksProxy::Private::judgeAll()
{
    for (int row = 0; row < source.rowCount(); ++row)
        judge(*source.at(row));
    Q_EMIT q->countsChanged();
}

void LocksProxy::Private::onTouched(const QList<const LockRow *> &rows)
{
    QList<int> positions;
    for (const LockRow *row : rows) {
        judge(*row);
        const int position = place(*row).position;
        if (position >= 0)
            positions.append(position);
    }
    q->announceRows(positions);
    Q_EMIT q->countsChanged();
}

void LocksProxy::Private::onAdded(const QList<const LockRow *> &rows)
{
    for (const LockRow *row : rows)
        judge(*row);
    Q_EMIT q->countsChanged();
}

/** True where rows came to fit, or ceased to, as time passed. */
bool LocksProxy::Private::fitAnew()
{
    bool any = false;
    for (int i = 0; query.dependsOnTime() && i < source.rowCount(); ++i) {
        const LockRow &row = *source.at(i);
        if (place(row).fits == fitsNow(row))
            continue;
        judge(row);
        any = true;
    }
    return any;
}

/** Brings order and membership up to date with all that is dirty. Where that is much, it is sorted over
 * several turns of the event loop; the list changes once. */
void LocksProxy::Private::rebuild(bool atOnce)
{
    if (sortedOut.isEmpty() && fitAnew())
        Q_EMIT q->countsChanged();
    if (dirty.isEmpty() && sortedOut.isEmpty())
        return;
    if (!atOnce && dirty.size() > turnRows / 4) { // else little is left, beside what showing them costs
        sortSome(std::min<qsizetype>(turnRows, dirty.size()));
        turn.start(0);
        return;
    }
    sortSome(dirty.size());
    placeMoving();
    show(arrange());
    announceGroups();
    dropEmptyGroups();
    source.purgeGone();
}

/** Some of the dirty rows, among themselves. */
void LocksProxy::Private::sortSome(qsizetype rows)
{
    const auto before = [this](const SortedRow &a, const SortedRow &b) { return comesBefore(a, b, sort); };
    // Those that have changed since would spoil the order of the others.
    std::erase_if(moving, [this](const SortedRow &entry) { return !places[entry.slot].moving; });
    const auto sortedBefore = std::ptrdiff_t(moving.size());
    for (; rows > 0; --rows) {
        const LockRow *row = dirty.takeLast();
        Place &known = place(*row);
        known.moving = true;
        sortedOut.append(row);
        if (!row->gone && known.fits && shown[size_t(row->badge)])
            moving.push_back(sortedRow(*row, sort));
    }
    std::sort(moving.begin() + sortedBefore, moving.end(), before);
    std::inplace_merge(moving.begin(), moving.begin() + sortedBefore, moving.end(), before);
}

/**
 * Takes the dirty rows out and merges them back in: one pass over the rest, whose order can't have changed
 * because neither they nor what they are compared by has.
 */
void LocksProxy::Private::placeMoving()
{
    const auto before = [this](const SortedRow &a, const SortedRow &b) { return comesBefore(a, b, sort); };
    std::erase_if(sorted, [this](const SortedRow &entry) { return places[entry.slot].dirty; });
    // In place, with room for the few that move: a copy of a million each tick would stay with the process.
    const auto stayed = std::ptrdiff_t(sorted.size());
    sorted.insert(sorted.end(), moving.begin(), moving.end());
    std::inplace_merge(sorted.begin(), sorted.begin() + stayed, sorted.end(), before);
    for (const LockRow *row : std::as_const(sortedOut))
        place(*row).dirty = place(*row).moving = false;
    sortedOut.clear();
    moving.clear();
}

std::vector<LocksProxy::Private::Item> LocksProxy::Private::arrange()
{
    std::vector<Item> next;
    next.reserve(sorted.size() + groups.size());
    if (grouping == Grouping::None) {
        for (const SortedRow &entry : sorted)
            next.push_back({entry.row, nullptr, entry.slot});
    } else {
        gather(next);
    }
    return next;
}

LocksProxy::Private::Group &LocksProxy::Private::groupOf(const LockRow &row)
{
    const domain::LockState state = row.lock.peek();
    const QByteArray key = groupKey(state, grouping);
    if (const auto known = groups.find(key); known != groups.end())
        return known->second;
    const QByteArray own(key.constData(), key.size());
    Group &group = groups[own];
    group.key = own;
    return group;
}

void LocksProxy::Private::gather(std::vector<Item> &next)
{
    for (auto &[key, group] : groups) {
        group.rows.clear();
        group.counts = {};
        group.worst = Badge::Free;
    }
    std::vector<Group *> order; // of the rows: each stands where its first lock would
    for (const SortedRow &entry : sorted) {
        Group &group = groupOf(*entry.row);
        if (group.rows.isEmpty())
            order.push_back(&group);
        group.rows.append(entry.row);
        ++group.counts[size_t(entry.row->badge)];
        group.worst = std::min(group.worst, entry.row->badge);
    }
    // Under any sorting the worst come first, as they do without groups.
    std::stable_sort(order.begin(), order.end(),
                     [](const Group *a, const Group *b) { return a->worst < b->worst; });
    for (auto &[key, group] : groups) {
        group.total = group.rows.size();
        group.collapsed = collapsed.contains(key);
    }
    for (Group *group : order) {
        next.push_back({nullptr, group, 0});
        if (!group->collapsed) {
            for (const LockRow *row : std::as_const(group->rows))
                next.push_back({row, nullptr, row->slot});
        }
        group->rows.clear();
    }
}

int &LocksProxy::Private::nextOf(const Item &item)
{
    return item.lock ? places[item.slot].next : item.group->next;
}

int LocksProxy::Private::positionOf(const Item &item)
{
    return item.lock ? places[item.slot].position : item.group->position;
}

/**
 * Changes the rows to `next` by at most three signals, whatever the number of rows that come, go and move:
 * the new ones are appended, everything is put in order with those that go at the end, and the end is cut
 * off.
 */
void LocksProxy::Private::show(std::vector<Item> next)
{
    if (next == items)
        return;
    for (const Item &item : items)
        nextOf(item) = -1;
    for (size_t i = 0; i < next.size(); ++i)
        nextOf(next[i]) = int(i);
    const size_t keep = next.size();
    appendNew(next);
    for (const Item &item : items) {
        if (nextOf(item) < 0)
            next.push_back(item);
    }
    moveTo(std::move(next));
    cutTail(keep);
    shownLocks =
        std::count_if(items.begin(), items.end(), [](const Item &item) { return item.lock != nullptr; });
}

void LocksProxy::Private::appendNew(const std::vector<Item> &next)
{
    std::vector<Item> added;
    for (const Item &item : next) {
        if (positionOf(item) < 0)
            added.push_back(item);
    }
    if (added.empty())
        return;
    q->beginInsertRows({}, int(items.size()), int(items.size() + added.size()) - 1);
    items.insert(items.end(), added.begin(), added.end());
    setPositions();
    q->endInsertRows();
}

void LocksProxy::Private::moveTo(std::vector<Item> target)
{
    if (target == items)
        return;
    Q_EMIT q->layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = q->persistentIndexList();
    std::vector<Item> owners;
    for (const QModelIndex &index : before)
        owners.push_back(items[size_t(index.row())]);
    items = std::move(target);
    setPositions();
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(q->index(positionOf(owners[size_t(i)]), before[i].column()));
    q->changePersistentIndexList(before, after);
    Q_EMIT q->layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void LocksProxy::Private::cutTail(size_t keep)
{
    if (items.size() == keep)
        return;
    q->beginRemoveRows({}, int(keep), int(items.size()) - 1);
    for (size_t i = keep; i < items.size(); ++i) {
        if (items[i].lock)
            places[items[i].slot].position = -1;
        else
            items[i].group->position = -1;
    }
    items.resize(keep);
    q->endRemoveRows();
}

void LocksProxy::Private::setPositions()
{
    for (size_t i = 0; i < items.size(); ++i) {
        if (items[i].lock)
            places[items[i].slot].position = int(i);
        else
            items[i].group->position = int(i);
    }
}

void LocksProxy::Private::dropEmptyGroups()
{
    std::erase_if(groups, [](const auto &entry) { return entry.second.position < 0; });
}

void LocksProxy::Private::announceGroups()
{
    QList<int> positions;
    for (const auto &[key, group] : groups) {
        if (group.position >= 0)
            positions.append(group.position);
    }
    q->announceRows(positions);
}

} // namespace lockkeeper::app::models
