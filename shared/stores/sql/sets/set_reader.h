// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/watched_set.h"
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/sql/release/release_parts.h"

#include <QHash>

#include <memory>
#include <optional>

namespace lockkeeper::stores::sql {

/** Some locks of a set, in its order, and the store's time around their reading. */
struct SetPage
{
    QList<Observation> locks;
    qint64 scanned = 0;
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    bool rangeEnds = false; ///< the next page needs beginRange() again, unless the set ends
    bool setEnds = false;
};

/** How much is read at once. */
struct ReadSize
{
    int range = 0; ///< rows of one statement
    int page = 0;  ///< locks of a SetPage
};

/** One lock, read alone. */
struct SetReading
{
    Observation lock; ///< `present` false: there is none
    qint64 nowUs = 0; ///< the store's clock in the same statement, or just after where there is none
    QHash<QByteArray, QByteArray> freeTexts = {}; ///< of oneAnew(): see Inspection
};

class SessionBoard;

/** What a set is opened with. Everything outlives the reader, but for the hooks of tests in `seams`. */
struct SetContext
{
    Connection &connection; ///< shared by the sets of a source
    const SourceSpec &spec;
    const ServerFacts &facts;
    const ReleaseSeams &seams;
    quint16 set = 0; ///< index in SourceSpec::locks
    /** Where the first set whose locks belong to sessions keeps what it shares with the others. Null: it
     * shares nothing. */
    std::shared_ptr<SessionBoard> *sessions = nullptr;

    const LockSet &lockSet() const { return spec.locks.at(set); }
};

/**
 * One lock set of a SQL source on an open connection: what a scheme has to offer to a SqlWorker, which calls
 * it in its own thread, never two at a time. Blocking, each call within the source's statement time limit. An
 * error that tells of a lost link makes the worker close everything and report the source as down.
 */
class SetReader
{
public:
    SetReader() = default;
    virtual ~SetReader() = default;
    Q_DISABLE_COPY_MOVE(SetReader)

    /** "database.table", or what stands for it in LockKey::place. */
    virtual QByteArray place() const = 0;
    /** What this user may do in this set, with the statement that grants what is missing. */
    virtual QList<domain::Access> access() = 0;
    /** What limits what can be seen; no cause: nothing. */
    virtual base::Error warning() const { return {}; }

    /** Before the first set of a scan is read; called for every set. */
    virtual base::Result<void> beginScan() { return {}; }
    /** Begins at the first lock of the set. */
    virtual void rewind() = 0;
    /** Reads the next `size.range` rows; page() hands out what is in them. */
    virtual base::Result<void> beginRange(const ReadSize &size) = 0;
    /** The index by which beginHeld() would read; empty: this set can be read as a whole only. */
    virtual QString heldIndex() { return {}; }
    /** Since rewind() rows were left out, as their names are longer than kLongestValue. */
    virtual bool leftOut() const { return false; }
    /**
     * Instead of rewind() and beginRange(): reads in one go what is held, and what had a deadline at
     * `sinceUs` or later; page() hands it out, and the set ends with it. False where that can't be read now,
     * as there are as many of them as a range may have or the store's clock isn't past `sinceUs`: the set is
     * to be read as a whole.
     */
    virtual base::Result<bool> beginHeld(qint64 sinceUs, const ReadSize &size)
    {
        Q_UNUSED(sinceUs)
        Q_UNUSED(size)
        return false;
    }
    /** The next locks of the range. Later ones may be written over `spare`. */
    virtual SetPage page(QList<Observation> spare) = 0;
    /** Reads one lock now, absent ones too; what locks share may be some tenths of a second old. */
    virtual base::Result<SetReading> one(const QByteArray &name) = 0;
    /** The same for a command, which is answered by a reading that was made after it came. */
    virtual base::Result<SetReading> oneAnew(const QByteArray &name) { return one(name); }

    /**
     * The one guarded operation. Calls JobStage::beginWriting() right before the write, and writes nothing
     * where that says no. The key of the order's guard is checked by the worker.
     */
    virtual ReleaseResult release(const ReleaseOrder &order, JobStage &stage) = 0;

    /** How the changes of this set are read from the binary log; empty where they aren't in it. */
    virtual std::optional<binlog::WatchedSet> watched() const { return std::nullopt; }

    /** Who waits for whom, as read by the last scan: told by one set of a source, empty of all others. */
    virtual std::optional<domain::WaitGraph> graph() const { return std::nullopt; }
};

} // namespace lockkeeper::stores::sql
