// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/log_reader.h"
#include "shared/stores/sql/binlog/watched_set.h"

namespace lockkeeper::stores::sql::binlog {

/** The result of one item of the log. */
struct Fed
{
    enum class FeedEvent : quint8 {
        Nothing = 0,
        Changes,  ///< a transaction is visible: `changes`, perhaps none; `from` is where it began
        Blind,    ///< changes may have been missed: `why`
        Altered,  ///< a watched table may have other columns now; `alsoBlind`: and other rows
        NotByRow, ///< a client writes statements instead of rows to the log: `why`
    };
    FeedEvent kind = FeedEvent::Nothing;
    bool alsoBlind = false;
    QList<Change> changes;
    LogPlace from;
    base::Error why;
};

/**
 * Turns the items of a log into a source's changes. Pure. The feed returns a transaction's changes together
 * once it is visible, in their order and only the last of each lock: nobody could see the states in between.
 * A transaction that is rolled back gives nothing; a prepared one (XA) waits for its commit. The memory of a
 * transaction is bounded; a larger one ends as Blind.
 *
 * The time of a change is exact where the server logs the microsecond of the commit (MySQL). Otherwise it is
 * a range: from the second in which the committing statement began to `receivedUs`, when the event had
 * arrived.
 */
class ChangeFeed
{
public:
    static constexpr qint64 kMostBytes = 64LL << 20;

    /** `columns`: by watched set, the index in its shape of each of its columns. `shapeOf`: by watched set.
     */
    ChangeFeed(QList<WatchedSet> sets, QList<QList<int>> columns, QList<int> shapeOf);

    /** Takes the item that LogReader read from an event; `before` is the place where the event began.
     * Unsupported: a row lacks columns. */
    base::Result<Fed> take(LogItem item, const LogPlace &before, qint64 receivedUs);
    /** True between transactions: the reader's place is one to resume at. */
    bool isBetween() const { return !m_open; }

private:
    struct ChangedRow
    {
        qsizetype set = 0; ///< index of the watched set; -1: overwritten within the transaction
        QByteArray name;
        QList<Cell> values; ///< become an observation once the time is known; empty: deleted
    };
    struct PendingRows
    {
        QList<ChangedRow> rows;
        QHash<Subject, qsizetype> last;
        qint64 bytes = 0;
        std::optional<base::Error> unknown; ///< why its changes are unknown
    };

    void begin(const LogItem &item, const LogPlace &before);
    base::Result<void> addRows(const LogItem &item);
    base::Result<void> addRow(qsizetype set, const RowChange &row);
    void add(qsizetype set, const QByteArray &name, QList<Cell> values);
    void keepPrepared(const QByteArray &xid);
    Fed commit(PendingRows pending, const LogItem &item, qint64 receivedUs);
    Fed statement(const LogItem &item, qint64 receivedUs);
    Fed endPrepared(const LogItem &item, qint64 receivedUs);
    void close();

    QList<WatchedSet> m_sets;
    QList<QList<int>> m_columns;
    QList<int> m_shapeOf;
    PendingRows m_pending;
    QHash<QByteArray, PendingRows> m_prepared;
    qint64 m_preparedBytes = 0;
    LogPlace m_from;
    qint64 m_commitUs = 0;
    qint64 m_latestLowUs = 0; ///< transactions are in the order of their commits
    bool m_open = false;
    bool m_explicit = false; ///< ends with a commit, not with its one statement
};

} // namespace lockkeeper::stores::sql::binlog
