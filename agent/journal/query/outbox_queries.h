// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "agent/journal/storage/wait_store.h"

namespace lockkeeper::agent::journal {

/** The most that one reading of the outbox returns; a single event may exceed the bytes. */
struct OutboxLimits
{
    int rows = 5'000;
    qint64 bytes = 8 << 20; ///< approximately, of events and locks
};

/** The events of a range of numbers. A number without an event can't be read. */
struct EventRun
{
    QList<EventRow> events; ///< the lowest number first, without names
    qint64 toSeq = 0;       ///< the last number of the range
};

/** A wait that ended. */
struct EndedWait
{
    WaitRow wait;
    qint64 lockId = 0;
    QByteArray waiter;
};

/**
 * Reads the journal's rows as they are, by number, for a receiver that follows the journal. A row that can't
 * be read is left out and logged: it must not block the rows behind it. See QueryContext.
 */
class OutboxQueries
{
public:
    explicit OutboxQueries(QueryContext &context) : m_context(context) {}

    SqliteConnection &connection() const { return m_context.connection(); }
    const QHash<qint64, QueryContext::QueriedSource> &sources() const { return m_context.sources(); }
    qint64 nowUs() const { return m_context.nowUs(); }

    /** The last number that an event has or had; 0: none. */
    base::Result<qint64> newestSeq();
    /** The first event that is left; empty: none. */
    base::Result<std::optional<qint64>> firstSeq();
    /** When the event happened, by the store's clock; 0: the journal doesn't have it, or can't read it. */
    qint64 timeOf(qint64 seq);
    /** Events after number `seq`, up to `newest`. */
    base::Result<EventRun> eventsAfter(qint64 seq, qint64 newest, const OutboxLimits &limits);
    /** Locks with the numbers (low, high], at most `limit`, the lowest number first. A damaged row has an
     * empty name. */
    base::Result<QList<StoredLockRow>> locksBetween(qint64 low, qint64 high, int limit);
    base::Result<qint64> lastLock();
    /** Holds that ended with an event in `range`. */
    base::Result<QList<HoldRow>> holdsEndedIn(SeqRange range);
    /** Waits that ended with an event in `range`. */
    base::Result<QList<EndedWait>> waitsEndedIn(SeqRange range);

private:
    base::Result<void> readRun(SqliteStatement &rows, const OutboxLimits &limits, EventRun &run);
    EventRun skipUnreadable(qint64 seq, qint64 newest);
    /** Fails unless the rows were read to their end, or a page with the rest is damaged. `begun`: the
     * statement ran. */
    base::Result<void> endRows(SqliteStatement &rows, const char *table, bool begun);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
