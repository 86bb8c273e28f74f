// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_columns.h"
#include "app/models/raw_model.h"
#include "app/replica/replica.h"

#include <QTimer>

#include <memory>
#include <unordered_set>
#include <vector>

namespace lockkeeper::app::models {

/** One row of the table. Its address stays the same as long as the lock is in the model. */
struct LockRow
{
    replica::PackedLock lock; ///< as last known, also after it has disappeared
    replica::Badge badge = replica::Badge::Unknown;
    bool gone = false;      ///< no longer in the table; removed at the next tick
    bool stale = false;     ///< the source isn't being observed
    qint64 changedAtUs = 0; ///< monotonic: when the badge or the holder last changed while shown; 0 never
    int row = 0;            ///< in LockModel
    int source = 0;         ///< number of its source within the model
    quint32 slot = 0;       ///< small, unique, reused after the row's removal
};

/**
 * Every lock of the replica, unordered: new locks are appended. Follows the replica's batches. Once a second
 * it applies the clock (Held becomes Expiring, a source falls silent). At most one LocksProxy uses it. GUI
 * thread.
 */
class LockModel : public RawModel
{
    Q_OBJECT

public:
    LockModel(replica::Replica &replica, const base::Clock &clock, QObject *parent = nullptr);
    ~LockModel() override;

    /** Null for a row that doesn't exist. */
    const LockRow *at(int row) const;
    const LockRow *find(const domain::LockKey &key) const;
    int rowOf(const domain::LockKey &key) const;
    replica::LockContext context(const LockRow &row) const;
    /** The same, as of the last clock check and without the agents' names: for passes over many rows. */
    replica::LockContext judgedBy(const LockRow &row) const
    {
        const SourceClock &clock = m_sources[size_t(row.source)];
        return {clock.nowUs, clock.stale, row.badge == replica::Badge::Releasing, {}};
    }
    bool changedRecently(const LockRow &row) const;

    /** The number of locks with each badge; removed locks don't count. */
    const replica::BadgeCounts &counts() const { return m_counts; }
    const replica::Replica &replica() const { return m_replica; }

    /**
     * Checks the clock now and updates badges and silent sources. The model's timer calls it once a second.
     * If many rows are affected, they follow over several turns of the event loop.
     */
    void lookAtClock();
    /** The number of rows to judge in one turn. Tests use few. */
    void setTurnRows(int rows) { m_turnRows = m_left = rows; }
    /** Removes gone rows. The proxy calls it at its tick. */
    void purgeGone();

Q_SIGNALS:
    /** Emitted before dataChanged: these rows, without duplicates, have other values or were removed. */
    void rowsTouched(const QList<const lockkeeper::app::models::LockRow *> &rows);
    void rowsAdded(const QList<const lockkeeper::app::models::LockRow *> &rows);
    /** Once a second: repaint durations. */
    void clockMoved();
    void countsChanged();

private:
    int rows() const override { return int(m_rows.size()); }
    using Rows = QList<const LockRow *>;
    /** The values by which a source's rows are judged, read once per batch. */
    struct SourceClock
    {
        QString name;
        qint64 nowUs = 0;
        bool stale = false;
        bool turned = false; ///< it fell silent or returned, and some rows haven't been judged since
    };
    /**
     * The time when a row must be judged again without a change. Kept apart from the rows for a fast scan
     * each second.
     */
    struct Due
    {
        qint64 atUs = 0;
        int source = 0;
    };
    /** Rows by their keys, which aren't stored twice. */
    struct RowHash
    {
        using is_transparent = void;
        size_t operator()(const LockRow *row) const { return row->lock.hash(); }
        size_t operator()(const replica::PackedLock &lock) const { return lock.hash(); }
        size_t operator()(const domain::LockKey &key) const { return replica::PackedLock::hashOf(key); }
    };
    struct RowOfKey
    {
        using is_transparent = void;
        bool operator()(const LockRow *a, const LockRow *b) const { return a == b; }
        bool operator()(const replica::PackedLock &lock, const LockRow *row) const
        {
            return row->lock.isSameLock(lock);
        }
        bool operator()(const domain::LockKey &key, const LockRow *row) const { return row->lock.isOf(key); }
        bool operator()(const LockRow *row, const replica::PackedLock &lock) const
        {
            return row->lock.isSameLock(lock);
        }
        bool operator()(const LockRow *row, const domain::LockKey &key) const { return row->lock.isOf(key); }
    };
    template <typename Lock> LockRow *rowFor(const Lock &lock) const;
    void leave(LockRow &row, Rows &touched);
    void applyBatch(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed);
    void touchOne(const domain::LockKey &key);
    bool take(LockRow &row, const replica::PackedLock &lock);
    bool refresh(LockRow &row);
    void append(const std::vector<replica::PackedLock> &locks);
    void announce(const Rows &touched);
    int sourceIndex(const QString &source);
    void readClock(SourceClock &clock) const;
    bool readClocks();
    void followSources();
    void judgeSome();
    void swapRows(int a, int b);

    replica::Replica &m_replica;
    const base::Clock &m_clock;
    QTimer m_second;
    QTimer m_turn;       ///< continues judging
    size_t m_judged = 0; ///< rows, of all
    int m_turnRows = 500;
    int m_left = m_turnRows; ///< remaining rows in this turn
    std::vector<std::unique_ptr<LockRow>> m_rows;
    std::vector<Due> m_due; ///< by row
    std::unordered_set<LockRow *, RowHash, RowOfKey> m_byKey;
    QHash<QString, int> m_sourceIndex;
    std::vector<SourceClock> m_sources;
    QList<quint32> m_freeSlots;
    quint32 m_nextSlot = 0;
    QList<LockRow *> m_gone;
    replica::BadgeCounts m_counts{};
};

} // namespace lockkeeper::app::models
