// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/contention_meter.h"
#include "agent/journal/event_rows.h"
#include "agent/journal/hold_rows.h"
#include "shared/protocol/messages.h"

#include <QSet>

#include <chrono>
#include <functional>

namespace lockkeeper::agent::journal {

class PageLimit;

inline constexpr qint64 kSlice = 20'000; ///< sequence numbers walked between two looks at the clock
inline constexpr qsizetype kSeekedLocks =
    500; ///< up to here each lock's own index range is cheaper than a scan

/**
 * The questions to a journal, answered from one reading connection. Each walks the rows in slices of sequence
 * numbers, so that no single statement runs long, and asks between them whether it may go on and whether its
 * time (5 s) is up: it then answers with what it has and `more`, or with Timeout where that is nothing. Not
 * thread-safe.
 */
class Queries
{
public:
    Queries(Connection &connection, QString headFile, std::function<bool()> mayGoOn)
        : m_connection(connection), m_headFile(std::move(headFile)), m_mayGoOn(std::move(mayGoOn))
    {
    }

    base::Result<protocol::EventPage> history(const protocol::HistoryQuery &query);
    base::Result<protocol::EventPage> replay(quint64 afterSeq, int limit);
    base::Result<protocol::HoldPage> holds(const protocol::HoldsQuery &query);
    base::Result<protocol::AuditPage> audit(const protocol::AuditQuery &query, qint64 nowUs);
    /**
     * The locks that were waited for or changed hands in the range: by the waiting in it, then by how often.
     * `nowUs` ends a range without an end; `seenUntil` is what the journal doesn't know yet of sources' last
     * observations.
     */
    base::Result<protocol::ContentionPage> contention(const protocol::ContentionQuery &query, qint64 nowUs,
                                                      const SeenUntil &seenUntil);

private:
    struct Source
    {
        QString name;
        QByteArray store;
        qint64 lastSeenUs = 0;
    };
    /** Which locks are asked for; empty optional: all. */
    using LockIds = std::optional<QList<qint64>>;
    struct Range
    {
        qint64 low = 0;
        qint64 high = 0;
    }; ///< (low, high]

    void startTimer();
    /** Cancelled or Timeout, where it has to end. */
    base::Result<void> checkTime() const;

    base::Result<void> readSources();
    QString sourceList(const QString &name) const;
    base::Result<domain::LockKey> keyOf(qint64 lockId);
    base::Result<LockIds> matchingLocks(const QString &source, const QByteArray &glob);
    base::Result<LockIds> exactLock(const domain::LockKey &key);
    base::Result<void> addMatching(Statement &rows, const QString &source, const QByteArray &glob,
                                   QList<qint64> &ids);
    base::Result<events::LockEvent> complete(EventRow row);
    base::Result<Range> eventRange(const protocol::HistoryQuery &query, protocol::EventPage &page);
    QString historySql(const protocol::HistoryQuery &query, const LockIds &locks) const;
    base::Result<void> historySlice(Statement &statement, const protocol::HistoryQuery &query, Range slice,
                                    PageLimit &room, protocol::EventPage &page);
    base::Result<bool> holdSlice(Statement &statement, Range slice, const protocol::HoldsQuery &query,
                                 const LockIds &locks, PageLimit &room, protocol::HoldPage &page);
    base::Result<void> auditEntries(qint64 beforeId, int limit, protocol::AuditPage &page);

    struct Rank;
    using Ranks = QHash<qint64, Rank>; ///< by lock
    using Observed = QList<Interval>;
    base::Result<void> rankHolds(Interval range, Ranks &ranks);
    base::Result<void> rankWaits(Interval range, Ranks &ranks);
    /** Where the slice from `low` on ends, exclusive: some 100,000 rows of what `bound` walks. */
    base::Result<qint64> sliceEnd(const char *bound, qint64 low, qint64 toUs);
    base::Result<void> addRanked(const protocol::ContentionQuery &query, Interval range,
                                 const SeenUntil &seenUntil, const Ranks &ranks, const QList<qint64> &order,
                                 protocol::ContentionPage &page);
    static QList<qint64> ranking(const Ranks &ranks, const LockIds &wanted);
    base::Result<Observed> observedOf(const QString &source, Interval range, qint64 seenUntilUs);
    base::Result<qint64> firstHoldFor(qint64 lockId, qint64 firstEnded, qint64 fromUs);
    base::Result<void> feedHolds(qint64 lockId, const Rank &rank, Interval range, ContentionMeter &meter);
    base::Result<void> feedWaits(qint64 lockId, const Rank &rank, ContentionMeter &meter);
    base::Result<bool> showedWaiters(qint64 lockId);
    base::Result<domain::Contention> contentionOf(qint64 lockId, const Rank &rank, Interval range,
                                                  const Observed &observed);
    base::Result<void> addContention(qint64 lockId, const Rank &rank, Interval range,
                                     const SeenUntil &seenUntil, QHash<QString, Observed> &observed,
                                     protocol::ContentionPage &page);

    Connection &m_connection;
    QString m_headFile;
    std::function<bool()> m_mayGoOn;
    std::chrono::steady_clock::time_point m_deadline;
    QHash<qint64, Source> m_sources;
    QHash<qint64, domain::LockKey> m_keys; ///< lock numbers are never used twice
};

} // namespace lockkeeper::agent::journal
