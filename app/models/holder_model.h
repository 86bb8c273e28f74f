// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/raw_model.h"
#include "app/replica/holder.h"
#include "app/replica/replica.h"

namespace lockkeeper::app::models {

enum HolderColumn {
    HolderLockColumn = 0,
    HolderRelationColumn, ///< it holds the lock, or waits for it
    HolderNameColumn,
    HolderSinceColumn,
    HolderForColumn,
    HolderRemainingColumn,
    HolderWaitersColumn,
    HolderCausedColumn,
    HolderAliveColumn,
    HolderReleaseColumn,
    HolderSourceColumn,
    HolderColumnCount,
};

/** One lock that a holder has, or waits for. */
struct HolderRow
{
    domain::LockState state;
    std::optional<domain::Waiter> wait; ///< set: it waits for the lock

    bool waits() const { return wait.has_value(); }
};

/**
 * Everything that one holder has and waits for, from the replica, over all sources and agents. Follows the
 * replica; the rows change their places only when a row comes or goes, or by sort(). GUI thread.
 */
class HolderModel : public RawModel
{
    Q_OBJECT

public:
    explicit HolderModel(const replica::Replica &replica, QObject *parent = nullptr);

    void setHolder(const replica::HolderId &holder);
    void setReach(replica::HolderReach reach);
    /** Of scope Locks. */
    void setQuery(const filter::Query &query);
    const replica::HolderId &holder() const { return m_holder; }
    replica::HolderReach reach() const { return m_reach; }
    bool isFiltered() const { return !m_query.isEmpty(); }

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    const HolderRow *at(int row) const;
    int rowOfLock(const domain::LockKey &key) const; ///< −1: none
    /** The facts beside the row's state: its store's clock, and whether it is observed. */
    replica::LockContext contextOf(const HolderRow &row) const { return m_replica.context(row.state); }
    /** The locks of the held rows whose schemes allow a release, in the order of the rows. */
    QList<domain::LockKey> breakable() const;
    /** The filter hides so many rows. */
    int hiddenRows() const { return m_hidden; }
    /** A second has passed: the times have changed. */
    void tick();

private:
    int rows() const override { return int(m_rows.size()); }
    void read();
    bool isConcerned(const domain::LockState &state) const;
    void addRows(const domain::LockState &state);
    void follow(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed);
    void arrange();
    QVariant sortValue(const HolderRow &row) const;

    const replica::Replica &m_replica;
    replica::HolderId m_holder;
    replica::HolderReach m_reach = replica::HolderReach::Exact;
    filter::Query m_query;
    QList<HolderRow> m_rows;
    int m_hidden = 0;
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace lockkeeper::app::models
