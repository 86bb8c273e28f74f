// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"

namespace lockkeeper::agent::journal {

/** A record as one line of name=value for the system's log, control characters escaped. */
QByteArray logLineOf(const AuditRecord &record);
/** A signed head as such a line, so that the log shows how long the audit was. */
QByteArray logLineOf(const domain::AuditSignature &head);

/**
 * Copies records to the system's log (journald or a syslog daemon, RFC 3164 over the datagram socket at
 * `path`), facility authpriv, so that a second place has each record and its hash. Never blocks: a record
 * that the log doesn't accept at once is missing there, and only there. Belongs to the writer's thread.
 */
class SystemLog
{
public:
    /** An empty path: no log. */
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
