// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "shared/domain/audit_signature.h"

namespace lockkeeper::agent::journal {

/**
 * Signs the head of the audit's chain. Without the key, a person who can rewrite the database can't pass
 * another history off as this one. It signs on request: an agent requests it after each hundred records, each
 * hour, and when it starts and ends. The signatures stay in audit_signatures, and the last one beside the
 * key. Belongs to the writer's thread.
 */
class AuditSigner
{
public:
    AuditSigner(SqliteConnection &connection, AuditFiles files)
        : m_connection(connection), m_files(std::move(files))
    {
    }

    /** Reads the key, or creates one (mode 0600, the public half beside it as "….pub"). */
    base::Result<void> open();
    bool isOpen() const { return m_key.has_value(); }
    /** Stops signing. */
    void close() { m_key.reset(); }
    /** Signs the head, inside or outside a transaction. False: connection.error(). The caller then calls
     * publish(). */
    bool sign(const AuditHead &head, qint64 nowUs);
    /** Stores the last signature, which is durable now, beside the key. Returns it for the system's log. */
    std::optional<domain::AuditSignature> publish(const QByteArray &journalId);
    bool isDue(const AuditHead &head, qint64 nowUs) const;
    base::Result<QByteArray> signText(const QByteArray &text) const { return m_key->sign(text); }

private:
    base::Result<bool> readKey();
    base::Result<void> makeKey();

    SqliteConnection &m_connection;
    AuditFiles m_files;
    std::optional<base::SigningKey> m_key;
    QByteArray m_keyId;
    std::optional<domain::AuditSignature> m_unpublished;
    qint64 m_signedRecords = 0;
    qint64 m_signedUs = 0;
};

/** A row of audit_signatures. */
domain::AuditSignature readAuditSignature(const SqliteStatement &row);
/** The newest signature by the key with this id, or by any key if the id is empty. The signature isn't
 * verified. */
base::Result<std::optional<domain::AuditSignature>> newestSignature(SqliteConnection &connection,
                                                                    const QByteArray &keyId);
/** True if the chain's record at the signature's position has the signed hash. */
base::Result<bool> isOfChain(SqliteConnection &connection, const domain::AuditSignature &signature);

} // namespace lockkeeper::agent::journal
