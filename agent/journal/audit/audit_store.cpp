// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_store.h"

#include "shared/base/random_id.h"

#include <QFile>
#include <QLoggingCategory>
#include <QVariant>

Q_LOGGING_CATEGORY(lcJournalAudit, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

bool AuditStore::open(qint64 nowUs, int *interrupted)
{
    Statement &tail = m_connection.statement("audit_tail");
    if (!m_connection.run(tail))
        return false;
    if (tail.next())
        m_head = {tail.integer(0), tail.bytes(1)};
    tail.finish();
    const auto last = m_connection.firstNumber(m_connection.statement("audit_last_id"));
    if (!last)
        return false;
    m_lastId = last->value_or(0);
    const auto verdict = verifyAudit(m_connection, {m_files}, [] { return true; });
    if (!verdict)
        return false;
    m_breaks = verdict->breaks;
    m_fault = verdict->fault;
    // Keep the head file of a broken chain: a fresh one would hide the break.
    m_headTrusted = verdict->isIntact();
    if (m_headTrusted && m_head.count > 0)
        saveHead();
    if (m_headTrusted) {
        if (const auto ready = openSigner(*verdict); !ready)
            m_fault = ready.error();
    }
    if (m_fault)
        qCCritical(lcJournalAudit).noquote() << "the audit isn't signed:" << m_fault->line();
    QList<qint64> left;
    Statement &openIntents = m_connection.statement("audit_open");
    if (!m_connection.run(openIntents))
        return false;
    while (openIntents.next())
        left.append(openIntents.integer(0));
    *interrupted = 0;
    for (const qint64 id : std::as_const(left)) {
        if (!endOpen(id, nowUs, interrupted))
            return false;
    }
    signAll(nowUs);
    return true;
}

base::Result<void> AuditStore::openSigner(const AuditVerdict &verdict)
{
    // A new key has signed nothing yet.
    if (!verdict.anchor && m_head.count > 0 && QFile::exists(m_files.key))
        return base::failure(
            base::ErrorCode::Corrupt,
            QStringLiteral("%1, the last head that was signed, is missing").arg(m_files.anchor()),
            QStringLiteral("Restore it from a backup, or accept the audit as it is: "
                           "lockkeeper-agent --config FILE audit accept --reason TEXT"));
    return m_signer.open();
}

base::Result<base::Error> AuditStore::accept(const QString &who, const QString &reason, qint64 nowUs)
{
    if (!m_fault)
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("the audit is whole: there is nothing to accept"));
    if (const auto ready = m_signer.open(); !ready)
        return tl::unexpected(ready.error());
    const auto signature = m_signer.signText(acceptanceText(m_head.count + 1, m_breaks));
    if (!signature)
        return tl::unexpected(signature.error());
    domain::AuditEntry entry;
    entry.timeUs = nowUs;
    entry.who = who;
    entry.key.scheme = domain::AuditEntry::kAcceptance;
    entry.reason = reason;
    entry.guard = *signature;
    entry.command = base::randomId();
    const base::Error fault = *m_fault;
    ReleaseIntent intent;
    if (!begin(entry, &intent) || !end(intent.auditId, domain::Outcome::Accepted, fault.cause, nowUs) ||
        !m_connection.setMeta(kAuditSetAside, {}))
        return tl::unexpected(m_connection.error());
    m_fault.reset();
    m_headTrusted = true;
    saveHead();
    signAll(nowUs);
    return fault;
}

bool AuditStore::endOpen(qint64 auditId, qint64 nowUs, int *interrupted)
{
    const auto records = recordsOf(auditId);
    if (!records)
        return false;
    // The merged outcome: that of the request, or of the decision on it.
    const domain::AuditEntry entry = mergedEntry(*records);
    if (entry.outcome == domain::Outcome::AwaitingApproval)
        return end(auditId, domain::Outcome::Ended,
                   QStringLiteral("the agent was started again before anybody decided"), nowUs);
    if (entry.outcome == domain::Outcome::Rejected)
        return end(auditId, domain::Outcome::Rejected, entry.detail, nowUs);
    ++*interrupted;
    return end(auditId, domain::Outcome::Unknown,
               QStringLiteral("the agent ended before the outcome was known"), nowUs);
}

