// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/audit_signature.h"

#include <optional>

namespace lockkeeper::agent::journal {

/** The paths of the audit's files. */
struct AuditFiles
{
    QString database; ///< `audit.db`, beside the journal's database
    QString head;     ///< `audit.head`, beside it
    QString key;      ///< the key that signs the audit

    QString publicKey() const { return key + QLatin1String(".pub"); }
    /** The last signed head. It lies beside the key, so that it outlives the database. */
    QString anchor() const { return key + QLatin1String(".head"); }
};

/**
 * Replaces the file of the last signed head, atomically and durably. The file contains the signed text, and
 * then the lines "journal ID", "key ID" and "signature HEX". Blocks.
 */
base::Result<void> writeAuditAnchor(const AuditFiles &files, const domain::AuditSignature &head,
                                    const QByteArray &journalId);
/**
 * Reads the last signed head; empty: no head was kept. Returns Corrupt if the file has another form, or if
 * the public key lies beside it and didn't make the signature. Blocks.
 */
base::Result<std::optional<domain::AuditSignature>> readAuditAnchor(const AuditFiles &files);
/** The public half beside the key; empty if it doesn't exist or can't be read. */
std::optional<base::PublicKey> readPublicKey(const AuditFiles &files);

} // namespace lockkeeper::agent::journal
