// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/contention_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace lockkeeper::app::models {

namespace {

constexpr int kMostLocks = 200;
constexpr int kMostBefore = 1'000; ///< those of now may have stood far below
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

QByteArray contentionColumnName(int column)
{
    return column >= 0 && column < ContentionColumnCount ? QByteArray(kContentionColumns[size_t(column)])
                                                         : QByteArray();
}

ContentionModel::ContentionModel(session::AgentSession &session, QObject *parent)
    : RawModel(parent), m_session(session)
{
}

int ContentionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_order.size());
}

int ContentionModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ContentionColumnCount);
}

const domain::Contention *ContentionModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_page.locks[m_order[row]] : nullptr;
}

void ContentionModel::clear()
{
    cancel();
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
    protocol::ContentionQuery query;
    query.fromUs = fromUs;
    query.toUs = toUs;
    query.limit = kMostLocks;
    m_request = m_session.contention(query, this, [this](const base::Result<protocol::ContentionPage> &page) {
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
    m_beforeRequest = m_session.contention(
        query, this, [this](const base::Result<protocol::ContentionPage> &page) { tookBefore(page); });
}

void ContentionModel::tookBefore(const base::Result<protocol::ContentionPage> &page)
{
    if (!page || page->id != m_beforeRequest)
        return; // what isn't had stays unknown
    m_beforeRequest = 0;
    m_before = *page;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, ContentionBeforeColumn), index(rowCount() - 1, ContentionBeforeColumn));
    if (m_column == ContentionBeforeColumn)
        sort(m_column, m_direction);
}

ContentionChange ContentionModel::change(const domain::Contention &contention) const
{
    const domain::Contention *before = nullptr;
    qint64 seenUs = 0;
    for (const domain::Contention &one : m_before.locks) {
        if (one.key == contention.key)
            before = &one;
        if (one.key.source == contention.key.source)
            seenUs = std::max(seenUs, one.observedUs);
    }
    if (!before && m_before.more)
        return {};
    return changeOf(contention, before, seenUs);
}

ContentionChange changeOf(const domain::Contention &now, const domain::Contention *before, qint64 seenUs)
{
    const auto cost = [&now](const domain::Contention &c) {
        return now.waitersVisible ? double(c.waits.totalUs) : double(c.acquisitions);
    };
    ContentionChange change;
    change.observedUs = double(before ? before->observedUs : seenUs);
    // A short look says little: what was seldom may not have come up in it.
    if (change.observedUs <= 0 || change.observedUs < double(now.observedUs) / 2)
        return change;
    change.before = before ? cost(*before) : 0;
    const double then = change.before / change.observedUs;
    const double today = cost(now) / double(now.observedUs);
    if (then <= 0) {
        change.kind = today > 0 ? ContentionChange::Kind::New : ContentionChange::Kind::Known;
        return change;
    }
    change.kind = ContentionChange::Kind::Known;
    change.share = today / then - 1;
    return change;
}

void ContentionModel::arrange()
{
    m_order.resize(m_page.locks.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_column < 0)
        return;
    std::stable_sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        return isLess(value(m_page.locks.at(a), m_column), value(m_page.locks.at(b), m_column), m_direction);
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

QVariant ContentionModel::value(const domain::Contention &c, int column) const
{
    const bool observed = c.observedUs > 0;
    switch (column) {
    case ContentionLockColumn:
        return c.key.name;
    case ContentionWaitingColumn:
        return c.waitersVisible ? QVariant(c.waits.totalUs) : QVariant();
    case ContentionWaitsColumn:
        return c.waitersVisible ? QVariant(c.waits.count) : QVariant();
    case ContentionWaitTimeColumn:
        return c.waits.count > 0 ? QVariant(c.waits.p50Us) : QVariant();
    case ContentionHoldTimeColumn:
        return c.holds.count > 0 ? QVariant(c.holds.p50Us) : QVariant();
    case ContentionHandoverColumn:
        return c.handoverHigh.count > 0 ? QVariant(c.handoverHigh.p50Us) : QVariant();
    case ContentionHeldColumn:
        return observed ? QVariant(double(c.heldHighUs) / double(c.observedUs)) : QVariant();
    case ContentionChangesColumn:
        return observed ? QVariant(double(c.acquisitions) * 6e7 / double(c.observedUs)) : QVariant();
    case ContentionBeforeColumn: {
        const ContentionChange against = change(c);
        if (against.kind == ContentionChange::Kind::Unknown)
            return {};
        return against.kind == ContentionChange::Kind::New ? std::numeric_limits<double>::infinity()
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

QVariant ContentionModel::raw(const QModelIndex &index, int role) const
{
    const domain::Contention &contention = m_page.locks.at(m_order.at(index.row()));
    if (role == KeyRole)
        return QVariant::fromValue(contention.key);
    return role == ValueRole ? value(contention, index.column()) : QVariant();
}

} // namespace lockkeeper::app::models
