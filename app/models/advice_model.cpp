// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/advice_model.h"

#include "app/records/csv_lines.h"
#include "app/records/records.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lockkeeper::app::models {

namespace {

constexpr std::array<const char *, AdviceColumnCount> kAdviceColumns{"advice",   "lock",   "confidence",
                                                                     "evidence", "change", "source"};

bool comesBefore(const domain::Advice &a, const domain::Advice &b, int column)
{
    switch (column) {
    case AdviceTitleColumn:
        return a.code < b.code;
    case AdviceLockColumn:
        return a.lock.name < b.lock.name;
    case AdviceConfidenceColumn:
        return a.confidence > b.confidence;
    case AdviceSourceColumn:
        return a.lock.source < b.lock.source;
    default:
        return false; // sentences have no order
    }
}

} // namespace

AdviceModel::AdviceModel(session::AgentGroup &session, QObject *parent)
    : RawModel(kAdviceColumns, parent), m_session(session)
{
}

const domain::Advice *AdviceModel::at(int row) const
{
    return row >= 0 && row < m_order.size() ? &m_page.advice.at(m_order.at(row)) : nullptr;
}

QJsonObject AdviceModel::record(int row) const
{
    const domain::Advice *advice = at(row);
    if (!advice)
        return {};
    const QString label = m_session.labelOf(advice->lock.source);
    return records::withAgent(records::adviceObject(*advice, m_page), m_session.agentOf(advice->lock.source),
                              label);
}

QStringList AdviceModel::recordColumns() const
{
    return records::adviceColumns();
}

void AdviceModel::ask(qint64 fromUs, qint64 toUs)
{
    if (m_request != 0)
        m_session.cancel(std::exchange(m_request, 0));
    protocol::AdviceQuery query;
    query.fromUs = fromUs;
    query.toUs = toUs;
    const auto answered = [this, number = ++m_question](const base::Result<protocol::AdvicePage> &page) {
        if (number == m_question)
            take(page);
    };
    m_request = m_session.ask(query, this, answered);
    Q_EMIT stateChanged();
}

void AdviceModel::cancel()
{
    if (m_request != 0)
        m_session.cancel(m_request);
}

void AdviceModel::take(const base::Result<protocol::AdvicePage> &page)
{
    m_request = 0;
    m_error = page ? base::Error() : page.error();
    m_hasRead = page.has_value();
    if (page) {
        beginResetModel();
        m_page = *page;
        arrange();
        endResetModel();
    }
    Q_EMIT stateChanged();
}

void AdviceModel::arrange()
{
    m_order.resize(m_page.advice.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_column < 0)
        return;
    std::stable_sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        if (m_direction == Qt::DescendingOrder)
            std::swap(a, b);
        return comesBefore(m_page.advice.at(a), m_page.advice.at(b), m_column);
    });
}

void AdviceModel::sort(int column, Qt::SortOrder order)
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
