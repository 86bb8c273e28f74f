// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/outbox_queries.h"

#include "shared/protocol/weight.h"

#include <QLoggingCategory>

#include <algorithm>

namespace lockkeeper::agent::journal {

Q_LOGGING_CATEGORY(lcOutbox, "lockkeeper.journal")

namespace {

/** Numbers that are tried one by one behind an unreadable event. A damaged page holds fewer rows. */
constexpr qint64 kTriedSingly = 1'024;

} // namespace

base::Result<qint64> OutboxQueries::newestSeq()
{
    return connection()
        .firstNumber(connection().statement("outbox_newest"))
        .map([](std::optional<qint64> seq) { return seq.value_or(0); });
}

base::Result<std::optional<qint64>> OutboxQueries::firstSeq()
{
    return connection().firstNumber(connection().statement("event_bounds"));
}

base::Result<qint64> OutboxQueries::lastLock()
{
    return connection().firstNumber(connection().statement("lock_last")).map([](std::optional<qint64> id) {
        return id.value_or(0);
    });
}

qint64 OutboxQueries::timeOf(qint64 seq)
{
    const auto event = m_context.eventAt(seq, false);
    (void)connection().endReading();
    return event && *event ? (*event)->event.timeUs : 0;
}

base::Result<EventRun> OutboxQueries::eventsAfter(qint64 seq, qint64 newest, const OutboxLimits &limits)
{
    EventRun run;
    run.toSeq = seq;
    // To find the first row beyond a number, SQLite reads the page of that number, which may be damaged.
    SqliteStatement &rows = connection().statement("outbox_events");
    const bool begun = connection().run(rows.bind(seq + 1).bind(qint64(limits.rows)));
    if (begun) {
        if (const auto read = readRun(rows, limits, run); !read)
            return tl::unexpected(read.error());
    }
    const bool whole = connection().endReading() && begun;
    if (whole || run.toSeq > seq)
        return run; // the next reading begins with the row that couldn't be read
    if (!connection().isUnreadable())
        return tl::unexpected(connection().error());
    qCWarning(lcOutbox).noquote() << "events after number" << seq
                                  << "can't be read for forwarding:" << connection().error().line();
    return skipUnreadable(seq, newest);
}

base::Result<void> OutboxQueries::readRun(SqliteStatement &rows, const OutboxLimits &limits, EventRun &run)
{
    qint64 bytes = 0;
    for (int looked = 1; bytes < limits.bytes && rows.next(); ++looked) {
        run.toSeq = rows.integer(0);
        if (auto row = readEvent(rows, true)) {
            bytes += protocol::weightOf(row->event);
            run.events.append(std::move(*row));
        } else {
            qCWarning(lcOutbox).noquote() << "an event isn't forwarded:" << row.error().line();
        }
        if (looked % 512 == 0) {
            if (const auto time = m_context.checkTime(); !time) {
                rows.finish();
                return time;
            }
        }
    }
    rows.finish();
    return {};
}

/** Returns the numbers up to the one before the next readable event, without any event. */
EventRun OutboxQueries::skipUnreadable(qint64 seq, qint64 newest)
{
    EventRun run;
    qint64 step = 1;
    qint64 tried = seq + 1;
    for (; tried < newest; tried += step) {
        const auto event = m_context.eventAt(tried + 1, false);
        (void)connection().endReading();
        if (event && *event)
            break;
        if (tried - seq > kTriedSingly)
            step *= 2;
    }
    run.toSeq = std::min(tried, newest);
    return run;
}

base::Result<void> OutboxQueries::endRows(SqliteStatement &rows, const char *table, bool begun)
{
    rows.finish();
    if (connection().endReading() && begun)
        return {};
    if (!connection().isUnreadable())
        return tl::unexpected(connection().error());
    qCWarning(lcOutbox).noquote() << "some" << table
                                  << "can't be read for forwarding:" << connection().error().line();
    return {};
}

base::Result<QList<StoredLockRow>> OutboxQueries::locksBetween(qint64 low, qint64 high, int limit)
{
    QList<StoredLockRow> locks;
    SqliteStatement &rows = connection().statement("outbox_locks");
    const bool begun = connection().run(rows.bind(low).bind(high).bind(qint64(limit)));
    while (begun && rows.next()) {
        if (auto lock = readLock(rows)) {
            locks.append(std::move(*lock));
        } else {
            qCWarning(lcOutbox).noquote() << "a lock's name isn't forwarded:" << lock.error().line();
            locks.append({rows.integer(0), rows.integer(1), {}});
        }
    }
    return endRows(rows, "locks", begun).map([&locks] { return std::move(locks); });
}

base::Result<QList<HoldRow>> OutboxQueries::holdsEndedIn(SeqRange range)
{
    QList<HoldRow> holds;
    SqliteStatement &rows = connection().statement("outbox_holds");
    const bool begun = connection().run(rows.bind(range.low + 1).bind(range.high));
    while (begun && rows.next()) {
        if (auto hold = readHold(rows))
            holds.append(std::move(*hold));
        else
            qCWarning(lcOutbox).noquote() << "a hold isn't forwarded:" << hold.error().line();
    }
    return endRows(rows, "holds", begun).map([&holds] { return std::move(holds); });
}

base::Result<QList<EndedWait>> OutboxQueries::waitsEndedIn(SeqRange range)
{
    QList<EndedWait> waits;
    SqliteStatement &rows = connection().statement("outbox_waits");
    const bool begun = connection().run(rows.bind(range.low + 1).bind(range.high));
    while (begun && rows.next()) {
        const auto wait = readWait(rows);
        if (!wait)
            qCWarning(lcOutbox).noquote() << "a wait isn't forwarded:" << wait.error().line();
        else if (waits.isEmpty() || waits.constLast().wait.waitId != wait->waitId) // two ends at one time
            waits.append({*wait, rows.integer(1), rows.bytes(2)});
    }
    return endRows(rows, "waits", begun).map([&waits] { return std::move(waits); });
}

} // namespace lockkeeper::agent::journal
