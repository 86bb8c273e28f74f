// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"

#include <QHash>
#include <QObject>

namespace lockkeeper::app::models {

/**
 * Finds the user and the reason of a force-release, by the command that an event carries. It queries the
 * audit on the first lookup, one command after the other. GUI thread.
 */
class ReleaseLookup : public QObject
{
    Q_OBJECT

public:
    explicit ReleaseLookup(session::AgentGroup &session, QObject *parent = nullptr);

    /** Null if the audit doesn't have it, or not yet; in the latter case found() follows. */
    const domain::AuditEntry *find(const QByteArray &command);

Q_SIGNALS:
    void found();

private:
    void askNext();
    void forget();

    session::AgentGroup &m_session;
    QHash<QByteArray, domain::AuditEntry> m_known; ///< an entry without an id: not in the audit
    QList<QByteArray> m_wanted;
    quint64 m_request = 0;
};

} // namespace lockkeeper::app::models