bool AuditStore::begin(const domain::AuditEntry &intent, ReleaseIntent *result)
{
    Statement &known = m_connection.statement("audit_by_command");
    const auto recorded = m_connection.firstNumber(known.bindBytes(intent.command));
    if (!recorded)
        return false;
    if (*recorded) {
        const auto records = recordsOf(**recorded);
        if (!records)
            return false;
        *result = {**recorded, mergedEntry(*records)};
        return true;
    }
    AuditRecord record;
    record.entry = intent;
    record.entry.id = m_lastId + 1;
    if (intent.outcome != domain::Outcome::AwaitingApproval)
        record.entry.outcome = domain::Outcome::Pending;
    if (!appendDurably(record))
        return false;
    ++m_lastId;
    *result = {record.entry.id, std::nullopt};
    return true;
}

bool AuditStore::end(qint64 auditId, domain::Outcome outcome, const QString &detail, qint64 nowUs)
{
    const auto records = recordsOf(auditId);
    if (!records)
        return false;
    const bool ended = records->size() > 1 && records->last().kind != AuditRecord::Decision;
    const bool follows = ended && records->last().kind == AuditRecord::Outcome &&
                         records->last().entry.outcome == domain::Outcome::Unknown &&
                         (outcome != domain::Outcome::Unknown || records->last().entry.detail != detail);
    if (ended && !follows)
        return true;
    AuditRecord record;
    record.kind = follows ? AuditRecord::Finding : AuditRecord::Outcome;
    record.entry.id = auditId;
    record.entry.timeUs = nowUs;
    record.entry.outcome = outcome;
    record.entry.detail = detail;
    return appendDurably(record);
}

bool AuditStore::decide(qint64 auditId, const QString &approver, domain::Outcome outcome,
                        const QString &detail, qint64 nowUs, bool *written)
{
    const auto records = recordsOf(auditId);
    if (!records)
        return false;
    *written = records->size() == 1 && records->first().entry.outcome == domain::Outcome::AwaitingApproval;
    if (!*written)
        return true;
    AuditRecord record;
    record.kind = AuditRecord::Decision;
    record.entry.id = auditId;
    record.entry.timeUs = nowUs;
    record.entry.outcome = outcome;
    record.entry.detail = detail;
    record.entry.approver = approver;
    return appendDurably(record);
}

std::optional<QList<AuditRecord>> AuditStore::recordsOf(qint64 auditId)
{
    Statement &of = m_connection.statement("audit_of");
    if (!m_connection.run(of.bind(auditId)))
        return std::nullopt;
    QList<AuditRecord> records;
    while (of.next())
        records.append(readAuditRecord(of));
    of.finish();
    return records;
}

bool AuditStore::append(AuditRecord record)
{
    // Chained to the record that this process wrote last, whatever the table contains now: a record that
    // somebody removed meanwhile leaves a break.
    record.record = m_head.count + 1;
    record.previous = m_head.hash;
    if (!m_connection.transact([&] { return appendAuditRecord(m_connection, record) && signWith(record); }))
        return false;
    m_head = {record.record, record.hash};
    m_systemLog.copy(record);
    publish();
    return true;
}

void AuditStore::publish()
{
    if (const auto head = m_signer.publish())
        m_systemLog.copy(*head);
}

bool AuditStore::appendDurably(AuditRecord record)
{
    if (!m_connection.run(QStringLiteral("PRAGMA synchronous = FULL")))
        return false;
    const bool done = append(std::move(record));
    const base::Error cause = m_connection.error();
    if (!m_connection.run(QStringLiteral("PRAGMA synchronous = NORMAL")))
        qCWarning(lcJournalAudit).noquote() << "synchronous stays FULL:" << m_connection.error().line();
    if (!done) {
        m_connection.restoreError(cause);
        return false;
    }
    if (m_headTrusted)
        saveHead();
    return true;
}

/** Signs in the transaction of the record: no reader sees a hundredth record without its signature. */
bool AuditStore::signWith(const AuditRecord &record)
{
    const AuditHead head{record.record, record.hash};
    return !m_signer.isDue(head, record.entry.timeUs) || m_signer.sign(head, record.entry.timeUs);
}

void AuditStore::signIfDue(qint64 nowUs)
{
    if (m_signer.isDue(m_head, nowUs))
        signAll(nowUs);
}

void AuditStore::signAll(qint64 nowUs)
{
    if (!m_signer.isOpen())
        return;
    if (m_signer.sign(m_head, nowUs))
        publish();
    else
        qCWarning(lcJournalAudit).noquote() << "the audit isn't signed:" << m_connection.error().line();
}

void AuditStore::saveHead()
{
    // The record itself is durable. A head file that lags behind catches up with the next record.
    if (const auto saved = writeAuditHead(m_files.head, m_head); !saved)
        qCWarning(lcJournalAudit).noquote() << saved.error().line();
}

} // namespace lockkeeper::agent::journal
