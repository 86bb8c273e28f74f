// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/session/agents.h"
#include "app/state/query.h"

#include <memory>

namespace lockkeeper::app::models {

enum AuditColumn {
    AuditTimeColumn = 0, ///< an instant, the agent's clock
    AuditWhoColumn,
    AuditRoleColumn,
    AuditLockColumn,
    AuditReasonColumn,
    AuditGuardColumn,
    AuditOutcomeColumn, ///< domain::Outcome
    AuditApproverColumn,
    AuditCommandColumn,
    AuditSourceColumn,
    AuditColumnCount,
};

/** The audit, newest first, in pages of 200; read-only. Entries can't change but for their outcome. */
class AuditModel : public RawModel
{
    Q_OBJECT

public:
    enum class Chain : quint8 { NotChecked = 0, Checking, Holds, Broken };

    explicit AuditModel(session::Agents &session, QObject *parent = nullptr);
    ~AuditModel() override;

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    const domain::AuditEntry *at(int row) const;

    /** A filter of scope Audit; older pages are read until enough rows fit it. */
    void setQuery(const state::Query &query);
    /** These alone, which nothing is asked for: for a reader of many pages. */
    void show(const QList<domain::AuditEntry> &entries);
    /** Reads the newest page again: new entries come in at the top, outcomes are completed. */
    void refresh();
    /** Has the agent check the whole chain. */
    void verify();
    void cancel();
    const state::Query &query() const;

    /** Entries that were read and don't fit the filter. */
    qint64 hiddenRows() const;
    bool isLoading() const;
    base::Error error() const; ///< of the last reading; code Unknown and no cause: none
    Chain chain() const;
    std::optional<qint64> firstBadId() const;
    qint64 checkedUs() const; ///< when the chain was checked, the agent's clock
    /** What the last check told of one agent's chain. */
    struct Checked
    {
        QString agent;      ///< empty where there is one alone
        qint64 records = 0; ///< that the chain had then; 0: none, or an agent that doesn't tell
        std::optional<domain::AuditSignature> signature; ///< the newest one; compared with no key here
    };
    /** Each chain is its agent's own; of a broken one it is the last of these. */
    const QList<Checked> &checked() const;

Q_SIGNALS:
    void stateChanged(); ///< loading, error or chain

private:
    int rows() const override;
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::models
