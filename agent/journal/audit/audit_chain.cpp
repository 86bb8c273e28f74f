// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_chain.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace lockkeeper::agent::journal {

namespace {

class Sha
{
public:
    Sha &bytes(QByteArrayView part)
    {
        number(part.size());
        m_hash.addData(part);
        return *this;
    }
    Sha &number(qint64 value)
    {
        const qint64 big = qToBigEndian(value);
        m_hash.addData(QByteArrayView(reinterpret_cast<const char *>(&big), sizeof big));
        return *this;
    }
    QByteArray result() const { return m_hash.result(); }

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

/** Compares the heads; the walk has shown that the chain itself is sound. */
struct Heads
{
    AuditHead table;               ///< as walked
    std::optional<AuditHead> meta; ///< in the database
    std::optional<AuditHead> file; ///< beside it
};

std::optional<AuditHead> metaHead(Connection &connection)
{
    const auto count = connection.meta("audit_count");
    const auto hash = connection.meta("audit_head");
    if (!count || !hash)
        return std::nullopt;
    return AuditHead{count->toLongLong(), *hash};
}

qint64 idOfRecord(Connection &connection, qint64 record, qint64 lastId)
{
    const auto id =
        connection.scalar(QStringLiteral("SELECT audit_id FROM audit_log WHERE record = %1").arg(record));
    return id && id->isValid() ? id->toLongLong() : lastId + 1;
}

AuditVerdict judgeHeads(Connection &connection, const Heads &heads, qint64 lastId)
{
    if (heads.table.count == 0 && !heads.meta && !heads.file)
        return {};
    if (!heads.meta || heads.meta->count > heads.table.count)
        return {false, 0, lastId + 1};
    if (*heads.meta != heads.table)
        return {false, 0, idOfRecord(connection, heads.meta->count, lastId)};
    // The file may be behind by what was committed since it was read, or since a crash; it is never ahead.
    if (!heads.file)
        return heads.table.count <= 1 ? AuditVerdict{} : AuditVerdict{false, 0, lastId + 1};
    if (heads.file->count > heads.table.count)
        return {false, 0, lastId + 1};
    if (heads.file->count == 0)
        return {};
    Statement &at = connection.statement("audit_hash_of");
    const bool found = connection.run(at.bind(heads.file->count)) && at.next();
    const bool same = found && at.bytes(0) == heads.file->hash;
    at.finish();
    return same ? AuditVerdict{} : AuditVerdict{false, 0, idOfRecord(connection, heads.file->count, lastId)};
}

} // namespace

AuditHead emptyAuditHead()
{
    return {0, QByteArray(32, '\0')};
}

QByteArray AuditRecord::expectedHash() const
{
    const domain::LockKey &key = entry.key;
    Sha sha;
    sha.bytes(previous).number(record).number(entry.id).number(qint64(kind)).number(entry.timeUs);
    sha.bytes(entry.who.toUtf8()).bytes(entry.role.toUtf8()).bytes(key.source.toUtf8()).bytes(key.scheme);
    sha.bytes(key.place).bytes(key.name).bytes(entry.holder).bytes(entry.reason.toUtf8());
    sha.number(qint64(entry.because))
        .bytes(entry.guard)
        .number(qint64(entry.outcome))
        .bytes(entry.detail.toUtf8());
    return sha.bytes(entry.command).bytes(entry.approver.toUtf8()).result();
}

AuditRecord readAuditRecord(const Statement &row)
{
    const auto text = [&row](int column) { return QString::fromUtf8(row.bytes(column)); };
    AuditRecord out;
    domain::AuditEntry &entry = out.entry;
    out.record = row.integer(0);
    entry.id = row.integer(1);
    out.kind = AuditRecord::Kind(std::clamp<qint64>(row.integer(2), 0, AuditRecord::Decision));
    entry.timeUs = row.integer(3);
    entry.who = text(4);
    entry.role = text(5);
    entry.key = {text(6), row.bytes(7), row.bytes(8), row.bytes(9)};
    entry.holder = row.bytes(10);
    entry.reason = text(11);
    entry.because = domain::Because(std::clamp<qint64>(row.integer(12), 0, qint64(domain::Because::Stuck)));
    entry.guard = row.bytes(13);
    entry.outcome = domain::Outcome(std::clamp<qint64>(row.integer(14), 0, qint64(domain::kLastOutcome)));
    entry.detail = text(15);
    entry.command = row.bytes(16);
    entry.approver = text(17);
    out.previous = row.bytes(18);
    out.hash = row.bytes(19);
    return out;
}

bool appendAuditRecord(Connection &connection, AuditRecord &record)
{
    record.hash = record.expectedHash();
    const domain::AuditEntry &entry = record.entry;
    Statement &append = connection.statement("audit_append");
    append.bind(record.record).bind(entry.id).bind(qint64(record.kind)).bind(entry.timeUs);
    append.bindBytes(entry.who.toUtf8()).bindBytes(entry.role.toUtf8()).bindBytes(entry.key.source.toUtf8());
    append.bindBytes(entry.key.scheme)
        .bindBytes(entry.key.place)
        .bindBytes(entry.key.name)
        .bindBytes(entry.holder);
    append.bindBytes(entry.reason.toUtf8()).bind(qint64(entry.because)).bindBytes(entry.guard);
    append.bind(qint64(entry.outcome)).bindBytes(entry.detail.toUtf8()).bindBytes(entry.command);
    append.bindBytes(entry.approver.toUtf8()).bindBytes(record.previous).bindBytes(record.hash);
    return connection.run(append) && connection.setMeta("audit_count", QByteArray::number(record.record)) &&
           connection.setMeta("audit_head", record.hash);
}

domain::AuditEntry mergedEntry(const QList<AuditRecord> &records)
{
    domain::AuditEntry entry;
    bool intact = true;
    for (const AuditRecord &record : records) {
        intact = intact && record.isIntact();
        if (record.kind == AuditRecord::Intent) {
            entry = record.entry;
            if (entry.outcome != domain::Outcome::AwaitingApproval)
                entry.outcome = domain::Outcome::Pending;
            continue;
        }
        entry.id = record.entry.id;
        if (record.kind == AuditRecord::Decision)
            entry.approver = record.entry.approver;
        entry.outcome = record.entry.outcome;
        entry.outcomeTimeUs = record.entry.timeUs;
        entry.detail = record.entry.detail;
    }
    entry.intact = intact && !records.isEmpty() && records.first().kind == AuditRecord::Intent;
    return entry;
}

base::Result<AuditVerdict> verifyAudit(Connection &connection, const QString &headFile,
                                       const std::function<bool()> &mayGoOn)
{
    // The file first: records that are added meanwhile can only make the table longer than it says.
    const auto file = readAuditHead(headFile);
    AuditHead head = emptyAuditHead();
    qint64 lastId = 0;
    for (bool more = true; more;) {
        if (!mayGoOn())
            return base::failure(base::ErrorCode::Cancelled,
                                 QStringLiteral("the check of the audit was ended"));
        more = false;
        Statement &walk = connection.statement("audit_walk");
        if (!connection.run(walk.bind(head.count)))
            return tl::unexpected(connection.error());
        while (walk.next()) {
            const AuditRecord record = readAuditRecord(walk);
            if (record.record != head.count + 1 || record.previous != head.hash || !record.isIntact()) {
                const qint64 badId = record.entry.id;
                walk.finish();
                return AuditVerdict{false, 0, badId};
            }
            head = {record.record, record.hash};
            lastId = std::max(lastId, record.entry.id);
            more = true;
        }
        walk.finish();
    }
    if (!file)
        return AuditVerdict{false, 0, lastId + 1};
    AuditVerdict verdict = judgeHeads(connection, {head, metaHead(connection), *file}, lastId);
    verdict.records = head.count;
    return verdict;
}

} // namespace lockkeeper::agent::journal
