// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/state/holder.h"
#include "app/state/query.h"
#include "app/state/replica.h"

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
    explicit HolderModel(const state::Replica &replica, QObject *parent = nullptr);

    void setHolder(const state::HolderId &holder);
    void setReach(state::HolderReach reach);
    /** Of scope Locks. */
    void setQuery(const state::Query &query);
    const state::HolderId &holder() const { return m_holder; }
    state::HolderReach reach() const { return m_reach; }
    bool isFiltered() const { return !m_query.isEmpty(); }

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    const HolderRow *at(int row) const;
    int rowOfLock(const domain::LockKey &key) const; ///< −1: none
    /** The facts beside the row's state: its store's clock, and whether it is observed. */
    state::LockContext contextOf(const HolderRow &row) const { return m_replica.context(row.state); }
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
    void follow(const state::PackedLockTable &changed, const QSet<domain::LockKey> &removed);
    void arrange();
    QVariant sortValue(const HolderRow &row) const;

    const state::Replica &m_replica;
    state::HolderId m_holder;
    state::HolderReach m_reach = state::HolderReach::Exact;
    state::Query m_query;
    QList<HolderRow> m_rows;
    int m_hidden = 0;
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace lockkeeper::app::models
