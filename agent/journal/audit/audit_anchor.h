// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/audit_signature.h"

#include <optional>

namespace lockkeeper::agent::journal {

/** Where the audit's companions lie. */
struct AuditFiles
{
    QString head; ///< `audit.head`, beside the database
    QString key;  ///< the key that signs the audit

    QString publicKey() const { return key + QLatin1String(".pub"); }
    /** The last head that was signed: beside the key, so that it outlives the database. */
    QString anchor() const { return key + QLatin1String(".head"); }
};

/**
 * Replaces the file of the last signed head, atomically and durably. It has the signed text, and then the
 * lines "journal ID", "key ID" and "signature HEX". Blocks.
 */
base::Result<void> writeAuditAnchor(const AuditFiles &files, const domain::AuditSignature &head,
                                    const QByteArray &journalId);
/**
 * The last signed head; empty: no head was kept. Corrupt where the file has another form, or where the public
 * key is beside it and the signature isn't by that key. Blocks.
 */
base::Result<std::optional<domain::AuditSignature>> readAuditAnchor(const AuditFiles &files);
/** The public half beside the key; empty where there is none that can be read. */
std::optional<base::PublicKey> readPublicKey(const AuditFiles &files);

} // namespace lockkeeper::agent::journal
