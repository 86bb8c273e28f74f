// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/watched_set.h"
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/sql_connection.h"
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

/** The size of one reading. */
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

/** The context in which a set is opened. All of it outlives the reader, except the test hooks in `seams`. */
struct SetContext
{
    SqlConnection &connection; ///< shared by the sets of a source
    const SourceSpec &spec;
    const ServerFacts &facts;
    const ReleaseSeams &seams;
    quint16 set = 0; ///< index in SourceSpec::locks
    /** The board that all session sets share; the first of them creates it. Null: the set shares nothing. */
    std::shared_ptr<SessionBoard> *sessions = nullptr;

    const LockSet &lockSet() const { return spec.locks.at(set); }
};

/**
 * One lock set of a SQL source on an open connection: the interface between a scheme and the SqlWorker, which
 * makes one call at a time, in its own thread. Blocking, each call within the source's statement time limit.
 * After an error that means a lost link, the worker closes everything and reports the source as down.
 */
class SetReader
{
public:
    SetReader() = default;
    virtual ~SetReader() = default;
    Q_DISABLE_COPY_MOVE(SetReader)

    /** "database.table", or what stands for it in LockKey::place. */
    virtual QByteArray place() const = 0;
    /** This user's rights in this set, with the statement that grants a missing right. */
    virtual QList<domain::Access> access() = 0;
    /** The reason why some locks can't be seen; without a cause, all can be seen. */
    virtual base::Error warning() const { return {}; }

    /** Called for every set, before a scan reads the first of them. */
    virtual base::Result<void> beginScan() { return {}; }
    /** Starts over at the first lock of the set. */
    virtual void rewind() = 0;
    /** Reads the next `size.range` rows; page() hands out their locks. */
    virtual base::Result<void> beginRange(const ReadSize &size) = 0;
    /** The index by which beginHeld() would read; empty: this set can be read as a whole only. */
    virtual QString heldIndex() { return {}; }
    /** True where rows were left out since rewind(), as their names are longer than kLongestValue. */
    virtual bool leftOut() const { return false; }
    /**
     * Instead of rewind() and beginRange(): reads the held rows, and those that had a deadline at `sinceUs`
     * or later, in one go. page() hands them out, and the set ends with them. False where the whole set must
     * be read: there are as many such rows as a range may have, or the store's clock isn't past `sinceUs`.
     */
    virtual base::Result<bool> beginHeld(qint64 sinceUs, const ReadSize &size)
    {
        Q_UNUSED(sinceUs)
        Q_UNUSED(size)
        return false;
    }
    /** The next locks of the range. Later pages may reuse the memory of `spare`. */
    virtual SetPage page(QList<Observation> spare) = 0;
    /** Reads one lock now, or its absence. A reading that locks share may be some tenths of a second old. */
    virtual base::Result<SetReading> one(const QByteArray &name) = 0;
    /** The same for a command, whose answer needs a reading made after the command arrived. */
    virtual base::Result<SetReading> oneAnew(const QByteArray &name) { return one(name); }

    /**
     * The only guarded operation. Calls JobStage::beginWriting() right before the write, and writes nothing
     * where that returns false. The worker checks the key of the order's guard.
     */
    virtual ReleaseAttempt release(const ReleaseOrder &order, JobStage &stage) = 0;

    /** How the changes of this set are read from the binary log; empty where they aren't in it. */
    virtual std::optional<binlog::WatchedSet> watched() const { return std::nullopt; }

    /** The wait graph as read by the last scan. One set of a source has it; it is empty for all others. */
    virtual std::optional<domain::WaitGraph> graph() const { return std::nullopt; }
};

} // namespace lockkeeper::stores::sql
