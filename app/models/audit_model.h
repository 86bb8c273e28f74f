// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/raw_model.h"
#include "app/session/agent_group.h"

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

/** The audit, newest first, in pages of 200; read-only. Only the outcome of an entry can change. */
class AuditModel : public RawModel
{
    Q_OBJECT

public:
    enum class Chain : quint8 { NotChecked = 0, Checking, Holds, Broken };

    explicit AuditModel(session::AgentGroup &session, QObject *parent = nullptr);

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    const domain::AuditEntry *at(int row) const;
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override;

    /** A filter of scope Audit; older pages are read until enough rows match. */
    void setQuery(const filter::Query &query);
    /** Reads the newest page again: new entries are inserted at the top, outcomes are completed. */
    void refresh();
    /** Lets the agent check the whole chain, however long that takes. */
    void verify();
    void cancelVerification();
    void cancel(); ///< both
    const filter::Query &query() const { return m_query; }

    /** The number of entries that were read and don't match the filter. */
    qint64 hiddenRows() const { return m_all.size() - m_rows.size(); }
    bool isLoading() const { return m_request != 0; }
    const base::Error &error() const
    {
        return m_error;
    } ///< of the last reading; code Unknown and no cause: none
    const base::Error &checkError() const { return m_checkError; } ///< likewise, of the last verification
    Chain chain() const { return m_chain; }
    std::optional<qint64> firstBadId() const { return m_firstBad; }
    const base::Error &fault() const { return m_fault; } ///< of a broken chain
    /**
     * True if compared with a stored head. Without a comparison, a shorter or different chain looks the same.
     */
    bool isCompared() const;
    qint64 checkedUs() const { return m_checkedUs; } ///< when the chain was checked, the agent's clock
    /** The last check of one agent's chain. */
    struct Checked
    {
        QString agent;                                   ///< empty for a single agent
        qint64 records = 0;                              ///< of the chain at that time
        std::optional<domain::AuditSignature> signature; ///< the newest one; not checked against a key here
        bool isCompared = false;                         ///< with a head that is stored outside the journal
    };
    /** The checked chains, one per agent; a broken chain is the last of these. */
    const QList<Checked> &checked() const { return m_checked; }

Q_SIGNALS:
    void stateChanged(); ///< loading, error or chain

private:
    int rows() const override { return int(m_rows.size()); }
    void show(const QList<domain::AuditEntry> &entries);
    void ask(bool older);
    void verifyNext();
    void tookNewest(const protocol::AuditPage &page);
    void tookOlder(const protocol::AuditPage &page);
    void fill();
    QList<domain::AuditEntry> fitting(const QList<domain::AuditEntry> &entries) const;
    qsizetype place(const QList<domain::AuditEntry> &entries, const domain::AuditEntry &wanted) const;

    session::AgentGroup &m_session;
    QList<domain::AuditEntry> m_all;  ///< all entries read, newest first
    QList<domain::AuditEntry> m_rows; ///< the entries that match the filter
    filter::Query m_query{filter::QueryScope::Audit, {}};
    bool m_hasOlder = false;
    quint64 m_request = 0;
    quint64 m_verification = 0;
    bool m_again = false; ///< refresh() was called while a question was pending
    base::Error m_error;
    base::Error m_checkError;
    Chain m_chain = Chain::NotChecked;
    std::optional<qint64> m_firstBad;
    base::Error m_fault;
    qint64 m_checkedUs = 0;
    QList<Checked> m_checked;
    QStringList m_unchecked; ///< agents whose chains are still to be checked
};

} // namespace lockkeeper::app::models
