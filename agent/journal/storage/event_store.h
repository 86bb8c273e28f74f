// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"
#include "agent/journal/storage/known_locks.h"
#include "agent/journal/storage/records.h"
#include "agent/journal/storage/rollup_store.h"
#include "agent/journal/storage/wait_store.h"
#include "shared/events/lock_event.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/** What a renewal changes in a hold: small, because 100,000 leases may be renewed within seconds. */
struct RenewalNote
{
    domain::TimeUs acquiredUs; ///< which acquisition it belongs to
    quint32 renewals = 0;
    qint64 longestGapUs = 0;
    domain::TimeUs renewedUs;
    domain::TimeUs expiresUs;
};
/** By lock and acquisition (0: not known): of two holds that are filed at once neither takes the other's. */
using RenewalNotes = QHash<std::pair<domain::LockKey, qint64>, RenewalNote>;

void addNote(RenewalNotes &notes, const domain::LockKey &key, const domain::LockState &renewed);

/** Makes the index of names anew: all that it says `locks` says too. Its pages stay where they are, as
 * `lock_names_damaged`: whatever frees them would read them. False: connection.error(). */
bool remakeNames(Connection &connection);

/**
 * Files events, holds and sources' progress within a transaction that the caller begins and ends. Keeps the
 * numbers of sources, locks and open holds in memory; after a rollback reload() must be called, since some of
 * them may never have become true. Belongs to the writer's thread; false means connection.error().
 */
class EventStore
{
public:
    explicit EventStore(Connection &connection, size_t mostLocks = LockNumbers::kMost,
                        qsizetype mostHolds = OpenHolds::kMost)
        : m_connection(connection),
          m_rollups(connection),
          m_waits(connection, m_rollups),
          m_locks(mostLocks),
          m_open(connection, mostHolds)
    {
    }

    /** Reads the last number, the sources and which holds are open. Where the last call failed at a page that
     * can't be read, it looks for that first in the index of names. */
    bool reload();
    /** Writes numbered events with all that follows from them. Those that are there already are left out. */
    bool write(const QList<events::LockEvent> &events, RenewalNotes &notes);
    /** Last in a transaction: how far the numbers and the sources have come. */
    bool writeProgress(const QList<Progress> &progress);
    /** Writes the notes of at most `limit` open holds and takes them out. */
    bool writeRenewals(RenewalNotes &notes, int limit);
    /** After a commit. */
    void keep() { m_taken.clear(); }
    /** After a rollback: puts back the notes that were taken out since the last commit. */
    void undo(RenewalNotes &notes);
    /** Enters the locks that are new since the last time into the index of names; also outside of a
     * transaction. */
    bool nameLocks();
    /** Forgets the numbers of locks: retention may have removed some. */
    bool forgetLocks();

    RollupStore &rollups() { return m_rollups; }
    quint64 lastSeq() const { return m_lastSeq; }
    base::Result<QList<Opened::Source>> sources();
    /** The table as the last event of each lock left it. Damaged rows are left out and logged. */
    base::Result<void> restore(Opened &opened);

private:
    struct Source
    {
        qint64 id = 0;
        qint64 lastSeenUs = 0;
        bool gapOpen = false;
        QByteArray position;
    };
    using SourceKey = std::pair<QString, QByteArray>;

    Source *sourceOf(const QString &name, const QByteArray &store);
    struct Lock
    {
        qint64 id = 0;
        bool isNew = false; ///< nothing was written of it before
    };
    std::optional<Lock> lockOf(qint64 sourceId, const domain::LockKey &key);
    bool writeEvent(const events::LockEvent &event, RenewalNotes &notes);
    bool followHold(const events::LockEvent &event, qint64 lockId, const std::optional<OpenHold> &open,
                    RenewalNotes &notes);
    bool openHold(const events::LockEvent &event, qint64 lockId);
    bool closeHold(const events::LockEvent &event, const OpenHold &hold, int end, RenewalNotes &notes);
    bool renewHold(qint64 holdId, const RenewalNote &note);
    bool saveSource(const Source &source);
    /** By lock; not of holds that had no event since their first. */
    base::Result<QHash<qint64, domain::LockState>> lastStates();
    QString nameOf(qint64 sourceId) const;

    Connection &m_connection;
    RollupStore m_rollups;
    WaitStore m_waits;
    quint64 m_lastSeq = 0;
    quint64 m_writtenSeq = 0;
    qint64 m_lastLock = 0;
    qint64 m_writtenLock = 0;
    qint64 m_namedLock = 0; ///< later ones aren't in the index of names, but all in m_locks
    QHash<SourceKey, Source> m_sources;
    LockNumbers m_locks;
    /** By its hash, whether a name may be in the file; empty where that wasn't new. So a first scan asks it
     * for few. */
    std::vector<bool> m_names;
    OpenHolds m_open;
    QList<std::pair<RenewalNotes::key_type, RenewalNote>> m_taken;
};

} // namespace lockkeeper::agent::journal
