// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_key_type.h"
#include "app/models/raw_model.h"
#include "app/session/agents.h"
#include "app/state/history_filter.h"

#include <memory>

namespace lockkeeper::app::models {

enum HoldColumn {
    HoldLockColumn = 0,   ///< QByteArray: its name
    HoldOwnerColumn,      ///< QByteArray; invalid: not known
    HoldFromColumn,       ///< qint64: an instant
    HoldToColumn,         ///< qint64: an instant; invalid: still held
    HoldDurationColumn,   ///< qint64 µs; invalid: still held
    HoldWaitedColumn,     ///< qint64 µs: how long its holder had waited for it; invalid: not seen
    HoldEndColumn,        ///< QByteArray: protocol::Hold::end
    HoldByColumn,         ///< QString: who force-released it; invalid: nobody, or not known
    HoldRenewalsColumn,   ///< int
    HoldLongestGapColumn, ///< qint64 µs: the longest time between two renewals
    HoldSourceColumn,     ///< QString
    HoldColumnCount,
};
QByteArray holdColumnName(int column);

/** The last holds of one lock, or all that fit a filter, newest first; of these older ones are read when a
 * view wants them. An answer to an earlier question is dropped. */
class HoldsModel : public RawModel
{
    Q_OBJECT

public:
    explicit HoldsModel(session::Agents &session, QObject *parent = nullptr);
    ~HoldsModel() override;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override { return holdColumnName(column); }
    const protocol::Hold *at(int row) const;

    /** Asks for the holds of `key`; nullopt: none. */
    void setLock(const std::optional<domain::LockKey> &key, int limit = 10);
    /** Asks for the holds that fit, in pages of 200. */
    void setFilter(const state::HoldsFilter &filter);
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    /** These alone, which nothing is asked for: for a reader of many pages. */
    void show(const QList<protocol::Hold> &holds);
    /** Asks again, keeping the rows until the answer is there. */
    void refresh();
    bool isLoading() const;
    base::Error error() const; ///< code Unknown and no cause: none

Q_SIGNALS:
    void stateChanged();

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::models
