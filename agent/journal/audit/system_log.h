// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"

namespace lockkeeper::agent::journal {

/** A record as the system's log gets it: one line of name=value, control characters escaped. */
QByteArray logLineOf(const AuditRecord &record);
/** The same of a signed head, so that the log knows how long the audit was. */
QByteArray logLineOf(const domain::AuditSignature &head);

/**
 * Copies records to the system's log (journald or a syslog daemon, RFC 3164 over the datagram socket at
 * `path`), facility authpriv, so that a second place tells what was written and its hash. Never blocks: what
 * the log doesn't take at once is lost there, and only there. Belongs to the writer's thread.
 */
class SystemLog
{
public:
    /** An empty path: nowhere. */
    explicit SystemLog(const QString &path) : m_path(path.toUtf8()) {}
    ~SystemLog();
    Q_DISABLE_COPY_MOVE(SystemLog)

    void copy(const AuditRecord &record) { send(logLineOf(record)); }
    void copy(const domain::AuditSignature &head) { send(logLineOf(head)); }

private:
    void send(const QByteArray &line);

    QByteArray m_path;
    int m_fd = -1;
};

} // namespace lockkeeper::agent::journal
