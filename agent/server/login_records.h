// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"

namespace lockkeeper::agent::server {

/**
 * Writes to the audit who logged in over TLS, and who was kept out, there or at the local socket. Whom the
 * kernel names and the configuration lets in hasn't logged in. Of the refused ones some hundred an hour are
 * written: past that guesses would bury what operators do, and the log has them all. Lives in the main
 * thread.
 */
class LoginRecords
{
public:
    LoginRecords(journal::AuditLog &audit, const base::Clock &clock) : m_audit(audit), m_clock(clock) {}
    Q_DISABLE_COPY_MOVE(LoginRecords)

    /** `from`: the client's machine; empty: this one. */
    void loggedIn(const access::Identity &identity, const QString &role, const QString &from);
    void refused(const access::Identity &identity, const QString &from, const base::Error &why);

private:
    void write(const access::Identity &identity, const QString &role, const QString &from,
               domain::Outcome outcome, const QString &detail);

    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    qint64 m_hour = 0; ///< of the clock that never jumps
    int m_refused = 0; ///< written in it
};

} // namespace lockkeeper::agent::server
