// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_chain.h"

#include "agent/journal/audit/audit_database.h"

#include <QCryptographicHash>
#include <QDateTime>
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

const QString kAccept =
    QStringLiteral("Compare the journal with a backup. To accept the audit as it is, stop the agent and run: "
                   "lockkeeper-agent --config FILE audit accept --reason TEXT");

base::Error fault(const QString &cause)
{
    return {base::ErrorCode::Corrupt, cause, kAccept};
}

QString missing(qint64 from, qint64 to)
{
    return from == to ? QStringLiteral("record %1 of the audit is missing").arg(from)
                      : QStringLiteral("records %1 to %2 of the audit are missing").arg(from).arg(to);
}

std::optional<AuditHead> metaHead(SqliteConnection &connection)
{
    const auto count = connection.meta("audit_count");
    const auto hash = connection.meta("audit_head");
    if (!count || !hash)
        return std::nullopt;
    return AuditHead{count->toLongLong(), *hash};
}

/** Walks the records, and then compares their end with the stored heads. */
class AuditWalk
{
public:
    AuditWalk(SqliteConnection &connection, const AuditCheck &check)
        : m_connection(connection), m_check(check)
    {
    }

    base::Result<AuditVerdict> run(const std::function<bool()> &mayGoOn);

private:
    void take(const AuditRecord &record);
    bool isAcceptance(const AuditRecord &record) const;
    QByteArray digest() const;
    void judge(const base::Result<std::optional<AuditHead>> &file,
               const base::Result<std::optional<domain::AuditSignature>> &anchor);
    void compareHeads(const std::optional<AuditHead> &file);
    void compareAnchor(const domain::AuditSignature &anchor);
    void refuse(const QString &cause, qint64 firstBadId);
    /** True if the chain has this hash at this record. */
    bool has(const AuditHead &head);
    qint64 idOfRecord(qint64 record);

    SqliteConnection &m_connection;
    const AuditCheck &m_check;
    std::optional<base::PublicKey> m_key;
    AuditVerdict m_verdict{emptyAuditHead()};
    QByteArray m_breaks; ///< the values at each break, in order
    qint64 m_lastId = 0;
};

base::Result<AuditVerdict> AuditWalk::run(const std::function<bool()> &mayGoOn)
{
    // Read the files first: later records can only make the table longer than the files
    // say.
    const auto file = readAuditHead(m_check.files.head);
    const auto anchor = readAuditAnchor(m_check.files);
    m_key = readPublicKey(m_check.files);
    for (bool more = true; more;) {
        if (!mayGoOn())
            return base::failure(base::ErrorCode::Cancelled,
                                 QStringLiteral("the check of the audit was cancelled"));
        more = false;
        SqliteStatement &walk = m_connection.statement("audit_walk");
        if (!m_connection.run(walk.bind(m_verdict.head.count)))
            return tl::unexpected(m_connection.error());
        while (walk.next()) {
            take(readAuditRecord(walk));
            more = true;
        }
        walk.finish();
    }
    m_verdict.breaks = digest();
    if (!m_verdict.fault)
        judge(file, anchor);
    if (const auto damage = m_connection.meta(kAuditDamage); damage && !damage->isEmpty()) {
        const QString report = QString::fromUtf8(*damage);
        refuse(m_verdict.fault ? report + QLatin1String("; ") + m_verdict.fault->cause : report,
               m_lastId + 1);
    }
    return m_verdict;
}

void AuditWalk::take(const AuditRecord &record)
{
    AuditHead &head = m_verdict.head;
    const bool isNext = record.record == head.count + 1;
    if (!isNext || record.previous != head.hash || !record.isIntact()) {
        const auto number = [](qint64 value) { return QByteArray::number(value) + ' '; };
        m_breaks += number(head.count) + head.hash + number(record.record) + record.previous + record.hash +
                    record.expectedHash();
        if (!m_verdict.fault)
            refuse(isNext ? QStringLiteral("record %1 of the audit isn't the one that was written")
                                .arg(record.record)
                          : missing(head.count + 1, record.record - 1),
                   record.entry.id);
    } else if (isAcceptance(record)) {
        m_verdict.fault.reset();
        m_verdict.firstBadId = 0;
        m_verdict.accepted.append(record.entry.id);
    }
    head = {record.record, record.hash};
    m_lastId = std::max(m_lastId, record.entry.id);
    if (!m_check.soughtHash.isEmpty() && record.hash == m_check.soughtHash)
        m_verdict.soughtRecord = record.record;
}

/** Without the key's signature, every user who can write the database could accept their own changes. */
bool AuditWalk::isAcceptance(const AuditRecord &record) const
{
    return record.kind == AuditRecord::Intent && record.entry.isAcceptance() && m_key &&
           m_key->verifies(acceptanceText(record.record, digest()), record.entry.guard);
}

QByteArray AuditWalk::digest() const
{
    return QCryptographicHash::hash(m_breaks, QCryptographicHash::Sha256);
}

