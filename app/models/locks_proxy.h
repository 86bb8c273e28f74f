// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_model.h"
#include "app/state/query.h"

#include <QSet>

namespace lockkeeper::app::models {

/** By what rows are gathered under a group's row. */
enum class Grouping : quint8 { None = 0, Source, Scheme, Holder, NamePrefix };
/** Stable names for the settings: "none", "source", "scheme", "holder", "name_prefix". */
QByteArrayView groupingName(Grouping grouping);
std::optional<Grouping> groupingFromName(QByteArrayView name);

/** A group's row. */
struct LockGroup
{
    QByteArray key; ///< UTF-8 or a store's bytes; empty: no holder, no prefix
    qint64 total = 0;
    state::BadgeCounts counts{};
    state::Badge worst = state::Badge::Free;
    bool collapsed = false;
};

/** Order of the rows. `column` −1: the default order (severity, longest wait, held for, key). */
struct LockSort
{
    int column = -1;
    Qt::SortOrder order = Qt::AscendingOrder;
    bool operator==(const LockSort &) const = default;
};

/**
 * What the locks table shows: filtered by query and state chips, grouped, sorted. One flat list: a group's
 * row stands before its locks. Values change at once; order and membership only at the tick, and not at all
 * while frozen: a row that has gone or doesn't fit any more stays until then. Equal rows never swap. What the
 * operator asks for (filter, chips, sort, group) takes effect at once even if frozen. Persistent indexes and
 * selections follow their lock.
 */
class LocksProxy : public RawModel
{
    Q_OBJECT

public:
    explicit LocksProxy(LockModel &source, QObject *parent = nullptr);
    ~LocksProxy() override;

    Qt::ItemFlags flags(const QModelIndex &index) const override;
    /** As a view's header calls it; column −1 is the default order. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /** Null where the row is a group, or doesn't exist. */
    const LockRow *lockAt(int row) const;
    /** Null where the row is a lock, or doesn't exist. */
    const LockGroup *groupAt(int row) const;
    /** −1 where the lock isn't shown. */
    int rowOf(const domain::LockKey &key) const;
    const LockModel &source() const;

    void setQuery(const state::Query &query);
    const state::Query &query() const;
    void setBadgeShown(state::Badge badge, bool shown);
    bool isBadgeShown(state::Badge badge) const;
    void setGrouping(Grouping grouping);
    Grouping grouping() const;
    void setCollapsed(const QByteArray &group, bool collapsed);
    LockSort sorting() const;

    /** 1, 2 or 5 s; 0: only by tick(), for tests. */
    void setTickMs(int ms);
    /** How many rows a tick sorts at one turn of the event loop: tests take few. */
    void setTurnRows(int rows);
    void setFrozen(bool frozen);
    bool isFrozen() const;
    /** Takes order and membership up to date, unless frozen: now, or after several turns of the event loop
     * where many rows have changed. */
    void tick();

    /** Locks that fit the query, by badge, whether their chip is on or off; gone ones don't count. */
    const state::BadgeCounts &counts() const;
    /** Locks that are in the list now. */
    qint64 shownLocks() const;

Q_SIGNALS:
    void countsChanged();
    void sortingChanged();

private:
    int rows() const override;
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::models
