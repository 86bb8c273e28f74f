// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "shared/domain/audit_signature.h"

namespace lockkeeper::agent::journal {

/**
 * Signs the head of the audit's chain, so that whoever can rewrite the database can't make another history
 * pass for this one without the key. Signs when told; an agent does at each hundredth record, each hour, and
 * when it starts and ends. The signatures stay in audit_signatures. Belongs to the writer's thread.
 */
class AuditSigner
{
public:
    AuditSigner(Connection &connection, QString keyFile)
        : m_connection(connection), m_keyFile(std::move(keyFile))
    {
    }

    /**
     * Reads the key, or makes one (mode 0600, the public half beside it as "….pub"). The chain that `head`
     * ends is sound. Refused where it isn't the one that the newest signature of this key is about, or where
     * all signatures of a known key are missing: nothing is signed then, since that would vouch for a
     * forgery.
     */
    base::Result<void> open(const AuditHead &head);
    /** Within a transaction, or in one of its own. False: connection.error(). */
    bool sign(const AuditHead &head, qint64 nowUs);
    bool isOpen() const { return m_key.has_value(); }
    bool isDue(const AuditHead &head, qint64 nowUs) const;

private:
    base::Result<bool> readKey();
    base::Result<void> makeKey();
    base::Result<void> checkNewest(bool isNeeded);

    Connection &m_connection;
    QString m_keyFile;
    std::optional<base::SigningKey> m_key;
    QByteArray m_keyId;
    qint64 m_signedRecords = 0;
    qint64 m_signedUs = 0;
};

/** The newest signature by the key of this id, any key's without one; as it stands there, not checked. */
base::Result<std::optional<domain::AuditSignature>> newestSignature(Connection &connection,
                                                                    const QByteArray &keyId);
/** Whether the chain has at the signature's record the hash that was signed. */
base::Result<bool> isOfChain(Connection &connection, const domain::AuditSignature &signature);

} // namespace lockkeeper::agent::journal
