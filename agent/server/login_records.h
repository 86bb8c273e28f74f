// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/commands/audit_limit.h"

namespace lockkeeper::agent::server {

/**
 * Writes to the audit who logged in over TLS, and who was kept out, there or at the local socket. Whom the
 * kernel names and the configuration lets in hasn't logged in. Of each user's logins those are written that
 * AuditLimit lets through, of the refused ones some hundred an hour: past that they would bury what operators
 * do, and the log has them all. Lives in the main thread.
 */
class LoginRecords
{
public:
    LoginRecords(journal::AuditLog &audit, const base::Clock &clock);
    Q_DISABLE_COPY_MOVE(LoginRecords)

    /** `from`: the client's machine; empty: this one. */
    void loggedIn(const access::Identity &identity, const QString &role, const QString &from);
    void refused(const access::Identity &identity, const QString &from, const base::Error &why);
    /** Tells of the logins that were only counted, sooner than it would by itself. */
    void sumUp() { m_limit.sumUp(); }

private:
    domain::AuditEntry entryOf(const access::Identity &identity, const QString &role,
                               const QString &from) const;

    const base::Clock &m_clock;
    commands::AuditLimit m_limit; ///< of the logins
    qint64 m_hour = 0;            ///< of the clock that never jumps
    int m_refused = 0;            ///< written in it
};

} // namespace lockkeeper::agent::server
