// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/rollup_store.h"
#include "agent/journal/storage/snapshot_builder.h"

namespace lockkeeper::agent::journal {

/**
 * Deletes what is too old or too much, in steps small enough to go between two batches of the writer. Events
 * go oldest first, so that what is left has no holes; holds that are open, the locks they name, and the audit
 * stay always. Roll-ups stay longer, unless the file is too large: then what is oldest goes first. Last it
 * makes the snapshots that are due, and drops those whose events are gone.
 */
class Retention
{
public:
    explicit Retention(Connection &connection) : m_connection(connection), m_snapshots(connection) {}

    void setLimits(int keepDays, int keepMib, int keepRollupsDays);
    /** Starts a round at `nowUs`, the agent's wall clock. Deletes nothing that isn't in `rollups` yet. */
    void start(qint64 nowUs, const RollupStore &rollups);
    /** Ends the round where it is. */
    void giveUp() { m_phase = Phase::Done; }
    bool isDone() const { return m_phase == Phase::Done; }
    /** One step, in a transaction of its own. False means connection.error(). */
    bool step();
    /** Locks were removed: numbers remembered elsewhere are void. */
    bool removedLocks() const { return m_removedLocks; }

private:
    enum class Phase : quint8 { Age, Size, Holds, Waits, Rollups, Locks, Snapshots, Vacuum, Done };

    bool inTransaction(bool (Retention::*work)());
    bool deleteOld();
    bool deleteMuch();
    bool deleteHolds();
    bool deleteWaits();
    bool deleteRollups();
    bool deleteOldestHour(qint64 beforeHour, bool *any);
    bool deleteLocks();
    bool keepSnapshots();
    bool noteDeleted(const Statement &removal);
    bool giveBack();
    bool keepStates(qint64 beforeSeq);
    /** Deletes the oldest events, at most 1,000, those observed before `cutoffUs`; `*all`: no more of them.
     */
    bool deleteEvents(qint64 cutoffUs, bool *all);

    Connection &m_connection;
    SnapshotBuilder m_snapshots;
    int m_keepDays = 30;
    int m_keepMib = 4096;
    Phase m_phase = Phase::Done;
    int m_keepRollupsDays = 366;
    qint64 m_cutoffUs = 0;
    qint64 m_rollupCutoffUs = 0;
    qint64 m_endedUs = 0;   ///< of what has ended, what ended before goes: m_cutoffUs, or …
    qint64 m_rolledUs = 0;  ///< what ended before is in the roll-ups …
    qint64 m_rolledSeq = 0; ///< … and these events
    qint64 m_cursor = 0;
    bool m_removedLocks = false;
};

} // namespace lockkeeper::agent::journal
