// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/history_filter.h"
#include "app/models/raw_model.h"
#include "app/session/agent_group.h"

namespace lockkeeper::app::models {

enum HoldColumn {
    HoldLockColumn = 0, ///< its name
    HoldOwnerColumn,
    HoldFromColumn, ///< an instant
    HoldToColumn,   ///< an instant
    HoldDurationColumn,
    HoldWaitedColumn, ///< the holder's wait before it
    HoldEndColumn,    ///< protocol::Hold::end
    HoldByColumn,     ///< who force-released it
    HoldRenewalsColumn,
    HoldLongestGapColumn, ///< the longest gap between renewals
    HoldSourceColumn,
    HoldColumnCount,
};

/**
 * The last holds of one lock, or all holds that match a filter, newest first; with a filter, older holds are
 * read when a view requests them. An answer to an earlier question is dropped.
 */
class HoldsModel : public RawModel
{
    Q_OBJECT

public:
    explicit HoldsModel(session::AgentGroup &session, QObject *parent = nullptr);

    const protocol::Hold *at(int row) const;
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override;

    /** Requests the last ten holds of `key`; nullopt: none. */
    void setLock(const std::optional<domain::LockKey> &key);
    /** Requests the holds that match, in pages of 200. */
    void setFilter(const filter::HoldsFilter &filter);
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    /** Repeats the request and keeps the rows until the answer arrives. */
    void refresh();
    /** The existing rows stay; the error is Cancelled. */
    void cancel();
    bool isLoading() const { return m_request != 0; }
    const base::Error &error() const { return m_error; } ///< code Unknown and no cause: none

Q_SIGNALS:
    void stateChanged();

private:
    int rows() const override { return int(m_rows.size()); }
    void show(const QList<protocol::Hold> &holds);
    void ask(const session::Numbers &before);
    void take(const protocol::HoldPage &page, bool older);

    session::AgentGroup &m_session;
    std::optional<filter::HoldsFilter> m_filter; ///< its query may be for a single lock
    session::Numbers m_oldest;                   ///< the oldest ids that were read
    bool m_hasOlder = false;
    QList<protocol::Hold> m_rows;
    quint64 m_request = 0;
    quint64 m_generation = 0; ///< of the question: an answer to an older one is dropped
    base::Error m_error;
};

} // namespace lockkeeper::app::models
