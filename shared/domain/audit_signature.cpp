// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/audit_signature.h"

namespace lockkeeper::domain {

QByteArray AuditSignature::text() const
{
    return "lockkeeper-audit-1 " + QByteArray::number(records) + "\nhash " + hash.toHex() + "\ntime_us " +
           QByteArray::number(timeUs) + '\n';
}

} // namespace lockkeeper::domain
