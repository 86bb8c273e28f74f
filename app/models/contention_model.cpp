// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/contention_model.h"

#include "app/filter/history_filter.h"
#include "app/records/records.h"
#include "shared/base/text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

namespace lockkeeper::app::models {

namespace {

constexpr int kMostLocks = 200;
constexpr int kMostGathered = 1'000; ///< with a filter or groups, which reduce the rows
constexpr int kMostBefore = 1'000;   ///< the current top locks may have ranked far lower then
constexpr std::array<const char *, ContentionColumnCount> kContentionColumns{
    "lock", "waiting", "waits",  "wait_time", "hold_time", "handover",
    "held", "changes", "before", "forced",    "source",    "observed"};

/** Invalid values last. */
bool isLess(const QVariant &a, const QVariant &b, Qt::SortOrder order)
{
    if (!a.isValid() || !b.isValid())
        return a.isValid() && !b.isValid();
    const auto result = QVariant::compare(a, b);
    return order == Qt::AscendingOrder ? result == QPartialOrdering::Less
                                       : result == QPartialOrdering::Greater;
}

} // namespace

ContentionModel::ContentionModel(session::AgentGroup &session, QObject *parent)
    : RawModel(kContentionColumns, parent), m_session(session)
{
}

const domain::Contention *ContentionModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[m_order[row]].figures : nullptr;
}

int ContentionModel::locksIn(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows.at(m_order.at(row)).locks : 0;
}

/** Sums have no percentiles and no shares. Of a waiter only the waits are known. */
QJsonObject ContentionModel::record(int row) const
{
    const domain::Contention *figures = at(row);
    if (!figures)
        return {};
    QJsonObject record = records::contentionObject(*figures, m_page);
    if (const int locks = locksIn(row); locks > 0) {
        for (const char *member :
             {"lock", "scheme", "wait_p50_us", "wait_p95_us", "hold_p50_us", "hold_p95_us", "handovers",
              "handover_p50_low_us", "handover_p50_high_us", "handover_p95_low_us", "handover_p95_high_us",
              "held_share_low", "held_share_high"})
            record.insert(QLatin1String(member), QJsonValue());
        if (m_grouping != ContentionGrouping::Place)
            record.insert(QStringLiteral("place"), QJsonValue());
        if (m_grouping == ContentionGrouping::Waiter) {
            record.insert(QStringLiteral("waiter"), base::textOf(figures->key.name));
            for (const char *member :
                 {"acquisitions", "takeovers", "expiries", "forced", "hold_max_us", "changes_per_minute"})
                record.insert(QLatin1String(member), QJsonValue());
        }
        record.insert(QStringLiteral("locks"), locks);
    }
    const QString &source = figures->key.source;
    return records::withAgent(std::move(record), m_session.agentOf(source), m_session.labelOf(source));
}

void ContentionModel::setGrouping(ContentionGrouping grouping)
{
    m_grouping = grouping;
    beginResetModel();
    arrange();
    endResetModel();
    Q_EMIT stateChanged();
}

domain::LockKey ContentionModel::groupOf(const domain::LockKey &key) const
{
    if (m_grouping == ContentionGrouping::Source)
        return {key.source, {}, {}, {}};
    const qsizetype slash = key.place.indexOf('/'); // a row lock's place has the index after the table
    return {key.source, key.scheme, slash < 0 ? key.place : key.place.left(slash), {}};
}

bool ContentionModel::filterIsCut() const
{
    return m_grouping == ContentionGrouping::Waiter && !filter::historyFilter(m_query).exact;
}

QList<ContentionModel::ContentionRow> ContentionModel::ofWaiters() const
{
    QList<ContentionRow> rows;
    for (const domain::WaiterCost &cost : m_page.waiters) {
        ContentionRow row;
        row.figures.key = {cost.source, {}, {}, cost.waiter};
        row.figures.waitersVisible = true;
        row.figures.waits = {cost.waits, cost.totalUs, 0, 0, cost.maxUs};
        row.figures.observedUs = cost.observedUs;
        row.locks = int(cost.locks);
        rows.append(row);
    }
    return rows;
}

