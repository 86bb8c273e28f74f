// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/release/audit_limit.h"

namespace lockkeeper::agent::server {

/**
 * Writes to the audit who logged in over TLS, and who was refused there or at the local socket. The agent
 * writes no entry for a local user that the configuration admits: that user didn't log in. AuditLimit bounds
 * each user's logins. Refused logins are bounded to some hundred per hour: more would bury the operators'
 * acts, and the log has all of them. Lives in the main thread.
 */
class LoginRecords
{
public:
    LoginRecords(journal::AuditLog &audit, const base::Clock &clock);
    Q_DISABLE_COPY_MOVE(LoginRecords)

    /** `from`: the client's machine; empty: this one. */
    void loggedIn(const access::Identity &identity, const QString &role, const QString &from);
    void refused(const access::Identity &identity, const QString &from, const base::Error &why);
    /** Reports the logins that were only counted, without waiting for the end of the minute. */
    void sumUp() { m_limit.sumUp(); }

private:
    domain::AuditEntry entryOf(const access::Identity &identity, const QString &role,
                               const QString &from) const;

    const base::Clock &m_clock;
    release::AuditLimit m_limit; ///< of the logins
    qint64 m_hour = 0;           ///< current hour of the monotonic clock
    int m_refused = 0;           ///< refused logins in that hour
};

} // namespace lockkeeper::agent::server
