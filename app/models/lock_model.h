// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/state/badge.h"
#include "app/state/replica.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace lockkeeper::app::models {

/** The columns of the locks table, for LockModel and LocksProxy alike. */
enum LockColumn {
    StateColumn = 0,   ///< state::Badge
    NameColumn,        ///< QByteArray: the name
    HolderColumn,      ///< QByteArray; invalid: not known
    HeldForColumn,     ///< qint64 µs
    RemainingColumn,   ///< qint64 µs, negative past the deadline
    WaitersColumn,     ///< int; invalid: this scheme doesn't show who waits
    SourceColumn,      ///< QString
    LongestWaitColumn, ///< qint64 µs
    SchemeColumn,      ///< QByteArray
    PlaceColumn,       ///< QByteArray
    SeenColumn,        ///< qint64: the instant of the last look, the store's clock
    AcquiredColumn,    ///< qint64: an instant
    ExpiresColumn,     ///< qint64: an instant
    TokenColumn,       ///< QByteArray
    DepthColumn,       ///< int
    FencingColumn,     ///< QByteArray
    LockColumnCount,
};
QByteArray lockColumnName(int column);

/** One row of the table. The address stays the same as long as the lock is in the model. */
struct LockRow
{
    domain::LockState state; ///< as last known, also once gone
    state::Badge badge = state::Badge::Unknown;
    bool gone = false;      ///< not in the table any more; leaves at the next tick
    bool stale = false;     ///< the source isn't being observed
    qint64 changedAtUs = 0; ///< monotonic: when the badge or the holder last changed while shown; 0 never
    int row = 0;            ///< in LockModel
    quint32 slot = 0;       ///< small, unique, reused after the row has gone
};

/**
 * Every lock of the replica, in no order: new ones at the end. Follows the replica's batches; once a second
 * looks at the clock (Held becomes Expiring, a source falls silent). At most one LocksProxy stands on it. GUI
 * thread.
 */
class LockModel : public RawModel
{
    Q_OBJECT

public:
    enum Role {
        BadgeRole = OwnRole, ///< state::Badge
        GoneRole,            ///< bool
        StaleRole,           ///< bool
        ReleasingRole,       ///< bool
        ChangedRecentlyRole, ///< bool: the state changed within the last 2 s
        IsGroupRole,         ///< bool: a group's row (LocksProxy only)
        CollapsedRole,       ///< bool: of a group's row
    };

    LockModel(state::Replica &replica, const base::Clock &clock, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override { return lockColumnName(column); }

    /** Null for a row that doesn't exist. */
    const LockRow *at(int row) const;
    const domain::LockState *stateAt(int row) const;
    const LockRow *find(const domain::LockKey &key) const;
    int rowOf(const domain::LockKey &key) const;
    state::LockContext context(const LockRow &row) const;
    bool changedRecently(const LockRow &row) const;
    /** A cell's typed value, see LockColumn. */
    QVariant value(const LockRow &row, int column) const;

    /** How many locks carry each badge; gone ones don't count. */
    const state::BadgeCounts &counts() const { return m_counts; }
    const state::Replica &replica() const { return m_replica; }

    /** Looks at the clock now: badges and silent sources. Called once a second by the model's own timer. */
    void lookAtClock();
    /** Drops gone rows for good. The proxy calls it at its tick. */
    void purgeGone();
    bool hasGone() const { return m_goneCount > 0; }

Q_SIGNALS:
    /** Before dataChanged: these rows have other values, or are gone. Each once. */
    void rowsTouched(const QList<const lockkeeper::app::models::LockRow *> &rows);
    void rowsAdded(const QList<const lockkeeper::app::models::LockRow *> &rows);
    /** Once a second: durations are to be painted again. */
    void clockMoved();
    void countsChanged();

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    struct SourceClock;
    void reload();
    void applyBatch(const QSet<domain::LockKey> &changed, const QSet<domain::LockKey> &removed);
    void touchOne(const domain::LockKey &key);
    bool refresh(LockRow &row);
    LockRow *append(const domain::LockState &state);
    void announce(const QList<const LockRow *> &touched);
    const SourceClock &sourceClock(const QString &source) const;
    void refreshClocks();

    state::Replica &m_replica;
    const base::Clock &m_clock;
    QTimer m_second;
    std::vector<std::unique_ptr<LockRow>> m_rows;
    QHash<domain::LockKey, LockRow *> m_byKey;
    QList<quint32> m_freeSlots;
    mutable QHash<QString, SourceClock> m_clocks;
    state::BadgeCounts m_counts{};
    qsizetype m_goneCount = 0;
};

/** What a source's rows are judged by, taken once a batch. */
struct LockModel::SourceClock
{
    qint64 storeMinusMonotonicUs = 0;
    qint64 frozenNowUs = 0; ///< stale: time stands still at the last observation
    bool stale = false;
};

} // namespace lockkeeper::app::models
