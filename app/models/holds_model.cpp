// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/holds_model.h"

#include "app/records/records.h"

#include <array>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, HoldColumnCount> kHoldColumns{
    "lock", "owner", "from", "to", "duration", "waited", "end", "by", "renewals", "longest_gap", "source"};
}

HoldsModel::HoldsModel(session::AgentGroup &session, QObject *parent)
    : RawModel(kHoldColumns, parent), m_session(session)
{
    connect(&session, &session::AgentGroup::linkChanged, this, [this] {
        const bool failed = !m_error.cause.isEmpty() && m_error.code != base::ErrorCode::Cancelled;
        if (m_filter && failed && m_session.link() == session::LinkState::Live)
            refresh();
    });
}

QJsonObject HoldsModel::record(int row) const
{
    const protocol::Hold *hold = at(row);
    if (!hold)
        return {};
    const QString &source = hold->key.source;
    return records::withAgent(records::holdObject(*hold), m_session.agentOf(source),
                              m_session.labelOf(source));
}

QStringList HoldsModel::recordColumns() const
{
    return records::holdColumns();
}

const protocol::Hold *HoldsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row] : nullptr;
}

void HoldsModel::setLock(const std::optional<domain::LockKey> &key)
{
    const bool same = key && m_filter && m_filter->query.key == key;
    if (!key) {
        m_filter.reset();
    } else {
        m_filter.emplace();
        m_filter->query.key = key;
        m_filter->query.limit = 10;
    }
    if (!same)
        show({});
    refresh();
}

void HoldsModel::setFilter(const filter::HoldsFilter &filter)
{
    m_filter = filter;
    show({});
    refresh();
}

void HoldsModel::show(const QList<protocol::Hold> &holds)
{
    beginResetModel();
    m_rows = holds;
    endResetModel();
}

void HoldsModel::refresh()
{
    if (m_request)
        m_session.cancel(m_request);
    m_request = 0;
    ++m_generation;
    m_hasOlder = false;
    m_oldest.clear();
    if (m_filter)
        ask({});
    Q_EMIT stateChanged();
}

void HoldsModel::cancel()
{
    if (m_request)
        m_session.cancel(m_request);
}

void HoldsModel::ask(const session::Numbers &before)
{
    m_request = m_session.holds(
        m_filter->query, this,
        [this, number = m_generation,
         older = !before.isEmpty()](const base::Result<protocol::HoldPage> &page) {
            if (number != m_generation)
                return;
            m_request = 0;
            m_error = page ? base::Error() : page.error();
            if (page)
                take(*page, older);
            Q_EMIT stateChanged();
        },
        before);
}

void HoldsModel::take(const protocol::HoldPage &page, bool older)
{
    QList<protocol::Hold> fitting;
    for (const protocol::Hold &hold : page.holds) {
        if (matches(m_filter->rest, hold, m_session.agentOf(hold.key.source)))
            fitting.append(hold);
    }
    // Without ids the next page can't be requested.
    m_hasOlder = page.more && !page.holds.isEmpty() && !m_filter->query.key;
    for (const protocol::Hold &hold : page.holds) {
        m_hasOlder = m_hasOlder && hold.id > 0;
        m_oldest.insert(m_session.labelOf(hold.key.source), quint64(hold.id));
    }
    if (!older) {
        if (fitting != m_rows) {
            beginResetModel();
            m_rows = fitting;
            endResetModel();
        }
    } else if (!fitting.isEmpty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + fitting.size()) - 1);
        m_rows.append(fitting);
        endInsertRows();
    }
    constexpr qsizetype kEnough = 200; // a view requests more only at its end, which few rows don't reach
    if (m_hasOlder && m_rows.size() < kEnough)
        ask(m_oldest);
}

bool HoldsModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && m_hasOlder && !m_request;
}

void HoldsModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        ask(m_oldest);
}

} // namespace lockkeeper::app::models
