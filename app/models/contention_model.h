// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/session/agents.h"
#include "app/state/query.h"

namespace lockkeeper::app::models {

enum ContentionColumn {
    ContentionLockColumn = 0, ///< QByteArray
    ContentionWaitingColumn,  ///< qint64: microseconds; invalid where the scheme doesn't show who waits
    ContentionWaitsColumn,    ///< qint64, likewise
    ContentionWaitTimeColumn, ///< qint64: the median, microseconds, likewise
    ContentionHoldTimeColumn, ///< qint64: the median, microseconds
    ContentionHandoverColumn, ///< qint64: the median at most, microseconds
    ContentionHeldColumn,     ///< double: share of the observed time, at most
    ContentionChangesColumn,  ///< double: acquisitions a minute of the observed time
    ContentionBeforeColumn,   ///< double: how much more than in the period before; see change()
    ContentionForcedColumn,   ///< qint64
    ContentionSourceColumn,   ///< QString
    ContentionObservedColumn, ///< double: share of the range
    ContentionColumnCount,
};

/** A lock's cost against that of the period before, both by the time that was observed: its waiting, or,
 * where the scheme doesn't show who waits, how often it changed hands. */
struct ContentionChange
{
    enum class Kind : quint8 {
        Unknown = 0, ///< less than half as long was observed then, or the lock may stand past the limit
        New,         ///< it cost nothing then
        Known,
    };
    Kind kind = Kind::Unknown;
    double share = 0;      ///< Known: 0.12 is 12 % more, −1 is none at all any more
    double before = 0;     ///< microseconds of waiting, or acquisitions, then …
    double observedUs = 0; ///< … in so much observed time

    bool operator==(const ContentionChange &) const = default;
};
/** `before` null: the lock isn't in the answer about the period before. `seenUs`: of that period, in which
 * the source was observed. Pure. */
ContentionChange changeOf(const domain::Contention &now, const domain::Contention *before, qint64 seenUs);

/** What one row of the ranking stands for. */
enum class ContentionGrouping : quint8 { None = 0, Place, Source, Waiter };

/** Locks ranked by what they cost in a range of time, as the agent answered last. Sorts by any column; by
 * none it is the agent's own order. In groups, what adds up is added up and what doesn't is left out: no
 * percentile follows from others. GUI thread. */
class ContentionModel : public RawModel
{
    Q_OBJECT

public:
    explicit ContentionModel(session::Agents &session, QObject *parent = nullptr);

    /** What isn't known comes last either way. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /** Null where there is no such row. The key of a group has no name, that of a waiter its own. */
    const domain::Contention *at(int row) const;
    /** How many locks a group's row stands for; 0 where it is a lock's. */
    int locksIn(int row) const;
    void setGrouping(ContentionGrouping grouping);
    ContentionGrouping grouping() const { return m_grouping; }
    /** A filter of scope Ranking; to be asked again by the caller. */
    void setQuery(const state::Query &query) { m_query = query; }
    /** Whether the last answer was filtered. */
    bool isFiltered() const { return !m_query.isEmpty(); }
    /** Whether the filter says more than the agent, which alone knows for what somebody waited, can tell by.
     */
    bool filterIsCut() const;
    qsizetype readLocks() const { return m_page.locks.size() + m_page.waiters.size(); }
    /** Asks for [fromUs, toUs], then for as long before it; an earlier question is taken back. */
    void clear();
    void ask(qint64 fromUs, qint64 toUs);
    /** Against the period before; Unknown until that has been read. */
    ContentionChange change(int row) const;
    void cancel();

    bool isLoading() const { return m_request != 0; }
    /** Whether the last question was answered: where it was taken back no rows say nothing. */
    bool hasRead() const { return m_hasRead; }
    const base::Error &error() const { return m_error; } ///< of the last reading; no cause: none
    qint64 rangeUs() const { return m_page.toUs - m_page.fromUs; }
    qint64 fromUs() const { return m_page.fromUs; }
    qint64 toUs() const { return m_page.toUs; }
    bool hasMore() const { return m_page.more; }

Q_SIGNALS:
    void stateChanged(); ///< loading or error

private:
    int rows() const override { return int(m_order.size()); }
    /** A lock of the answer, or several of them. */
    struct Row
    {
        domain::Contention figures;
        int locks = 0;
    };
    QVariant value(const Row &row, int column) const;
    ContentionChange changeOfRow(const Row &row) const;
    domain::LockKey groupOf(const domain::LockKey &key) const;
    QList<Row> ofWaiters() const;
    QList<Row> gathered(const QList<domain::Contention> &locks) const;
    void took(const base::Result<protocol::ContentionPage> &page);
    void arrange();
    void askBefore();
    void tookBefore(const base::Result<protocol::ContentionPage> &page);

    session::Agents &m_session;
    protocol::ContentionPage m_page;
    protocol::ContentionPage m_before; ///< of the period before
    quint64 m_beforeRequest = 0;
    ContentionGrouping m_grouping = ContentionGrouping::None;
    state::Query m_query{state::QueryScope::Ranking, {}};
    QList<Row> m_rows;  ///< in the agent's order, or by what groups cost
    QList<int> m_order; ///< of m_rows, by row
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    quint64 m_request = 0;
    bool m_hasRead = false;
    base::Error m_error;
};

} // namespace lockkeeper::app::models
