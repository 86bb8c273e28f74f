// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/holds_model.h"

#include <array>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, HoldColumnCount> kHoldColumns{
    "lock", "owner", "from", "to", "duration", "waited", "end", "by", "renewals", "longest_gap", "source"};
}

class HoldsModel::Private
{
public:
    explicit Private(session::Agents &s) : session(s) {}

    session::Agents &session;
    void ask(const session::Numbers &before);
    void take(const protocol::HoldPage &page, bool older);

    HoldsModel *q = nullptr;
    std::optional<state::HoldsFilter> filter; ///< its query may be of one lock
    session::Numbers oldest;                  ///< ids that were read
    bool hasOlder = false;
    QList<protocol::Hold> rows;
    quint64 request = 0;
    quint64 generation = 0; ///< of the question: an answer to an older one is dropped
    base::Error error;
};

HoldsModel::HoldsModel(session::Agents &session, QObject *parent)
    : RawModel(kHoldColumns, parent), d(std::make_unique<Private>(session))
{
    d->q = this;
}

HoldsModel::~HoldsModel() = default;

int HoldsModel::rows() const
{
    return int(d->rows.size());
}

const protocol::Hold *HoldsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &d->rows[row] : nullptr;
}

void HoldsModel::setLock(const std::optional<domain::LockKey> &key, int limit)
{
    const bool same = key && d->filter && d->filter->query.key == key;
    if (!key) {
        d->filter.reset();
    } else {
        d->filter.emplace();
        d->filter->query.key = key;
        d->filter->query.limit = limit;
    }
    if (!same) {
        beginResetModel();
        d->rows.clear();
        endResetModel();
    }
    refresh();
}

void HoldsModel::setFilter(const state::HoldsFilter &filter)
{
    d->filter = filter;
    beginResetModel();
    d->rows.clear();
    endResetModel();
    refresh();
}

void HoldsModel::show(const QList<protocol::Hold> &holds)
{
    beginResetModel();
    d->rows = holds;
    endResetModel();
}

void HoldsModel::refresh()
{
    if (d->request)
        d->session.cancel(d->request);
    d->request = 0;
    ++d->generation;
    d->hasOlder = false;
    d->oldest.clear();
    if (d->filter)
        d->ask({});
    Q_EMIT stateChanged();
}

void HoldsModel::Private::ask(const session::Numbers &before)
{
    request = session.holds(
        filter->query, q,
        [this, number = generation, older = !before.isEmpty()](const base::Result<protocol::HoldPage> &page) {
            if (number != generation)
                return;
            request = 0;
            error = page ? base::Error() : page.error();
            if (page)
                take(*page, older);
            Q_EMIT q->stateChanged();
        },
        before);
}

void HoldsModel::Private::take(const protocol::HoldPage &page, bool older)
{
    QList<protocol::Hold> fitting;
    for (const protocol::Hold &hold : page.holds) {
        if (matches(filter->rest, hold, session.agentOf(hold.key.source)))
            fitting.append(hold);
    }
    // Without numbers there is no asking for the next page.
    hasOlder = page.more && !page.holds.isEmpty() && !filter->query.key;
    for (const protocol::Hold &hold : page.holds) {
        hasOlder = hasOlder && hold.id > 0;
        oldest.insert(session.labelOf(hold.key.source), quint64(hold.id));
    }
    if (!older) {
        if (fitting != rows) {
            q->beginResetModel();
            rows = fitting;
            q->endResetModel();
        }
    } else if (!fitting.isEmpty()) {
        q->beginInsertRows({}, int(rows.size()), int(rows.size() + fitting.size()) - 1);
        rows.append(fitting);
        q->endInsertRows();
    }
    constexpr qsizetype kEnough = 200; // a view asks at its end only, which few rows don't reach
    if (hasOlder && rows.size() < kEnough)
        ask(oldest);
}

bool HoldsModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && d->hasOlder && !d->request;
}

void HoldsModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        d->ask(d->oldest);
}

bool HoldsModel::isLoading() const
{
    return d->request != 0;
}

base::Error HoldsModel::error() const
{
    return d->error;
}

} // namespace lockkeeper::app::models
