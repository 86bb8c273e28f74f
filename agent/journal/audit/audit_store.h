// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/audit/audit_signer.h"
#include "agent/journal/audit/system_log.h"
#include "agent/journal/storage/records.h"

namespace lockkeeper::agent::journal {

/**
 * Appends to the audit, in its own database file. Each record is a synced transaction: when a call
 * returns true, the record outlives a power cut. Belongs to the writer's thread; false means error().
 */
class AuditStore
{
public:
    /** The outcome of an intent that the last agent left open: `unknown`, or `ended` for an undecided
     * request. The caller writes it with end(). */
    struct LeftOpen
    {
        qint64 auditId = 0;
        domain::Outcome outcome = domain::Outcome::Unknown;
        QString detail;
    };

    /** `systemLog` is the socket of the system's log; empty: no log. */
    AuditStore(const AuditFiles &files, const QString &systemLog)
        : m_files(files), m_signer(m_connection, files), m_systemLog(systemLog)
    {
    }

    /** Opens the database, verifies the chain and signs its head. Returns the intents that are left open. */
    base::Result<QList<LeftOpen>> open(const QByteArray &journalId, qint64 nowUs);
    const base::Error &error() const { return m_connection.error(); }
    /** Succeeds if the database can be written. */
    bool probe();
    /** Why the audit isn't the one that was written, or why it can't be signed. It isn't signed then. Empty:
     * no fault. */
    const std::optional<base::Error> &fault() const { return m_fault; }
    /** Accepts an audit that has a fault: a signed entry records who accepted which fault and why. Returns
     * that fault, or Usage if there is none. */
    base::Result<base::Error> accept(const QString &who, const QString &reason, qint64 nowUs);
    /** Records an intent. With the outcome AwaitingApproval it asks for a decision; any other is about to be
     * carried out. */
    bool begin(const domain::AuditEntry &intent, ReleaseIntent *result);
    /** Records the outcome of an intent, unless it already has one. After `unknown`, one later finding is
     * recorded too. */
    bool end(qint64 auditId, domain::Outcome outcome, const QString &detail, qint64 nowUs);
    /** Signs if it is time to. A failure is logged and retried. */
    void signIfDue(qint64 nowUs);
    /** Signs all records that aren't signed yet. */
    void signAll(qint64 nowUs);

    /**
     * Records who decided on a request: `outcome` Pending approves it, Rejected rejects it. `written` is
     * false if the request awaits no decision: it has one already, or it has ended.
     */
    bool decide(qint64 auditId, const QString &approver, domain::Outcome outcome, const QString &detail,
                qint64 nowUs, bool *written);

private:
    std::optional<QList<LeftOpen>> leftOpen();
    std::optional<QList<AuditRecord>> recordsOf(qint64 auditId);
    bool append(AuditRecord record);
    bool signWith(const AuditRecord &record);
    base::Result<void> openSigner(const AuditVerdict &verdict);
    void publish();
    void saveHead();
    /** Copies SQLite's log into the database when it is long. */
    void checkpoint();

    AuditFiles m_files;
    SqliteConnection m_connection;
    QByteArray m_journalId;
    AuditSigner m_signer;
    SystemLog m_systemLog;
    AuditHead m_head = emptyAuditHead();
    qint64 m_lastId = 0;
    std::optional<base::Error> m_fault;
    QByteArray m_breaks;
    bool m_headTrusted = true; ///< false: audit.head doesn't match; it stays unchanged, as evidence
};

} // namespace lockkeeper::agent::journal
