// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/holder_model.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lockkeeper::app::models {

namespace {

constexpr std::array<const char *, HolderColumnCount> kHolderColumns{
    "lock",    "relation",       "holder", "since",   "for",   "remaining",
    "waiters", "waiting_caused", "alive",  "release", "source"};

/** Held locks first, then by name: the order while no column sorts the rows. */
bool comesFirst(const HolderRow &a, const HolderRow &b)
{
    const auto place = [](const HolderRow &row) {
        return std::tuple(row.waits(), row.state.key.name, row.state.key.source, row.state.key.place,
                          row.state.key.scheme, row.wait ? row.wait->id : QByteArray());
    };
    return place(a) < place(b);
}

bool isSameRow(const HolderRow &a, const HolderRow &b)
{
    return a.state.key == b.state.key && a.waits() == b.waits() && (!a.wait || a.wait->id == b.wait->id);
}

} // namespace

HolderModel::HolderModel(const replica::Replica &replica, QObject *parent)
    : RawModel(kHolderColumns, parent), m_replica(replica)
{
    connect(&replica, &replica::Replica::changed, this, &HolderModel::follow);
    connect(&replica, &replica::Replica::reset, this, &HolderModel::read);
}

void HolderModel::setHolder(const replica::HolderId &holder)
{
    m_holder = holder;
    read();
}

void HolderModel::setReach(replica::HolderReach reach)
{
    m_reach = reach;
    read();
}

void HolderModel::setQuery(const filter::Query &query)
{
    m_query = query;
    read();
}

const HolderRow *HolderModel::at(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_rows.at(row) : nullptr;
}

int HolderModel::rowOfLock(const domain::LockKey &key) const
{
    const auto row = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                  [&key](const HolderRow &one) { return one.state.key == key; });
    return row == m_rows.cend() ? -1 : int(row - m_rows.cbegin());
}

QList<domain::LockKey> HolderModel::breakable() const
{
    QList<domain::LockKey> keys;
    for (const HolderRow &row : m_rows) {
        if (!row.waits() && row.state.release.possible() && !keys.contains(row.state.key))
            keys.append(row.state.key);
    }
    return keys;
}

bool HolderModel::isConcerned(const domain::LockState &state) const
{
    return isHeldBy(m_holder, m_reach, state) ||
           std::any_of(state.waiters.cbegin(), state.waiters.cend(), [&](const domain::Waiter &waiter) {
               return isWaiter(m_holder, m_reach, state, waiter);
           });
}

void HolderModel::addRows(const domain::LockState &state)
{
    const auto add = [this](HolderRow row) {
        if (m_query.isEmpty() || matches(m_query, row.state, m_replica.context(row.state)))
            m_rows.append(std::move(row));
        else
            ++m_hidden;
    };
    if (isHeldBy(m_holder, m_reach, state))
        add({state, std::nullopt});
    for (const domain::Waiter &waiter : state.waiters) {
        if (isWaiter(m_holder, m_reach, state, waiter))
            add({state, waiter});
    }
}

void HolderModel::read()
{
    beginResetModel();
    m_rows.clear();
    m_hidden = 0;
    if (!m_holder.isEmpty()) {
        for (const replica::PackedLock &lock : m_replica.locks()) {
            if (isConcerned(lock.peek()))
                addRows(lock.state());
        }
    }
    arrange();
    endResetModel();
}

void HolderModel::follow(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed)
{
    if (m_holder.isEmpty())
        return;
    const QList<HolderRow> before = m_rows;
    const int hiddenBefore = m_hidden;
    if (m_hidden > 0 || (m_query.dependsOnTime() && !m_query.isEmpty()))
        return read(); // hidden rows aren't kept
    m_rows.removeIf([&](const HolderRow &row) {
        return removed.contains(row.state.key) || changed.contains(row.state.key);
    });
    for (const replica::PackedLock &lock : changed) {
        if (isConcerned(lock.peek()))
            addRows(lock.state());
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), comesFirst);
    QList<HolderRow> sorted = before;
    std::stable_sort(sorted.begin(), sorted.end(), comesFirst);
    const bool isSame = hiddenBefore == m_hidden && sorted.size() == m_rows.size() &&
                        std::equal(sorted.cbegin(), sorted.cend(), m_rows.cbegin(), isSameRow);
    if (!isSame) {
        beginResetModel();
        arrange();
        endResetModel();
        return;
    }
    QList<HolderRow> inPlace = before; // new values, the same places
    for (HolderRow &row : inPlace) {
        const auto now = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                      [&row](const HolderRow &one) { return isSameRow(one, row); });
        row = *now;
    }
    m_rows = inPlace;
    tick();
}

void HolderModel::tick()
{
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, HolderColumnCount - 1));
}

QVariant HolderModel::sortValue(const HolderRow &row) const
{
    const domain::LockState &state = row.state;
    const replica::LockContext context = contextOf(row);
    const domain::TimeUs since = row.wait ? row.wait->sinceUs : state.acquiredUs;
    switch (m_column) {
    case HolderLockColumn:
        return state.key.name;
    case HolderRelationColumn:
        return row.waits();
    case HolderNameColumn:
        return row.wait ? row.wait->id : state.owner;
    case HolderSinceColumn:
    case HolderForColumn:
        return since ? QVariant(m_column == HolderSinceColumn ? *since : context.nowUs - *since) : QVariant();
    case HolderRemainingColumn: {
        const auto left = row.waits() ? std::nullopt : remainingUs(state, context.nowUs);
        return left ? QVariant(*left) : QVariant();
    }
    case HolderWaitersColumn: {
        const auto waiters = row.waits() ? std::nullopt : state.waiterCount();
        return waiters ? QVariant(*waiters) : QVariant();
    }
    case HolderCausedColumn: {
        const auto caused = row.waits() ? std::nullopt : replica::waitingCausedUs(state, context.nowUs);
        return caused ? QVariant(*caused) : QVariant();
    }
    case HolderAliveColumn:
        return row.waits() ? QVariant() : QVariant(int(domain::liveness(state, context.nowUs).verdict));
    case HolderReleaseColumn:
        return row.waits() ? QVariant() : QVariant(int(state.release.safety));
    case HolderSourceColumn:
        return state.key.source;
    default:
        return {};
    }
}

/** Unknown values come last in both directions. */
void HolderModel::arrange()
{
    std::stable_sort(m_rows.begin(), m_rows.end(), comesFirst);
    if (m_column < 0)
        return;
    std::stable_sort(m_rows.begin(), m_rows.end(), [this](const HolderRow &a, const HolderRow &b) {
        const QVariant one = sortValue(a);
        const QVariant other = sortValue(b);
        if (!one.isValid() || !other.isValid())
            return one.isValid() && !other.isValid();
        const auto result = QVariant::compare(one, other);
        return m_direction == Qt::AscendingOrder ? result == QPartialOrdering::Less
                                                 : result == QPartialOrdering::Greater;
    });
}

void HolderModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QList<HolderRow> before = m_rows;
    m_column = column;
    m_direction = order;
    arrange();
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &index : from) {
        const auto row = std::find_if(m_rows.cbegin(), m_rows.cend(), [&](const HolderRow &one) {
            return isSameRow(one, before.at(index.row()));
        });
        to.append(createIndex(int(row - m_rows.cbegin()), index.column()));
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace lockkeeper::app::models
