// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/filter_counts.h"

#include <algorithm>

namespace lockkeeper::app::models {

namespace {
constexpr qsizetype kMostFilters = 32; ///< the bits of a machine word
constexpr int kRowsASecond = 10'000;
constexpr int kRowsATurn = 1'000;
} // namespace

FilterCounts::FilterCounts(const LockModel &model, QObject *parent) : QObject(parent), m_model(model)
{
    connect(&model, &LockModel::rowsTouched, this, &FilterCounts::judgeAll);
    connect(&model, &LockModel::rowsAdded, this, &FilterCounts::judgeAll);
    connect(&model, &LockModel::clockMoved, this, [this] {
        m_left = kRowsASecond;
        passTime();
    });
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &FilterCounts::passTime);
}

void FilterCounts::setFilters(const QList<CountedFilter> &filters)
{
    if (filters == m_filters)
        return;
    m_filters = filters.first(std::min(filters.size(), kMostFilters));
    m_namesAgents = std::any_of(m_filters.cbegin(), m_filters.cend(), [](const CountedFilter &filter) {
        return filter.query.uses(filter::QueryField::Agent);
    });
    m_counts = QList<qint64>(m_filters.size(), 0);
    m_fits.clear();
    for (int row = 0; row < m_model.rowCount(); ++row)
        judge(*m_model.at(row));
    Q_EMIT changed();
}

void FilterCounts::judge(const LockRow &row)
{
    if (row.slot >= m_fits.size())
        m_fits.resize(size_t(row.slot) + 1);
    quint32 fits = 0;
    const domain::LockState state = row.lock.peek();
    replica::LockContext context = m_model.judgedBy(row);
    if (m_namesAgents)
        context.agent = m_model.context(row).agent;
    for (qsizetype i = 0; i < m_filters.size(); ++i) {
        const CountedFilter &filter = m_filters.at(i);
        if (!row.gone && !filter.hidden.contains(row.badge) && matches(filter.query, state, context))
            fits |= 1u << i;
    }
    const quint32 before = std::exchange(m_fits[row.slot], fits);
    for (qsizetype i = 0; before != fits && i < m_filters.size(); ++i)
        m_counts[i] += qint64(fits >> i & 1u) - qint64(before >> i & 1u);
}

void FilterCounts::judgeAll(const QList<const LockRow *> &rows)
{
    const QList<qint64> before = m_counts;
    for (const LockRow *row : rows)
        judge(*row);
    if (m_counts != before)
        Q_EMIT changed();
}

void FilterCounts::passTime()
{
    const bool any = std::any_of(m_filters.cbegin(), m_filters.cend(),
                                 [](const CountedFilter &filter) { return filter.query.dependsOnTime(); });
    if (!any)
        return;
    m_left = std::min(m_left, m_model.rowCount());
    QList<const LockRow *> rows;
    for (; m_left > 0 && rows.size() < kRowsATurn; --m_left) {
        m_next = m_next < m_model.rowCount() ? m_next : 0;
        rows.append(m_model.at(m_next++));
    }
    judgeAll(rows);
    if (m_left > 0)
        m_turn.start(0);
}

} // namespace lockkeeper::app::models
