// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/known_locks.h"
#include "agent/journal/storage/records.h"
#include "agent/journal/storage/rollup_store.h"
#include "agent/journal/storage/sqlite_connection.h"
#include "agent/journal/storage/wait_store.h"
#include "shared/events/lock_event.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/** The values of a hold that a renewal changes. It is small, because 100,000 leases may be renewed within
 * seconds. */
struct RenewalNote
{
    domain::TimeUs acquiredUs; ///< the acquisition that it belongs to
    quint32 renewals = 0;
    qint64 longestGapUs = 0;
    domain::TimeUs renewedUs;
    domain::TimeUs expiresUs;
};
/** By lock and acquisition (0: not known), so that two holds that are filed together keep their own notes. */
using RenewalNotes = QHash<std::pair<domain::LockKey, qint64>, RenewalNote>;

void addNote(RenewalNotes &notes, const domain::LockKey &key, const domain::LockState &renewed);

/** Rebuilds the index of names from `locks`, which has all of its content. The old pages stay where they are,
 * as `lock_names_damaged`, because freeing them would read them. False: connection.error(). */
bool remakeNames(SqliteConnection &connection);

/**
 * Files events, holds and sources' progress within a transaction that the caller begins and ends. Keeps the
 * numbers of sources, locks and open holds in memory. The caller must call reload() after a rollback, because
 * some of these numbers may never have been committed. Belongs to the writer's thread; false means
 * connection.error().
 */
class EventStore
{
public:
    explicit EventStore(SqliteConnection &connection, size_t mostLocks = LockNumbers::kMost,
                        qsizetype mostHolds = OpenHolds::kMost)
        : m_connection(connection),
          m_rollups(connection),
          m_waits(connection, m_rollups),
          m_locks(mostLocks),
          m_open(connection, mostHolds)
    {
    }

    /** Reads the last number, the sources and the open holds. If the last failure was an unreadable page, it
     * checks the index of names first and rebuilds a damaged index. */
    bool reload();
    /** Writes numbered events with everything that follows from them. Skips events that are already filed. */
    bool write(const QList<events::LockEvent> &events, RenewalNotes &notes);
    /** Writes the last numbers and the sources' progress; called last in a transaction. */
    bool writeProgress(const QList<Progress> &progress);
    /** Writes the notes of at most `limit` open holds and removes these notes. */
    bool writeRenewals(RenewalNotes &notes, int limit);
    /** Called after a commit. */
    void keep() { m_taken.clear(); }
    /** Called after a rollback: puts back the notes that were removed since the last commit. */
    void undo(RenewalNotes &notes);
    /** Adds the locks that are new since the last call to the index of names; callable outside a transaction
     * too. */
    bool nameLocks();
    /** Forgets the numbers of locks, because retention may have removed some locks. */
    bool forgetLocks();

    RollupStore &rollups() { return m_rollups; }
    quint64 lastSeq() const { return m_lastSeq; }
    base::Result<QList<Opened::SourceAtEnd>> sources();
    /** Restores the table of locks as the last event of each lock left it. Damaged rows are skipped and
     * logged. */
    base::Result<void> restore(Opened &opened);

private:
    struct StoredSource
    {
        qint64 id = 0;
        qint64 lastSeenUs = 0;
        bool gapOpen = false;
        QByteArray position;
    };
    using SourceKey = std::pair<QString, QByteArray>;

    StoredSource *sourceOf(const QString &name, const QByteArray &store);
    struct StoredLock
    {
        qint64 id = 0;
        bool isNew = false; ///< no event of it was written before
    };
    std::optional<StoredLock> lockOf(qint64 sourceId, const domain::LockKey &key);
    bool writeEvent(const events::LockEvent &event, RenewalNotes &notes);
    bool followHold(const events::LockEvent &event, qint64 lockId, const std::optional<OpenHold> &open,
                    RenewalNotes &notes);
    bool openHold(const events::LockEvent &event, qint64 lockId);
    bool closeHold(const events::LockEvent &event, const OpenHold &hold, int end, RenewalNotes &notes);
    bool renewHold(qint64 holdId, const RenewalNote &note);
    bool saveSource(const StoredSource &source);
    /** The last states by lock, without those of holds that had no event since their first. */
    base::Result<QHash<qint64, domain::LockState>> lastStates();
    QString nameOf(qint64 sourceId) const;

    SqliteConnection &m_connection;
    RollupStore m_rollups;
    WaitStore m_waits;
    quint64 m_lastSeq = 0;
    quint64 m_writtenSeq = 0;
    qint64 m_lastLock = 0;
    qint64 m_writtenLock = 0;
    qint64 m_namedLock = 0; ///< later locks aren't in the index of names yet, but all are in m_locks
    QHash<SourceKey, StoredSource> m_sources;
    LockNumbers m_locks;
    /** The hashes of names that may be in the file; empty unless the file was new. So a first scan looks up
     * few names in the file. */
    std::vector<bool> m_names;
    OpenHolds m_open;
    QList<std::pair<RenewalNotes::key_type, RenewalNote>> m_taken;
};

} // namespace lockkeeper::agent::journal
