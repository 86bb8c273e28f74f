// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_store.h"

#include "agent/journal/audit/audit_database.h"
#include "shared/base/random_id.h"

#include <QFile>
#include <QLoggingCategory>
#include <QVariant>

Q_LOGGING_CATEGORY(lcJournalAudit, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {
constexpr qint64 kLongLog = 512; ///< pages of 2 KiB: about 300 releases
} // namespace

base::Result<QList<AuditStore::LeftOpen>> AuditStore::open(const QByteArray &journalId, qint64 nowUs)
{
    m_journalId = journalId;
    if (const auto opened = openAuditDatabase(m_connection, m_files, nowUs); !opened)
        return tl::unexpected(opened.error());
    SqliteStatement &tail = m_connection.statement("audit_tail");
    if (!m_connection.run(tail))
        return tl::unexpected(error());
    if (tail.next())
        m_head = {tail.integer(0), tail.bytes(1)};
    tail.finish();
    const auto last = m_connection.firstNumber(m_connection.statement("audit_last_id"));
    if (!last)
        return tl::unexpected(last.error());
    m_lastId = last->value_or(0);
    const auto verdict = verifyAudit(m_connection, {m_files}, [] { return true; });
    if (!verdict)
        return tl::unexpected(verdict.error());
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
    signAll(nowUs);
    const auto left = leftOpen();
    if (!left)
        return tl::unexpected(error());
    return *left;
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
        !m_connection.setMeta(kAuditDamage, {}))
        return tl::unexpected(m_connection.error());
    m_fault.reset();
    m_headTrusted = true;
    saveHead();
    signAll(nowUs);
    return fault;
}

std::optional<QList<AuditStore::LeftOpen>> AuditStore::leftOpen()
{
    QList<qint64> ids;
    SqliteStatement &openIntents = m_connection.statement("audit_open");
    if (!m_connection.run(openIntents))
        return std::nullopt;
    while (openIntents.next())
        ids.append(openIntents.integer(0));
    QList<LeftOpen> left;
    for (const qint64 id : std::as_const(ids)) {
        const auto records = recordsOf(id);
        if (!records)
            return std::nullopt;
        // The merged outcome: that of the request, or of the decision on it.
        const domain::AuditEntry entry = mergedEntry(*records);
        if (entry.outcome == domain::Outcome::AwaitingApproval)
            left.append({id, domain::Outcome::Ended,
                         QStringLiteral("the agent was restarted before the request was decided")});
        else if (entry.outcome == domain::Outcome::Rejected)
            left.append({id, domain::Outcome::Rejected, entry.detail});
        else
            left.append({id, domain::Outcome::Unknown,
                         QStringLiteral("the agent ended before the outcome was known")});
    }
    return left;
}

bool AuditStore::probe()
{
    return m_connection.setMeta("journal_id", m_journalId);
}

bool AuditStore::begin(const domain::AuditEntry &intent, ReleaseIntent *result)
{
    SqliteStatement &known = m_connection.statement("audit_by_command");
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
    if (!append(record))
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
    return append(record);
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
    return append(record);
}

std::optional<QList<AuditRecord>> AuditStore::recordsOf(qint64 auditId)
{
    SqliteStatement &of = m_connection.statement("audit_of");
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
    if (m_headTrusted)
        saveHead();
    checkpoint();
    return true;
}

void AuditStore::publish()
{
    if (const auto head = m_signer.publish(m_journalId))
        m_systemLog.copy(*head);
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
    if (m_signer.sign(m_head, nowUs)) {
        publish();
        checkpoint();
    } else {
        qCWarning(lcJournalAudit).noquote() << "the audit isn't signed:" << m_connection.error().line();
    }
}

void AuditStore::saveHead()
{
    // The record itself is durable. A head file that lags behind catches up with the next record.
    if (const auto saved = writeAuditHead(m_files.head, m_head); !saved)
        qCWarning(lcJournalAudit).noquote() << saved.error().line();
}

void AuditStore::checkpoint()
{
    if (m_connection.walPages() >= kLongLog)
        m_connection.checkpoint();
}

} // namespace lockkeeper::agent::journal
