// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "agent/journal/storage/rollup_store.h"
#include "agent/journal/storage/snapshot_builder.h"

namespace lockkeeper::agent::journal {

/**
 * Deletes rows that are too old or too many, in steps that are small enough to go between two batches of the
 * writer. The oldest events go first, so that the remaining events have no holes. Open holds, the locks that
 * they name and the audit always stay. Roll-ups stay longer, unless the file is too large: then the oldest
 * data goes first. Events that a receiver lacks stay longer, with their holds and waits. At the end,
 * retention makes the snapshots that are due and drops those whose events are deleted.
 */
class Retention
{
public:
    explicit Retention(SqliteConnection &connection) : m_connection(connection), m_snapshots(connection) {}

    void setLimits(int keepDays, int keepMib, int keepRollupsDays);
    void setUnforwarded(QList<UnforwardedEvents> unforwarded) { m_unforwarded = std::move(unforwarded); }
    /** Starts a round at `nowUs`, the agent's wall clock. Deletes only rows that are in `rollups` already. */
    void start(qint64 nowUs, const RollupStore &rollups);
    /** Ends the round early. */
    void giveUp() { m_phase = RetentionTask::Done; }
    bool isDone() const { return m_phase == RetentionTask::Done; }
    /** Runs one step in a separate transaction. False means connection.error(). */
    bool step();
    /** True if locks were removed: numbers remembered elsewhere are void. */
    bool removedLocks() const { return m_removedLocks; }

private:
    enum class RetentionTask : quint8 { Age, Size, Holds, Waits, Rollups, Locks, Snapshots, Vacuum, Done };

    bool inTransaction(bool (Retention::*work)());
    bool deleteOld();
    bool deleteMuch();
    bool deleteHolds();
    bool deleteWaits();
    bool deleteRollups();
    bool deleteOldestHour(qint64 beforeHour, bool *any);
    bool deleteLocks();
    bool keepSnapshots();
    bool noteDeleted(const SqliteStatement &removal);
    bool giveBack();
    bool keepStates(qint64 beforeSeq);
    /** Deletes the oldest events that were observed before `cutoffUs`, at most 1,000. `*all`: no more are
     * left. */
    bool deleteEvents(qint64 cutoffUs, bool *all);
    /** Bytes of the pages in use. Empty: the connection failed. */
    std::optional<qint64> usedBytes();
    /** The first event that a receiver lacks and that stays; the highest number if there is none. Empty: the
     * connection failed. */
    std::optional<qint64> firstHeldBack();
    /** Moves the cutoffs before the time of every event from `seq` on. */
    bool limitCutoffs(qint64 seq);

    SqliteConnection &m_connection;
    SnapshotBuilder m_snapshots;
    QList<UnforwardedEvents> m_unforwarded;
    int m_keepDays = 30;
    int m_keepMib = 4096;
    RetentionTask m_phase = RetentionTask::Done;
    int m_keepRollupsDays = 366;
    qint64 m_cutoffUs = 0;
    qint64 m_rollupCutoffUs = 0;
    qint64 m_endedUs = 0;   ///< m_cutoffUs or m_rolledUs: holds and waits that ended before are deleted
    qint64 m_rolledUs = 0;  ///< ends before this time are in the roll-ups
    qint64 m_rolledSeq = 0; ///< events up to this one are in the roll-ups
    qint64 m_cursor = 0;
    bool m_removedLocks = false;
};

} // namespace lockkeeper::agent::journal
