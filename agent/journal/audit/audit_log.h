// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/records.h"
#include "shared/base/result.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** The interface through which commands write the audit. Callbacks come in the caller's thread. */
class AuditLog
{
public:
    using Done = std::function<void(base::Result<void>)>;

    AuditLog() = default;
    AuditLog(const AuditLog &) = delete;
    AuditLog &operator=(const AuditLog &) = delete;
    virtual ~AuditLog() = default;

    /** The intent is durable once the answer has no error. A repeated command id is answered with the
     * recorded entry. */
    virtual void writeIntent(const domain::AuditEntry &intent,
                             std::function<void(base::Result<ReleaseIntent>)> done) = 0;
    /** Records who decided on an intent that awaits approval; `outcome` is Pending or Rejected. The decision
     * is durable once the answer has no error. */
    virtual void writeDecision(qint64 id, const QString &approver, domain::Outcome outcome,
                               const QString &detail, Done done) = 0;
    /** The outcome is durable once the answer has no error. After an error, the journal keeps the outcome and
     * writes it as soon as possible. */
    virtual void writeOutcome(qint64 id, domain::Outcome outcome, const QString &detail, Done done) = 0;
};

} // namespace lockkeeper::agent::journal
