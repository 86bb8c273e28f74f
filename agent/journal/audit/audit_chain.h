// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_anchor.h"
#include "agent/journal/storage/connection.h"
#include "shared/domain/release.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** The newest record of the audit: how many there are and the last one's hash. */
struct AuditHead
{
    qint64 count = 0;
    QByteArray hash; ///< SHA-256, 32 bytes; of nothing: 32 zero bytes

    bool operator==(const AuditHead &) const = default;
};
AuditHead emptyAuditHead();

/**
 * The head kept outside of the database (`audit.head`: "count hash" in one line), so that a truncated or
 * exchanged table is noticed. Replaced atomically and durably.
 */
base::Result<void> writeAuditHead(const QString &file, const AuditHead &head);
/** Empty optional: no file. Corrupt where it isn't one. */
base::Result<std::optional<AuditHead>> readAuditHead(const QString &file);

/** One row of audit_log. */
struct AuditRecord
{
    enum Kind : quint8 { Intent = 0, Outcome = 1, Finding = 2, Decision = 3 };

    qint64 record = 0;
    Kind kind = Intent;
    domain::AuditEntry entry; ///< of an outcome or a finding: only id, timeUs, outcome and detail; of a
                              ///< decision also the approver
    QByteArray previous;
    QByteArray hash;

    /** SHA-256 over the previous record's hash and every column, each with its length before it. */
    QByteArray expectedHash() const;
    bool isIntact() const { return hash == expectedHash(); }
};

AuditRecord readAuditRecord(const Statement &row);
/** Appends; `record` carries its number, and the hash is set here. */
bool appendAuditRecord(Connection &connection, AuditRecord &record);
/** An intent completed by the decision on it and by its outcome, where there are such. */
domain::AuditEntry mergedEntry(const QList<AuditRecord> &records);

/** The result of a check of the whole chain. */
struct AuditVerdict
{
    AuditHead head; ///< as far as the records go
    /** Why the audit isn't the one that was written, and the remedy; none where it is. */
    std::optional<base::Error> fault = {};
    /** The first entry that isn't as it was written; after the last one where the end is missing. */
    qint64 firstBadId = 0;
    /** The last signed head: the chain was compared with it. Empty: no head was kept beside the key. */
    std::optional<domain::AuditSignature> anchor = {};
    QList<qint64> accepted = {}; ///< entries by which an operator accepted an audit that wasn't whole
    std::optional<qint64> soughtRecord = {}; ///< the record that has the hash which was asked for
    QByteArray breaks = {};                  ///< digest of all places where the chain doesn't hold

    bool isIntact() const { return !fault; }
};

/** What a check compares the chain with, beside the heads in the database and in the files. */
struct AuditCheck
{
    AuditFiles files;
    QByteArray soughtHash = {}; ///< of a record that the chain must have; empty: none
};

/**
 * Walks the whole chain and compares it with the heads in the database, beside it and beside the key. Reads
 * only. A place where the chain doesn't hold is no fault where a later entry accepts it, signed with the key.
 * `mayGoOn` is asked between chunks; false ends it with Cancelled.
 */
base::Result<AuditVerdict> verifyAudit(Connection &connection, const AuditCheck &check,
                                       const std::function<bool()> &mayGoOn);

/** What an acceptance signs: the number of its record, and the digest of the breaks before it. */
QByteArray acceptanceText(qint64 record, const QByteArray &breaks);
/** Key of `meta`: the damaged file that was set aside, whose audit nobody has accepted as lost. */
inline constexpr const char *kAuditSetAside = "audit_set_aside";

} // namespace lockkeeper::agent::journal