void AuditWalk::judge(const base::Result<std::optional<AuditHead>> &file,
                      const base::Result<std::optional<domain::AuditSignature>> &anchor)
{
    if (file)
        compareHeads(*file);
    else
        refuse(file.error().cause, m_lastId + 1);
    if (!anchor)
        return refuse(anchor.error().cause, m_lastId + 1);
    m_verdict.anchor = *anchor;
    if (*anchor)
        compareAnchor(**anchor);
}

void AuditWalk::compareHeads(const std::optional<AuditHead> &file)
{
    const AuditHead &table = m_verdict.head;
    const auto meta = metaHead(m_connection);
    if (table.count == 0 && !meta && !file)
        return;
    if (!meta || meta->count > table.count)
        return refuse(meta ? missing(table.count + 1, meta->count)
                           : QStringLiteral("the database has lost the head of its audit"),
                      m_lastId + 1);
    if (*meta != table)
        return refuse(QStringLiteral("the audit doesn't end in the record that was written last"),
                      idOfRecord(meta->count));
    // The file may be behind, because of commits after it was read or because of a crash. It is never ahead.
    if (!file) {
        if (table.count > 1)
            refuse(QStringLiteral("%1, the head of the audit, is missing").arg(m_check.files.head),
                   m_lastId + 1);
        return;
    }
    if (file->count > table.count)
        return refuse(missing(table.count + 1, file->count), m_lastId + 1);
    if (!has(*file))
        refuse(QStringLiteral("record %1 of the audit isn't the one that was written").arg(file->count),
               idOfRecord(file->count));
}

void AuditWalk::compareAnchor(const domain::AuditSignature &anchor)
{
    const QString signedAt =
        QStringLiteral("; a head of %1 records was signed at %2 (%3)")
            .arg(anchor.records)
            .arg(QDateTime::fromMSecsSinceEpoch(anchor.timeUs / 1000, Qt::UTC).toString(Qt::ISODate),
                 m_check.files.anchor());
    if (anchor.records > m_verdict.head.count)
        refuse(missing(m_verdict.head.count + 1, anchor.records) + signedAt, m_lastId + 1);
    else if (!has({anchor.records, anchor.hash}))
        refuse(QStringLiteral("record %1 of the audit, or one before it, isn't the one that was written")
                       .arg(anchor.records) +
                   signedAt,
               1);
}

/** The earliest comparison knows where the damage begins; a later one knows more about missing records. */
void AuditWalk::refuse(const QString &cause, qint64 firstBadId)
{
    if (!m_verdict.fault)
        m_verdict.firstBadId = firstBadId;
    m_verdict.fault = fault(cause);
}

bool AuditWalk::has(const AuditHead &head)
{
    if (head.count == 0)
        return head.hash == emptyAuditHead().hash;
    SqliteStatement &at = m_connection.statement("audit_hash_of");
    const bool same = m_connection.run(at.bind(head.count)) && at.next() && at.bytes(0) == head.hash;
    at.finish();
    return same;
}

qint64 AuditWalk::idOfRecord(qint64 record)
{
    const auto id =
        m_connection.scalar(QStringLiteral("SELECT audit_id FROM audit_log WHERE record = %1").arg(record));
    return id && id->isValid() ? id->toLongLong() : m_lastId + 1;
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

AuditRecord readAuditRecord(const SqliteStatement &row)
{
    const auto text = [&row](int column) { return QString::fromUtf8(row.bytes(column)); };
    AuditRecord out;
    domain::AuditEntry &entry = out.entry;
    out.record = row.integer(0);
    entry.id = row.integer(1);
    out.kind = AuditRecord::RecordKind(std::clamp<qint64>(row.integer(2), 0, AuditRecord::Decision));
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

void bindAuditRecord(SqliteStatement &append, const AuditRecord &record)
{
    const domain::AuditEntry &entry = record.entry;
    append.bind(record.record).bind(entry.id).bind(qint64(record.kind)).bind(entry.timeUs);
    append.bindBytes(entry.who.toUtf8()).bindBytes(entry.role.toUtf8()).bindBytes(entry.key.source.toUtf8());
    append.bindBytes(entry.key.scheme)
        .bindBytes(entry.key.place)
        .bindBytes(entry.key.name)
        .bindBytes(entry.holder);
    append.bindBytes(entry.reason.toUtf8()).bind(qint64(entry.because)).bindBytes(entry.guard);
    append.bind(qint64(entry.outcome)).bindBytes(entry.detail.toUtf8()).bindBytes(entry.command);
    append.bindBytes(entry.approver.toUtf8()).bindBytes(record.previous).bindBytes(record.hash);
}

bool appendAuditRecord(SqliteConnection &connection, AuditRecord &record)
{
    record.hash = record.expectedHash();
    SqliteStatement &append = connection.statement("audit_append");
    bindAuditRecord(append, record);
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

base::Result<AuditVerdict> verifyAudit(SqliteConnection &connection, const AuditCheck &check,
                                       const std::function<bool()> &mayGoOn)
{
    return AuditWalk(connection, check).run(mayGoOn);
}

QByteArray acceptanceText(qint64 record, const QByteArray &breaks)
{
    return "lockkeeper-audit-accept-1 " + QByteArray::number(record) + "\nbreaks " + breaks.toHex() + '\n';
}

} // namespace lockkeeper::agent::journal
