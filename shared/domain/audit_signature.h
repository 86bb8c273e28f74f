// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/signing_key.h"

namespace lockkeeper::domain {

/**
 * What an agent vouched for with its key: at that time the audit had so many records, and their chain ended
 * in this hash. It holds for every record before, since each is chained to the one before it.
 */
struct AuditSignature
{
    qint64 records = 0;
    QByteArray hash;      ///< SHA-256, of the last of these records
    qint64 timeUs = 0;    ///< the agent's wall clock
    QByteArray keyId;     ///< base::PublicKey::id()
    QByteArray signature; ///< Ed25519 over text()

    /** What is signed: three lines of "name value", as `openssl pkeyutl -verify -rawin` can check them. */
    QByteArray text() const;
    bool isBy(const base::PublicKey &key) const { return key.verifies(text(), signature); }
    bool operator==(const AuditSignature &) const = default;
};

} // namespace lockkeeper::domain
