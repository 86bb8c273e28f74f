// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/session/agents.h"
#include "app/state/history_filter.h"

namespace lockkeeper::app::models {

enum HoldColumn {
    HoldLockColumn = 0, ///< its name
    HoldOwnerColumn,
    HoldFromColumn, ///< an instant
    HoldToColumn,   ///< an instant
    HoldDurationColumn,
    HoldWaitedColumn, ///< how long its holder had waited for it
    HoldEndColumn,    ///< protocol::Hold::end
    HoldByColumn,     ///< who force-released it
    HoldRenewalsColumn,
    HoldLongestGapColumn, ///< the longest time between two renewals
    HoldSourceColumn,
    HoldColumnCount,
};

/** The last holds of one lock, or all that fit a filter, newest first; of these older ones are read when a
 * view wants them. An answer to an earlier question is dropped. */
class HoldsModel : public RawModel
{
    Q_OBJECT

public:
    explicit HoldsModel(session::Agents &session, QObject *parent = nullptr);

    const protocol::Hold *at(int row) const;

    /** Asks for the last ten holds of `key`; nullopt: none. */
    void setLock(const std::optional<domain::LockKey> &key);
    /** Asks for the holds that fit, in pages of 200. */
    void setFilter(const state::HoldsFilter &filter);
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    /** These alone, which nothing is asked for: for a reader of many pages. */
    void show(const QList<protocol::Hold> &holds);
    /** Asks again, keeping the rows until the answer is there. */
    void refresh();
    /** The rows that are there stay; the error is Cancelled. */
    void cancel();
    bool isLoading() const { return m_request != 0; }
    const base::Error &error() const { return m_error; } ///< code Unknown and no cause: none

Q_SIGNALS:
    void stateChanged();

private:
    int rows() const override { return int(m_rows.size()); }
    void ask(const session::Numbers &before);
    void take(const protocol::HoldPage &page, bool older);

    session::Agents &m_session;
    std::optional<state::HoldsFilter> m_filter; ///< its query may be of one lock
    session::Numbers m_oldest;                  ///< ids that were read
    bool m_hasOlder = false;
    QList<protocol::Hold> m_rows;
    quint64 m_request = 0;
    quint64 m_generation = 0; ///< of the question: an answer to an older one is dropped
    base::Error m_error;
};

} // namespace lockkeeper::app::models
