// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/event_rows.h"
#include "agent/journal/storage/present_locks.h"
#include "agent/journal/storage/sqlite_connection.h"
#include "shared/domain/sight.h"
#include "shared/events/observed.h"

#include <chrono>
#include <functional>
#include <type_traits>

namespace lockkeeper::agent::journal {

using events::Interval;

inline constexpr qint64 kSlice = 20'000; ///< sequence numbers walked between two checks of the clock
inline constexpr int kRowsBetweenLooks = 4'096;
inline constexpr qsizetype kSeekedLocks =
    500; ///< up to this number, each lock's index range is cheaper than a scan

inline constexpr std::chrono::milliseconds kSoon(100); ///< after this time a page is returned as it is

/** The greatest distance from 1970, so that differences are valid numbers too. */
inline constexpr qint64 kFarthestUs = qint64(1) << 61;

/** Sequence numbers in (low, high]. */
struct SeqRange
{
    qint64 low = 0;
    qint64 high = 0;
};

/** Numbers for SQL's IN. */
QString sqlList(const QList<qint64> &numbers);

/**
 * The context that every question to the journal needs: the reading connection, the time that is left, and
 * the names behind the numbers. Queries walk rows in slices of sequence numbers, so that no single statement
 * runs long. They call checkTime() between the slices: a question has 5 s. Belongs to the reader's thread.
 */
class QueryContext
{
public:
    struct QueriedSource
    {
        QString name;
        QByteArray store;
        qint64 lastSeenUs = 0;
        bool gapOpen = false;
    };
    /** The locks that a question is about; empty optional: all. */
    using LockIds = std::optional<QList<qint64>>;

    QueryContext(SqliteConnection &connection, std::function<bool()> mayGoOn)
        : m_connection(connection), m_mayGoOn(std::move(mayGoOn))
    {
    }

    /** Begins a question that sees only what `sight` allows; `nowUs` is the agent's wall clock. Starts the
     * question's time and reads the sources again. */
    base::Result<void> begin(const domain::Sight &sight, qint64 nowUs);
    /** Fails if something that the question needed couldn't be read. */
    base::Result<void> end() const;
    /** Limits the content of an answer. */
    const domain::Sight &sight() const { return m_sight; }
    qint64 nowUs() const { return m_nowUs; }
    std::chrono::steady_clock::duration elapsed() const { return std::chrono::steady_clock::now() - m_begun; }
    /** Returns Cancelled or Timeout if the question has to end. */
    base::Result<void> checkTime() const;
    const std::function<bool()> &mayGoOn() const { return m_mayGoOn; }

    SqliteConnection &connection() const { return m_connection; }
    /** Runs the statement and calls `visit` for each row, until a row is refused or the time is over. */
    template <typename Visit> base::Result<void> each(SqliteStatement &rows, const Visit &visit) const
    {
        if (!m_connection.run(rows))
            return tl::unexpected(m_connection.error());
        base::Result<void> done;
        for (int looked = 1; done && rows.next(); ++looked) {
            if constexpr (std::is_void_v<std::invoke_result_t<Visit>>)
                visit();
            else
                done = visit();
            if (done && looked % kRowsBetweenLooks == 0)
                done = checkTime();
        }
        rows.finish();
        return done;
    }
    /** Runs the statement and returns the Result of `read` for its first row; empty: no rows. */
    template <typename Read> auto first(SqliteStatement &rows, const Read &read) const
    {
        using Value = typename std::invoke_result_t<Read>::value_type;
        base::Result<std::optional<Value>> found;
        if (!m_connection.run(rows))
            found = tl::unexpected(m_connection.error());
        else if (rows.next())
            found = read();
        rows.finish();
        return found;
    }
    /** Empty if retention has deleted the event. */
    base::Result<std::optional<EventRow>> eventAt(qint64 seq, bool withAfter) const;
    /** When the oldest remaining event was observed; empty: no events. */
    base::Result<std::optional<qint64>> oldestEventUs() const
    {
        return m_connection.firstNumber(m_connection.statement("retain_oldest_event"));
    }
    /** The events that show when a source was observed; `withParts`: those of its parts too. */
    base::Result<QList<events::SourceMark>> marksOf(qint64 sourceId, bool withParts) const;
    /** When the whole source was observed within `range`. `seenUntilUs`: its last observation, if that is
     * newer than the one in the journal. */
    base::Result<QList<Interval>> observedOf(const QString &source, Interval range, qint64 seenUntilUs) const;
    /** All snapshots, the oldest first. Each one ends a segment of the events. */
    base::Result<QList<SnapshotRow>> snapshots() const;
    const QHash<qint64, QueriedSource> &sources() const { return m_sources; }
    base::Result<domain::LockKey> keyOf(qint64 lockId);
    /** The matching locks that this user may see. With a limited sight, a question about all locks gets a
     * list too. */
    base::Result<LockIds> matchingLocks(const QString &source, const QByteArray &glob);
    base::Result<LockIds> exactLock(const domain::LockKey &key);
    /** Adds the names to the event. */
    base::Result<events::LockEvent> complete(EventRow row);

    /** Numbers of the visible sources; with `name`, only of this source. */
    QList<qint64> seenSourceIds(const QString &name) const;

private:
    /** The visible locks. All are read once; later, only new locks are added. */
    struct LocksInSight
    {
        domain::Sight sight;
        qint64 lastLock = 0; ///< lock numbers only grow
        QList<qint64> ids;
    };

    base::Result<LockIds> seenLocks();
    base::Result<void> addMatching(SqliteStatement &rows, const QString &source, const QByteArray &glob,
                                   QList<qint64> &ids);

    SqliteConnection &m_connection;
    std::function<bool()> m_mayGoOn;
    std::chrono::steady_clock::time_point m_begun;
    QHash<qint64, QueriedSource> m_sources;
    domain::Sight m_sight;
    qint64 m_nowUs = 0;
    QList<LocksInSight> m_seen;            ///< the last one used comes first
    QHash<qint64, domain::LockKey> m_keys; ///< lock numbers are never used twice
};

} // namespace lockkeeper::agent::journal