/** The locks that match the filter, or their groups: the most expensive first, as the agent ranks locks. */
QList<ContentionModel::ContentionRow> ContentionModel::gathered(const QList<domain::Contention> &locks) const
{
    QList<ContentionRow> rows;
    QHash<domain::LockKey, qsizetype> groups;
    for (const domain::Contention &lock : locks) {
        if (!matches(m_query, lock.key))
            continue;
        if (m_grouping == ContentionGrouping::None) {
            rows.append({lock, 0});
            continue;
        }
        const domain::LockKey key = groupOf(lock.key);
        if (!groups.contains(key)) {
            groups.insert(key, rows.size());
            rows.append(ContentionRow{});
            rows.last().figures.key = key;
        }
        ContentionRow &row = rows[groups.value(key)];
        domain::Contention &sum = row.figures;
        ++row.locks;
        sum.waitersVisible = sum.waitersVisible || lock.waitersVisible;
        sum.acquisitions += lock.acquisitions;
        sum.takeovers += lock.takeovers;
        sum.expiries += lock.expiries;
        sum.forced += lock.forced;
        sum.observedUs = std::max(sum.observedUs, lock.observedUs);
        sum.waits.count += lock.waits.count;
        sum.waits.totalUs += lock.waits.totalUs;
        sum.waits.maxUs = std::max(sum.waits.maxUs, lock.waits.maxUs);
        sum.holds.maxUs = std::max(sum.holds.maxUs, lock.holds.maxUs);
    }
    if (m_grouping != ContentionGrouping::None)
        std::stable_sort(rows.begin(), rows.end(), [](const ContentionRow &a, const ContentionRow &b) {
            return std::tuple(a.figures.waits.totalUs, a.figures.acquisitions) >
                   std::tuple(b.figures.waits.totalUs, b.figures.acquisitions);
        });
    return rows;
}

void ContentionModel::clear()
{
    cancel();
    m_hasRead = false;
    beginResetModel();
    m_page = {};
    m_before = {};
    m_error = {};
    arrange();
    endResetModel();
    Q_EMIT stateChanged();
}

void ContentionModel::ask(qint64 fromUs, qint64 toUs)
{
    cancel();
    m_hasRead = false;
    protocol::ContentionQuery query;
    query.fromUs = fromUs;
    query.toUs = toUs;
    const bool fewer = m_grouping != ContentionGrouping::None || !m_query.isEmpty();
    query.limit = fewer ? kMostGathered : kMostLocks;
    query.ranking = m_grouping == ContentionGrouping::Waiter ? domain::ContentionRanking::Waiter
                                                             : domain::ContentionRanking::Lock;
    query.lockGlob = filter::historyFilter(m_query).query.lockGlob;
    m_request = m_session.ask(query, this, [this](const base::Result<protocol::ContentionPage> &page) {
        if (page && page->id != m_request)
            return; // an answer to an old question
        took(page);
    });
    Q_EMIT stateChanged();
}

void ContentionModel::cancel()
{
    if (const quint64 id = std::exchange(m_request, 0))
        m_session.cancel(id);
    if (const quint64 id = std::exchange(m_beforeRequest, 0))
        m_session.cancel(id);
}

void ContentionModel::took(const base::Result<protocol::ContentionPage> &page)
{
    if (!page && page.error().code == base::ErrorCode::Cancelled) {
        Q_EMIT stateChanged();
        return;
    }
    m_request = 0;
    m_error = page ? base::Error() : page.error();
    m_hasRead = page.has_value();
    if (page) {
        beginResetModel();
        m_page = *page;
        m_before = {};
        arrange();
        endResetModel();
        askBefore();
    }
    Q_EMIT stateChanged();
}

void ContentionModel::askBefore()
{
    if (m_page.locks.isEmpty())
        return;
    protocol::ContentionQuery query;
    query.fromUs = m_page.fromUs - rangeUs();
    query.toUs = m_page.fromUs;
    query.limit = kMostBefore;
    query.lockGlob = filter::historyFilter(m_query).query.lockGlob;
    m_beforeRequest = m_session.ask(
        query, this, [this](const base::Result<protocol::ContentionPage> &page) { tookBefore(page); });
}

void ContentionModel::tookBefore(const base::Result<protocol::ContentionPage> &page)
{
    if (!page || page->id != m_beforeRequest)
        return; // missing values stay unknown
    m_beforeRequest = 0;
    m_before = *page;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, ContentionBeforeColumn), index(rowCount() - 1, ContentionBeforeColumn));
    if (m_column == ContentionBeforeColumn)
        sort(m_column, m_direction);
}

ContentionChange ContentionModel::change(int row) const
{
    return row >= 0 && row < rowCount() ? changeOfRow(m_rows.at(m_order.at(row))) : ContentionChange();
}

