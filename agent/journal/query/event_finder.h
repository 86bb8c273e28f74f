// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QSet>

#include <memory>
#include <vector>

namespace lockkeeper::agent::journal {

/** True if the query names no lock: then it covers the sources' own events too. */
inline bool isAboutAll(const protocol::HistoryQuery &query)
{
    return query.lockGlob.isEmpty() || query.lockGlob == "*";
}

/**
 * Finds the numbers of events that may match a question, in the question's order. If an index lists the
 * events of a command, of rare kinds or of few locks, the finder merges these lists. Otherwise it walks all
 * events in slices. An event that it finds may still not match. For one question. See QueryContext.
 */
class EventFinder
{
public:
    static constexpr qint64 kNone = -1;   ///< no more events
    static constexpr qint64 kNotYet = -2; ///< nothing in the next part: check the clock, and continue

    EventFinder(QueryContext &context, const protocol::HistoryQuery &query, SeqRange range)
        : m_context(context), m_query(query), m_range(range)
    {
    }

    /** Chooses how to search. Called once, before next(). */
    base::Result<void> begin(const QueryContext::LockIds &locks);
    base::Result<qint64> next();
    /** The number up to which all events were checked, in the question's direction. */
    qint64 reached() const { return m_query.descending ? m_range.high + 1 : m_range.low; }
    /** The whole row of the event that next() returned, if it was read already; otherwise null. */
    const SqliteStatement *row() const { return m_rows.get(); }
    /** True if the question wants this lock of an event that next() returned. */
    bool isLockWanted(const std::optional<qint64> &lockId) const
    {
        return m_isAny || (lockId ? m_wanted.contains(*lockId) : m_withSources);
    }

private:
    /** Numbers under one value of an index, read a few at a time. */
    struct List
    {
        size_t statement = 0;
        qint64 value = 0;
        std::vector<qint64> read; ///< the last one is the next
        int atOnce = 1;
    };

    QString ordered(QString sql) const;
    void addLists(const char *name, const QList<qint64> &values);
    base::Result<bool> areFew(const QList<qint64> &kinds);
    base::Result<QueryContext::LockIds> locksOfSource();
    QString walkSql() const;
    base::Result<void> startReading(const char *name, qint64 value);
    base::Result<bool> fill(List &list);
    bool isLater(size_t a, size_t b) const;
    base::Result<void> startMerging();
    void leaveBehind(qint64 seq);
    base::Result<qint64> nextMerged();
    base::Result<void> startSlice();
    base::Result<void> readHolders(SeqRange holds);
    base::Result<bool> isHolderWanted();
    base::Result<qint64> nextWalked();

    QueryContext &m_context;
    const protocol::HistoryQuery &m_query;
    SeqRange m_range;
    std::vector<std::unique_ptr<SqliteStatement>> m_statements;
    std::vector<List> m_lists;
    std::vector<size_t> m_heap;              ///< lists, the list with the next number on top
    std::unique_ptr<SqliteStatement> m_rows; ///< of one list
    std::unique_ptr<SqliteStatement> m_walk; ///< of all events; both null: lists are merged
    SeqRange m_slice;
    bool m_isInSlice = false;
    QHash<qint64, bool> m_holders; ///< for each hold of the slice: its holder matches
    bool m_isAny = true;           ///< any lock is wanted
    bool m_withSources = false;    ///< events of visible sources are wanted too
    QSet<qint64> m_wanted;
};

} // namespace lockkeeper::agent::journal
