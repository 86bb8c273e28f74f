// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/** What a check of the whole chain found. */
struct AuditVerdict
{
    bool intact = true;
    qint64 records = 0;
    qint64 firstBadId =
        0; ///< the first entry that isn't what was written; after the last one where the end is missing
};

/**
 * Walks the whole chain and compares it with the heads in the database and in `headFile`. Reads only.
 * `mayGoOn` is asked between chunks; false ends it with Cancelled.
 */
base::Result<AuditVerdict> verifyAudit(Connection &connection, const QString &headFile,
                                       const std::function<bool()> &mayGoOn);

} // namespace lockkeeper::agent::journal
