// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/journal.h"

#include <functional>

namespace lockkeeper::agent::commands {

/** The seam through which commands write the audit. Callbacks come in the caller's thread. */
class AuditLog
{
public:
    using Intent = journal::ReleaseIntent;

    AuditLog() = default;
    AuditLog(const AuditLog &) = delete;
    AuditLog &operator=(const AuditLog &) = delete;
    virtual ~AuditLog() = default;

    /** Durable when it answers without an error; a repeated command id answers with the recorded entry. */
    virtual void begin(const domain::AuditEntry &intent, std::function<void(base::Result<Intent>)> done) = 0;
    /** Durable when it answers without an error: who decided on an intent that awaits approval. */
    virtual void decide(qint64 id, const QString &approver, domain::Outcome outcome, const QString &detail,
                        std::function<void(base::Result<void>)> done) = 0;
    virtual void end(qint64 id, domain::Outcome outcome, const QString &detail,
                     std::function<void(base::Result<void>)> done) = 0;
};

/** The audit that the journal keeps; the journal outlives it. */
class JournalAuditLog final : public AuditLog
{
public:
    explicit JournalAuditLog(journal::Journal &journal) : m_journal(journal) {}
    void begin(const domain::AuditEntry &intent, std::function<void(base::Result<Intent>)> done) override
    {
        m_journal.beginRelease(intent, std::move(done));
    }
    void decide(qint64 id, const QString &approver, domain::Outcome outcome, const QString &detail,
                std::function<void(base::Result<void>)> done) override
    {
        m_journal.decideRelease(id, approver, outcome, detail, std::move(done));
    }
    void end(qint64 id, domain::Outcome outcome, const QString &detail,
             std::function<void(base::Result<void>)> done) override
    {
        m_journal.endRelease(id, outcome, detail, std::move(done));
    }

private:
    journal::Journal &m_journal;
};

} // namespace lockkeeper::agent::commands
