// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "shared/base/result.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** The seam through which commands write the audit. Callbacks come in the caller's thread. */
class AuditLog
{
public:
    using Done = std::function<void(base::Result<void>)>;

    AuditLog() = default;
    AuditLog(const AuditLog &) = delete;
    AuditLog &operator=(const AuditLog &) = delete;
    virtual ~AuditLog() = default;

    /** Durable when it answers without an error; a repeated command id answers with the recorded entry. */
    virtual void writeIntent(const domain::AuditEntry &intent,
                             std::function<void(base::Result<ReleaseIntent>)> done) = 0;
    /** Durable when it answers without an error: who decided on an intent that awaits approval; `outcome`
     * Pending or Rejected. */
    virtual void writeDecision(qint64 id, const QString &approver, domain::Outcome outcome,
                               const QString &detail, Done done) = 0;
    /** Durable when it answers without an error; with one it is kept, and written as soon as it can be. */
    virtual void writeOutcome(qint64 id, domain::Outcome outcome, const QString &detail, Done done) = 0;
};

} // namespace lockkeeper::agent::journal
