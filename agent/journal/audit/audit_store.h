// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/audit/audit_signer.h"
#include "agent/journal/audit/system_log.h"
#include "agent/journal/storage/records.h"

namespace lockkeeper::agent::journal {

/**
 * Appends to the audit, each record in a transaction of its own with synchronous FULL: when a call returns
 * true the record outlives a power cut. Belongs to the writer's thread; false means connection.error().
 */
class AuditStore
{
public:
    /** `systemLog` is the socket of the system's log; empty: nowhere. */
    AuditStore(Connection &connection, const AuditFiles &files, const QString &systemLog)
        : m_connection(connection), m_files(files), m_signer(connection, files), m_systemLog(systemLog)
    {
    }

    /** Reads the head. `interrupted` counts the intents that got the outcome unknown. A request that nobody
     * had decided on gets `ended`. */
    bool open(qint64 nowUs, int *interrupted);
    /** Why the audit isn't the one that was written, or can't be signed: nothing is signed then. None where
     * all is well. */
    const std::optional<base::Error> &fault() const { return m_fault; }
    /** Goes on with an audit that has a fault: an entry says who accepted which one and why, and is signed.
     * The fault that was accepted is returned. Usage where there is none. */
    base::Result<base::Error> accept(const QString &who, const QString &reason, qint64 nowUs);
    /** An intent whose outcome is AwaitingApproval asks for a decision; others are about to be carried out.
     */
    bool begin(const domain::AuditEntry &intent, ReleaseIntent *result);
    /** An intent that has its outcome already keeps it; what is found later of an unknown one follows it,
     * once.
     */
    bool end(qint64 auditId, domain::Outcome outcome, const QString &detail, qint64 nowUs);
    /** Signs where it is time; a failure is logged, and tried again. */
    void signIfDue(qint64 nowUs);
    /** Signs what isn't signed yet. */
    void signAll(qint64 nowUs);

    /**
     * Who decided on a request: `outcome` Pending approves it, Rejected rejects it. `written` is false where
     * it isn't one that awaits a decision: it has got one, or has ended.
     */
    bool decide(qint64 auditId, const QString &approver, domain::Outcome outcome, const QString &detail,
                qint64 nowUs, bool *written);

private:
    bool endOpen(qint64 auditId, qint64 nowUs, int *interrupted);
    std::optional<QList<AuditRecord>> recordsOf(qint64 auditId);
    bool append(AuditRecord record);
    bool appendDurably(AuditRecord record);
    bool signWith(const AuditRecord &record);
    base::Result<void> openSigner(const AuditVerdict &verdict);
    void publish();
    void saveHead();

    Connection &m_connection;
    AuditFiles m_files;
    AuditSigner m_signer;
    SystemLog m_systemLog;
    AuditHead m_head = emptyAuditHead();
    qint64 m_lastId = 0;
    std::optional<base::Error> m_fault;
    QByteArray m_breaks;
    bool m_headTrusted = true; ///< false: audit.head doesn't fit; it stays as it is, as evidence
};

} // namespace lockkeeper::agent::journal
