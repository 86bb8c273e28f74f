// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/audit_log.h"

#include <memory>

namespace lockkeeper::agent::commands {

/** Writes the outcomes of audited commands; what the journal refuses waits for retry(). Main thread. */
class OutcomeWriter
{
public:
    using Done = std::function<void(const base::Result<void> &)>;

    explicit OutcomeWriter(AuditLog &audit) : m_audit(audit) {}

    /** `done` is called unless this is destroyed first. */
    void write(qint64 auditId, domain::Outcome outcome, const QString &detail, const Done &done);
    /** Tries again to write what was refused; called when the journal has recovered. */
    void retry();
    qsizetype waiting() const { return m_refused->size(); }

private:
    struct Refused
    {
        qint64 auditId = 0;
        domain::Outcome outcome = domain::Outcome::Unknown;
        QString detail;
    };

    AuditLog &m_audit;
    std::shared_ptr<QList<Refused>> m_refused = std::make_shared<QList<Refused>>();
};

} // namespace lockkeeper::agent::commands
