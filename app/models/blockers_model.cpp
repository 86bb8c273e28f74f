// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/blockers_model.h"

#include "app/filter/history_filter.h"
#include "app/records/csv_lines.h"
#include "app/records/records.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lockkeeper::app::models {

namespace {

constexpr int kMostBlockers = 1'000;
constexpr std::array<const char *, BlockerColumnCount> kBlockerColumns{
    "blocker", "waiting", "share", "longest", "waits", "waiters", "locks", "source", "observed"};

} // namespace

BlockersModel::BlockersModel(session::AgentGroup &session, QObject *parent)
    : RawModel(kBlockerColumns, parent), m_session(session)
{
}

const domain::BlockerCost *BlockersModel::at(int row) const
{
    return row >= 0 && row < m_order.size() ? &m_page.blockers.at(m_order.at(row)) : nullptr;
}

QJsonObject BlockersModel::record(int row) const
{
    const domain::BlockerCost *cost = at(row);
    if (!cost)
        return {};
    return records::withAgent(records::blockerObject(*cost, m_page), m_session.agentOf(cost->source),
                              m_session.labelOf(cost->source));
}

QStringList BlockersModel::recordColumns() const
{
    return records::blockerColumns();
}

bool BlockersModel::filterIsCut() const
{
    return !filter::historyFilter(m_query).exact;
}

std::optional<qint64> BlockersModel::waitedUs() const
{
    if (m_page.more || !m_page.unattributedUs)
        return {};
    return std::accumulate(m_page.blockers.cbegin(), m_page.blockers.cend(), *m_page.unattributedUs,
                           [](qint64 sum, const domain::BlockerCost &cost) { return sum + cost.totalUs; });
}

void BlockersModel::ask(domain::ContentionRanking ranking, qint64 fromUs, qint64 toUs)
{
    cancel();
    m_hasRead = false;
    m_asked = ranking;
    protocol::ContentionQuery query;
    query.ranking = ranking;
    query.fromUs = fromUs;
    query.toUs = toUs;
    query.limit = kMostBlockers;
    query.lockGlob = filter::historyFilter(m_query).query.lockGlob;
    const auto answered = [this, number = ++m_question](const base::Result<protocol::ContentionPage> &page) {
        if (number == m_question)
            took(page);
    };
    m_request = m_session.ask(query, this, answered);
    Q_EMIT stateChanged();
}

void BlockersModel::cancel()
{
    if (const quint64 id = std::exchange(m_request, 0))
        m_session.cancel(id);
}

void BlockersModel::clear()
{
    cancel();
    ++m_question;
    m_hasRead = false;
    m_error = {};
    beginResetModel();
    m_page = {};
    arrange();
    endResetModel();
    Q_EMIT stateChanged();
}

void BlockersModel::took(const base::Result<protocol::ContentionPage> &page)
{
    m_request = 0;
    if (!page && page.error().code == base::ErrorCode::Cancelled) {
        Q_EMIT stateChanged();
        return;
    }
    m_error = page ? base::Error() : page.error();
    m_hasRead = page.has_value();
    if (page) {
        beginResetModel();
        m_page = *page;
        m_ranking = m_asked;
        arrange();
        endResetModel();
    }
    Q_EMIT stateChanged();
}

QVariant BlockersModel::valueOf(const domain::BlockerCost &cost, int column) const
{
    switch (column) {
    case BlockerNameColumn:
        return isForStatements() ? cost.statement : cost.holder;
    case BlockerWaitingColumn:
        return cost.totalUs;
    case BlockerShareColumn: {
        const auto all = waitedUs();
        return all && *all > 0 ? QVariant(double(cost.totalUs) / double(*all)) : QVariant();
    }
    case BlockerLongestColumn:
        return cost.maxUs;
    case BlockerWaitsColumn:
        return cost.waits;
    case BlockerWaitersColumn:
        return cost.waiters;
    case BlockerLocksColumn:
        return cost.locks;
    case BlockerSourceColumn:
        return cost.source;
    case BlockerObservedColumn:
        return toUs() > fromUs() ? QVariant(double(cost.observedUs) / double(toUs() - fromUs())) : QVariant();
    default:
        return {};
    }
}

void BlockersModel::arrange()
{
    m_order.resize(m_page.blockers.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_column < 0)
        return;
    std::stable_sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        const QVariant one = valueOf(m_page.blockers.at(a), m_column);
        const QVariant other = valueOf(m_page.blockers.at(b), m_column);
        if (!one.isValid() || !other.isValid())
            return one.isValid() && !other.isValid();
        const auto result = QVariant::compare(one, other);
        return m_direction == Qt::AscendingOrder ? result == QPartialOrdering::Less
                                                 : result == QPartialOrdering::Greater;
    });
}

void BlockersModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QList<int> before = m_order;
    m_column = column;
    m_direction = order;
    arrange();
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &index : from)
        to.append(createIndex(int(m_order.indexOf(before.at(index.row()))), index.column()));
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace lockkeeper::app::models
