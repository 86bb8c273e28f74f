// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/raw_model.h"
#include "app/records/csv_lines.h"
#include "app/session/agent_group.h"

namespace lockkeeper::app::models {

enum ContentionColumn {
    ContentionLockColumn = 0, ///< QByteArray
    ContentionWaitingColumn,  ///< qint64: microseconds; invalid if the scheme doesn't show waiters
    ContentionWaitsColumn,    ///< qint64, likewise
    ContentionWaitTimeColumn, ///< qint64: the median, microseconds, likewise
    ContentionHoldTimeColumn, ///< qint64: the median, microseconds
    ContentionHandoverColumn, ///< qint64: upper bound of the median, microseconds
    ContentionHeldColumn,     ///< double: share of the observed time, at most
    ContentionChangesColumn,  ///< double: acquisitions a minute of the observed time
    ContentionBeforeColumn,   ///< double: how much more than in the period before; see change()
    ContentionForcedColumn,   ///< qint64
    ContentionSourceColumn,   ///< QString
    ContentionObservedColumn, ///< double: share of the range
    ContentionColumnCount,
};

/**
 * A lock's cost compared with the period before, both relative to the observed time. The cost is the waiting
 * time, or the number of acquisitions if the scheme doesn't show waiters.
 */
struct ContentionChange
{
    enum class CostTrend : quint8 {
        Unknown = 0, ///< less than half as much was observed then, or the lock may be past the limit
        New,         ///< no cost then
        Known,
    };
    CostTrend kind = CostTrend::Unknown;
    double share = 0;      ///< Known: 0.12 is 12 % more, −1 is a drop to zero
    double before = 0;     ///< microseconds of waiting, or acquisitions, then …
    double observedUs = 0; ///< … in so much observed time

    bool operator==(const ContentionChange &) const = default;
};
/**
 * `before` null: the lock isn't in the answer about the period before. `seenUs`: the time in that period
 * during which the source was observed. Pure.
 */
ContentionChange changeOf(const domain::Contention &now, const domain::Contention *before, qint64 seenUs);

/** The grouping of the ranking: one row per lock, place, source or waiter. */
enum class ContentionGrouping : quint8 { None = 0, Place, Source, Waiter };

/**
 * Locks ranked by their cost in a range of time, from the agent's latest answer. Sorts by any column; without
 * a sort column, the agent's order applies. In groups, sums are added up and other values are left out,
 * because a percentile can't be derived from others. GUI thread.
 */
class ContentionModel : public RawModel
{
    Q_OBJECT

public:
    explicit ContentionModel(session::AgentGroup &session, QObject *parent = nullptr);

    /** Unknown values come last in both directions. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /**
     * Null if the row doesn't exist. The key of a group has no name; the key of a waiter has the waiter's
     * name.
     */
    const domain::Contention *at(int row) const;
    /** The number of locks in a group's row; 0 for the row of a lock. */
    int locksIn(int row) const;
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override { return records::contentionColumns(); }
    void setGrouping(ContentionGrouping grouping);
    ContentionGrouping grouping() const { return m_grouping; }
    /** A filter of scope Ranking; the caller then has to call ask() again. */
    void setQuery(const filter::Query &query) { m_query = query; }
    /** True if the last answer was filtered. */
    bool isFiltered() const { return !m_query.isEmpty(); }
    /**
     * True if the filter has terms that the agent can't apply to waiters: only the agent knows the locks that
     * they waited for.
     */
    bool filterIsCut() const;
    qsizetype readLocks() const { return m_page.locks.size() + m_page.waiters.size(); }
    /** Requests [fromUs, toUs], then an equally long period before it; cancels an earlier question. */
    void clear();
    void ask(qint64 fromUs, qint64 toUs);
    /** The change from the period before; Unknown until that period has been read. */
    ContentionChange change(int row) const;
    void cancel();

    bool isLoading() const { return m_request != 0; }
    /** True if the last question was answered: if it was cancelled, the absence of rows means nothing. */
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
    struct ContentionRow
    {
        domain::Contention figures;
        int locks = 0;
    };
    QVariant value(const ContentionRow &row, int column) const;
    ContentionChange changeOfRow(const ContentionRow &row) const;
    domain::LockKey groupOf(const domain::LockKey &key) const;
    QList<ContentionRow> ofWaiters() const;
    QList<ContentionRow> gathered(const QList<domain::Contention> &locks) const;
    void took(const base::Result<protocol::ContentionPage> &page);
    void arrange();
    void askBefore();
    void tookBefore(const base::Result<protocol::ContentionPage> &page);

    session::AgentGroup &m_session;
    protocol::ContentionPage m_page;
    protocol::ContentionPage m_before; ///< of the period before
    quint64 m_beforeRequest = 0;
    ContentionGrouping m_grouping = ContentionGrouping::None;
    filter::Query m_query{filter::QueryScope::Ranking, {}};
    QList<ContentionRow> m_rows; ///< in the agent's order, or groups by cost
    QList<int> m_order;          ///< of m_rows, by row
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    quint64 m_request = 0;
    bool m_hasRead = false;
    base::Error m_error;
};

} // namespace lockkeeper::app::models