ContentionChange ContentionModel::changeOfRow(const ContentionRow &row) const
{
    if (m_grouping == ContentionGrouping::Waiter)
        return {};
    const domain::LockKey &key = row.figures.key;
    QList<domain::Contention> then;
    qint64 seenUs = 0;
    for (const domain::Contention &one : m_before.locks) {
        if (row.locks > 0 ? groupOf(one.key) == key : one.key == key)
            then.append(one);
        if (one.key.source == key.source)
            seenUs = std::max(seenUs, one.observedUs);
    }
    // A sum of some of a group's locks says nothing of the others.
    if (m_before.more && (then.isEmpty() || row.locks > 0))
        return {};
    if (m_page.more && row.locks > 0)
        return {};
    const QList<ContentionRow> before = gathered(then);
    return changeOf(row.figures, before.isEmpty() ? nullptr : &before.first().figures, seenUs);
}

ContentionChange changeOf(const domain::Contention &now, const domain::Contention *before, qint64 seenUs)
{
    const auto cost = [&now](const domain::Contention &c) {
        return now.waitersVisible ? double(c.waits.totalUs) : double(c.acquisitions);
    };
    ContentionChange change;
    change.observedUs = double(before ? before->observedUs : seenUs);
    // A short observation proves little: rare events may be missing from it.
    if (change.observedUs <= 0 || change.observedUs < double(now.observedUs) / 2)
        return change;
    change.before = before ? cost(*before) : 0;
    const double then = change.before / change.observedUs;
    const double today = cost(now) / double(now.observedUs);
    if (then <= 0) {
        change.kind = today > 0 ? ContentionChange::CostTrend::New : ContentionChange::CostTrend::Known;
        return change;
    }
    change.kind = ContentionChange::CostTrend::Known;
    change.share = today / then - 1;
    return change;
}

void ContentionModel::arrange()
{
    m_rows = m_grouping == ContentionGrouping::Waiter ? ofWaiters() : gathered(m_page.locks);
    m_order.resize(m_rows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_column < 0)
        return;
    std::stable_sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        return isLess(value(m_rows.at(a), m_column), value(m_rows.at(b), m_column), m_direction);
    });
}

void ContentionModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QList<int> before = m_order;
    m_column = column;
    m_direction = order;
    arrange();
    QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &index : std::as_const(from))
        to.append(createIndex(int(m_order.indexOf(before.at(index.row()))), index.column()));
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

QVariant ContentionModel::value(const ContentionRow &row, int column) const
{
    const domain::Contention &c = row.figures;
    const bool observed = c.observedUs > 0;
    if (m_grouping == ContentionGrouping::Waiter &&
        (column == ContentionChangesColumn || column == ContentionForcedColumn))
        return {};
    switch (column) {
    case ContentionLockColumn:
        return c.key.name.isEmpty() ? c.key.place : c.key.name;
    case ContentionWaitingColumn:
        return c.waitersVisible ? QVariant(c.waits.totalUs) : QVariant();
    case ContentionWaitsColumn:
        return c.waitersVisible ? QVariant(c.waits.count) : QVariant();
    case ContentionWaitTimeColumn:
        return c.waits.count > 0 && row.locks == 0 ? QVariant(c.waits.p50Us) : QVariant();
    case ContentionHoldTimeColumn:
        return c.holds.count > 0 ? QVariant(c.holds.p50Us) : QVariant();
    case ContentionHandoverColumn:
        return c.handoverHigh.count > 0 ? QVariant(c.handoverHigh.p50Us) : QVariant();
    case ContentionHeldColumn:
        return observed && row.locks == 0 ? QVariant(double(c.heldHighUs) / double(c.observedUs))
                                          : QVariant();
    case ContentionChangesColumn:
        return observed ? QVariant(double(c.acquisitions) * 6e7 / double(c.observedUs)) : QVariant();
    case ContentionBeforeColumn: {
        const ContentionChange against = changeOfRow(row);
        if (against.kind == ContentionChange::CostTrend::Unknown)
            return {};
        return against.kind == ContentionChange::CostTrend::New ? std::numeric_limits<double>::infinity()
                                                                : against.share;
    }
    case ContentionForcedColumn:
        return c.forced;
    case ContentionSourceColumn:
        return c.key.source;
    case ContentionObservedColumn:
        return rangeUs() > 0 ? QVariant(double(c.observedUs) / double(rangeUs())) : QVariant();
    default:
        return {};
    }
}

} // namespace lockkeeper::app::models
