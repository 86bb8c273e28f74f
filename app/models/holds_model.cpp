// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/holds_model.h"

#include <array>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, HoldColumnCount> kHoldColumns{
    "owner", "from", "to", "duration", "end", "renewals", "longest_gap"};
}

QByteArray holdColumnName(int column)
{
    return column >= 0 && column < HoldColumnCount ? QByteArray(kHoldColumns[size_t(column)]) : QByteArray();
}

class HoldsModel::Private
{
public:
    explicit Private(session::AgentSession &s) : session(s) {}

    session::AgentSession &session;
    std::optional<domain::LockKey> key;
    int limit = 10;
    QList<protocol::Hold> rows;
    quint64 request = 0;
    quint64 generation = 0; ///< of the question: an answer to an older one is dropped
    base::Error error;
};

HoldsModel::HoldsModel(session::AgentSession &session, QObject *parent)
    : RawModel(parent), d(std::make_unique<Private>(session))
{
}

HoldsModel::~HoldsModel() = default;

int HoldsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(d->rows.size());
}

int HoldsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(HoldColumnCount);
}

const protocol::Hold *HoldsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &d->rows[row] : nullptr;
}

void HoldsModel::setLock(const std::optional<domain::LockKey> &key, int limit)
{
    d->limit = limit;
    if (key == d->key) {
        refresh();
        return;
    }
    d->key = key;
    beginResetModel();
    d->rows.clear();
    endResetModel();
    refresh();
}

void HoldsModel::refresh()
{
    if (d->request)
        d->session.cancel(d->request);
    d->request = 0;
    const quint64 generation = ++d->generation;
    if (d->key) {
        protocol::HoldsQuery query;
        query.key = d->key;
        query.limit = d->limit;
        d->request =
            d->session.holds(query, this, [this, generation](const base::Result<protocol::HoldPage> &page) {
                if (generation != d->generation)
                    return;
                d->request = 0;
                d->error = page ? base::Error() : page.error();
                if (page && page->holds != d->rows) {
                    beginResetModel();
                    d->rows = page->holds;
                    endResetModel();
                }
                Q_EMIT stateChanged();
            });
    }
    Q_EMIT stateChanged();
}

bool HoldsModel::isLoading() const
{
    return d->request != 0;
}

base::Error HoldsModel::error() const
{
    return d->error;
}

QVariant HoldsModel::raw(const QModelIndex &index, int role) const
{
    const protocol::Hold &hold = d->rows[index.row()];
    if (role == KeyRole)
        return QVariant::fromValue(hold.key);
    if (role != ValueRole)
        return {};
    switch (index.column()) {
    case HoldOwnerColumn:
        return hold.ownerKnown ? QVariant(hold.owner) : QVariant();
    case HoldFromColumn:
        return hold.fromUs;
    case HoldToColumn:
        return hold.toUs ? QVariant(*hold.toUs) : QVariant();
    case HoldDurationColumn:
        return hold.toUs ? QVariant(*hold.toUs - hold.fromUs) : QVariant();
    case HoldEndColumn:
        return hold.end;
    case HoldRenewalsColumn:
        return int(hold.renewals);
    case HoldLongestGapColumn:
        return hold.longestRenewalGapUs;
    default:
        return {};
    }
}

} // namespace lockkeeper::app::models
