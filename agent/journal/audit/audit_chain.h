// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_anchor.h"
#include "agent/journal/storage/sqlite_connection.h"
#include "shared/domain/release.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** The head of the audit: the number of its records and the hash of the last record. */
struct AuditHead
{
    qint64 count = 0;
    QByteArray hash; ///< SHA-256, 32 bytes; all zero for an empty audit

    bool operator==(const AuditHead &) const = default;
};
AuditHead emptyAuditHead();

/**
 * Writes the head to a file outside the database (`audit.head`: "count hash" in one line), so that a
 * truncated or exchanged table is detected. Replaces the file atomically and durably.
 */
base::Result<void> writeAuditHead(const QString &file, const AuditHead &head);
/** Empty optional: no file. Corrupt: the file isn't a head. */
base::Result<std::optional<AuditHead>> readAuditHead(const QString &file);

/** One row of audit_log. */
struct AuditRecord
{
    enum RecordKind : quint8 { Intent = 0, Outcome = 1, Finding = 2, Decision = 3 };

    qint64 record = 0;
    RecordKind kind = Intent;
    domain::AuditEntry entry; ///< of an outcome or a finding: only id, timeUs, outcome and detail; of a
                              ///< decision also the approver
    QByteArray previous;
    QByteArray hash;

    /** SHA-256 over the previous record's hash and every column, each with its length before it. */
    QByteArray expectedHash() const;
    bool isIntact() const { return hash == expectedHash(); }
};

AuditRecord readAuditRecord(const SqliteStatement &row);
/** Binds all columns of audit_log. */
void bindAuditRecord(SqliteStatement &statement, const AuditRecord &record);
/** Appends `record`, which has its number already, and sets its hash. */
bool appendAuditRecord(SqliteConnection &connection, AuditRecord &record);
/** The intent, completed by its decision and its outcome, if there are any. */
domain::AuditEntry mergedEntry(const QList<AuditRecord> &records);

/** The result of a check of the whole chain. */
struct AuditVerdict
{
    AuditHead head; ///< of the records that exist
    /** Why the audit isn't the one that was written, and the remedy; empty: no fault. */
    std::optional<base::Error> fault = {};
    /** The first entry that was changed. If the end is missing: the id after the last entry. */
    qint64 firstBadId = 0;
    /** The last signed head, with which the chain was compared. Empty: no head was kept beside the key. */
    std::optional<domain::AuditSignature> anchor = {};
    QList<qint64> accepted = {};             ///< entries with which an operator accepted a faulty audit
    std::optional<qint64> soughtRecord = {}; ///< the record with the requested hash
    QByteArray breaks = {};                  ///< digest of all places where the chain is broken

    bool isIntact() const { return !fault; }
};

/** The files and the hash that a check compares with the chain, beside the head in the database. */
struct AuditCheck
{
    AuditFiles files;
    QByteArray soughtHash = {}; ///< hash of a record that the chain should have; empty: none
};

/**
 * Walks the whole chain and compares it with the heads in the database, beside it and beside the key. Only
 * reads. A break in the chain is no fault if a later entry, signed with the key, accepts it. The check calls
 * `mayGoOn` between chunks; false ends it with Cancelled.
 */
base::Result<AuditVerdict> verifyAudit(SqliteConnection &connection, const AuditCheck &check,
                                       const std::function<bool()> &mayGoOn);

/** The text that an acceptance signs: the number of its record, and the digest of the breaks before it. */
QByteArray acceptanceText(qint64 record, const QByteArray &breaks);

} // namespace lockkeeper::agent::journal
