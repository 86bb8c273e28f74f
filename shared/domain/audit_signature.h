// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/signing_key.h"

namespace lockkeeper::domain {

/**
 * An agent's statement, signed with its key: at that time the audit had so many records, and their chain
 * ended in this hash. It covers all earlier records too, since each record is chained to the one before it.
 */
struct AuditSignature
{
    qint64 records = 0;
    QByteArray hash;      ///< SHA-256 of the last of these records
    qint64 timeUs = 0;    ///< the agent's wall clock
    QByteArray keyId;     ///< base::PublicKey::id()
    QByteArray signature; ///< Ed25519 over text()

    /** The signed text: three lines of "name value". `openssl pkeyutl -verify -rawin` can check it. */
    QByteArray text() const;
    bool isBy(const base::PublicKey &key) const { return key.verifies(text(), signature); }
    bool operator==(const AuditSignature &) const = default;
};

} // namespace lockkeeper::domain
