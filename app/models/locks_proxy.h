// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/locks_order.h"

#include <QSet>
#include <QTimer>

#include <map>

namespace lockkeeper::app::models {

/** A group's row. */
struct LockGroup
{
    QByteArray key; ///< UTF-8 or a store's bytes; empty: no holder, no prefix
    qint64 total = 0;
    replica::BadgeCounts counts{};
    replica::Badge worst = replica::Badge::Free;
    bool collapsed = false;
};

/**
 * The rows of the locks table: filtered by query and state chips, grouped, sorted. One flat list: a group's
 * row precedes its locks. Values change at once. Order and membership change only at the tick, and not at all
 * while frozen: a row that is gone or no longer matches stays until then. Equal rows never swap. A change of
 * filter, chips, sort or group by the operator takes effect at once even if frozen. Persistent indexes and
 * selections follow their lock.
 */
class LocksProxy : public RawModel
{
    Q_OBJECT

public:
    explicit LocksProxy(LockModel &source, QObject *parent = nullptr);

    Qt::ItemFlags flags(const QModelIndex &index) const override;
    /** Called by a view's header; column −1 is the default order. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /** Null if the row is a group or doesn't exist. */
    const LockRow *lockAt(int row) const;
    /** Null if the row is a lock or doesn't exist. */
    const LockGroup *groupAt(int row) const;
    /** −1 if the lock isn't shown. */
    int rowOf(const domain::LockKey &key) const;
    const LockModel &source() const { return m_source; }

    void setQuery(const filter::Query &query);
    const filter::Query &query() const { return m_query; }
    void setBadgeShown(replica::Badge badge, bool shown);
    bool isBadgeShown(replica::Badge badge) const { return m_shown[size_t(badge)]; }
    void setGrouping(Grouping grouping);
    Grouping grouping() const { return m_grouping; }
    void setCollapsed(const QByteArray &group, bool collapsed);
    LockSort sorting() const { return m_sort; }

    /** 1, 2 or 5 s; 0: only by tick(), for tests. */
    void setTickMs(int ms);
    /** The number of rows that a tick sorts in one turn of the event loop. Tests use few. */
    void setTurnRows(int rows) { m_turnRows = rows; }
    void setFrozen(bool frozen) { m_frozen = frozen; }
    bool isFrozen() const { return m_frozen; }
    /**
     * Updates order and membership, unless frozen: now, or after several turns of the event loop if many rows
     * have changed.
     */
    void tick();

    /** Locks that match the query, by badge, independent of the chips; removed locks don't count. */
    const replica::BadgeCounts &counts() const { return m_counts; }
    /** The number of locks in the list now. */
    qint64 shownLocks() const { return m_shownLocks; }

Q_SIGNALS:
    void countsChanged();

private:
    struct GroupRow : LockGroup
    {
        int position = -1;
        int next = -1;
        QList<const LockRow *> rows;
    };
    /** The content of one row: a lock, or a group if `lock` is null. */
    struct ProxyRow
    {
        const LockRow *lock = nullptr;
        GroupRow *group = nullptr;
        quint32 slot = 0; ///< the lock's, as in SortedRow
        bool operator==(const ProxyRow &) const = default;
    };
    /** The state of a lock, by its slot. */
    struct RowPlace
    {
        int position = -1;   ///< in m_items; −1: absent
        int next = -1;       ///< in the list under construction
        bool dirty = false;  ///< to be placed again at the tick
        bool moving = false; ///< its new place is known
        bool fits = false;   ///< matches the query
        bool counted = false;
        replica::Badge countedAs = replica::Badge::Free;
    };

    int rows() const override { return int(m_items.size()); }
    RowPlace &place(const LockRow &row);
    void markDirty(const LockRow &row);
    bool fitsNow(const LockRow &row) const
    {
        return m_query.isEmpty() || matches(m_query, row.lock.peek(), m_source.context(row));
    }
    void count(const LockRow &row);
    void judge(const LockRow &row);
    void judgeAll();
    bool fitAnew();
    void rebuild(bool atOnce);
    void sortSome(qsizetype rows);
    void placeMoving();
    std::vector<ProxyRow> arrange();
    GroupRow &groupOf(const LockRow &row);
    void gather(std::vector<ProxyRow> &items);
    void show(std::vector<ProxyRow> next);
    void appendNew(const std::vector<ProxyRow> &next);
    void moveTo(std::vector<ProxyRow> target);
    void cutTail(size_t keep);
    void setPositions();
    int &nextOf(const ProxyRow &item);
    int &positionOf(const ProxyRow &item);
    void dropEmptyGroups();
    void announceGroups();
    void onTouched(const QList<const LockRow *> &rows);
    void onAdded(const QList<const LockRow *> &rows);

    // The rows and their update: m_items holds the current rows, the other members build the next ones.
    LockModel &m_source;
    QTimer m_timer;
    QTimer m_turn; ///< continues a tick
    int m_turnRows = 2000;
    filter::Query m_query;
    std::array<bool, replica::kBadgeCount> m_shown{};
    Grouping m_grouping = Grouping::None;
    LockSort m_sort;
    bool m_frozen = false;
    std::vector<RowPlace> m_places; ///< by slot
    QList<const LockRow *> m_dirty;
    QList<const LockRow *> m_sortedOut;      ///< were dirty and are moving, if shown
    std::vector<SortedRow> m_moving;         ///< in their order
    std::vector<SortedRow> m_sorted;         ///< all that match, collapsed or not
    std::vector<ProxyRow> m_items;           ///< the current rows
    std::map<QByteArray, GroupRow> m_groups; ///< in the order of their keys
    QSet<QByteArray> m_collapsed;
    replica::BadgeCounts m_counts{};
    qint64 m_shownLocks = 0;
};

} // namespace lockkeeper::app::models
