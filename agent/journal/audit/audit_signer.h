// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "shared/domain/audit_signature.h"

namespace lockkeeper::agent::journal {

/**
 * Signs the head of the audit's chain, so that whoever can rewrite the database can't make another history
 * pass for this one without the key. Signs when asked to; an agent does at each hundredth record, each hour,
 * and when it starts and ends. The signatures stay in audit_signatures, and the last one beside the key.
 * Belongs to the writer's thread.
 */
class AuditSigner
{
public:
    AuditSigner(Connection &connection, AuditFiles files)
        : m_connection(connection), m_files(std::move(files))
    {
    }

    /** Reads the key, or makes one (mode 0600, the public half beside it as "….pub"). */
    base::Result<void> open();
    bool isOpen() const { return m_key.has_value(); }
    /** Signs nothing from now on. */
    void close() { m_key.reset(); }
    /** Within a transaction, or in one of its own. False: connection.error(). Then publish(). */
    bool sign(const AuditHead &head, qint64 nowUs);
    /** Keeps what was signed and is durable now beside the key; it is returned, for the system's log. */
    std::optional<domain::AuditSignature> publish();
    bool isDue(const AuditHead &head, qint64 nowUs) const;
    base::Result<QByteArray> signText(const QByteArray &text) const { return m_key->sign(text); }

private:
    base::Result<bool> readKey();
    base::Result<void> makeKey();

    Connection &m_connection;
    AuditFiles m_files;
    std::optional<base::SigningKey> m_key;
    QByteArray m_keyId;
    std::optional<domain::AuditSignature> m_unpublished;
    qint64 m_signedRecords = 0;
    qint64 m_signedUs = 0;
};

/** The newest signature by the key of this id, any key's without one; as it stands there, not checked. */
base::Result<std::optional<domain::AuditSignature>> newestSignature(Connection &connection,
                                                                    const QByteArray &keyId);
/** Whether the chain has at the signature's record the hash that was signed. */
base::Result<bool> isOfChain(Connection &connection, const domain::AuditSignature &signature);

} // namespace lockkeeper::agent::journal
