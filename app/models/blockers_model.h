// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/raw_model.h"
#include "app/session/agent_group.h"

namespace lockkeeper::app::models {

enum BlockerColumn {
    BlockerNameColumn = 0, ///< QByteArray: the holder or the statement
    BlockerWaitingColumn,  ///< qint64: microseconds that others waited for it
    BlockerShareColumn,    ///< double: share of all waiting in the range; invalid: not known
    BlockerLongestColumn,  ///< qint64: microseconds
    BlockerWaitsColumn,
    BlockerWaitersColumn,
    BlockerLocksColumn,
    BlockerSourceColumn,   ///< QString
    BlockerObservedColumn, ///< double: share of the range
    BlockerColumnCount,
};

/**
 * Holders or statements ranked by the waiting that they caused in a range of time, from the agents' latest
 * answer. Sorts by any column; without a sort column, the costliest comes first. GUI thread.
 */
class BlockersModel : public RawModel
{
    Q_OBJECT

public:
    explicit BlockersModel(session::AgentGroup &session, QObject *parent = nullptr);

    /** Unknown values come last in both directions. */
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    const domain::BlockerCost *at(int row) const; ///< null if the row doesn't exist
    /** The value of a cell, as its column describes it. */
    QVariant value(int row, int column) const { return valueOf(*at(row), column); }
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override;

    /** A filter of scope Ranking; the caller then has to call ask() again. */
    void setQuery(const filter::Query &query) { m_query = query; }
    bool isFiltered() const { return !m_query.isEmpty(); }
    /** True if the filter has terms that the agent can't apply: only names of locks reach it. */
    bool filterIsCut() const;
    /** Requests [fromUs, toUs]; cancels an earlier question. `ranking`: Holder or Statement. */
    void ask(domain::ContentionRanking ranking, qint64 fromUs, qint64 toUs);
    void cancel();
    void clear();

    bool isForStatements() const { return m_ranking == domain::ContentionRanking::Statement; }
    bool isLoading() const { return m_request != 0; }
    bool hasRead() const { return m_hasRead; }           ///< the last question was answered
    const base::Error &error() const { return m_error; } ///< of the last reading; no cause: none
    qint64 fromUs() const { return m_page.fromUs; }
    qint64 toUs() const { return m_page.toUs; }
    bool hasMore() const { return m_page.more; }
    qint64 unattributedUs() const { return m_page.unattributedUs.value_or(0); }
    /** All waiting in the range; empty: unknown, because there are more rows than were read. */
    std::optional<qint64> waitedUs() const;

Q_SIGNALS:
    void stateChanged(); ///< loading or error

private:
    int rows() const override { return int(m_order.size()); }
    QVariant valueOf(const domain::BlockerCost &cost, int column) const;
    void took(const base::Result<protocol::ContentionPage> &page);
    void arrange();

    session::AgentGroup &m_session;
    protocol::ContentionPage m_page;
    domain::ContentionRanking m_ranking = domain::ContentionRanking::Holder;
    domain::ContentionRanking m_asked = domain::ContentionRanking::Holder;
    filter::Query m_query{filter::QueryScope::Ranking, {}};
    QList<int> m_order; ///< of m_page.blockers, by row
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    quint64 m_request = 0;
    int m_question = 0; ///< number of the last question: answers to earlier ones are dropped
    bool m_hasRead = false;
    base::Error m_error;
};

} // namespace lockkeeper::app::models
