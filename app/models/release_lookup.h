// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agents.h"

#include <QHash>
#include <QObject>

namespace lockkeeper::app::models {

/**
 * Who force-released and why, by the command that an event carries: asked of the audit the first time that
 * somebody wants to know, one command after the other. GUI thread.
 */
class ReleaseLookup : public QObject
{
    Q_OBJECT

public:
    explicit ReleaseLookup(session::Agents &session, QObject *parent = nullptr);

    /** Null where the audit doesn't tell, or not yet: found() says so later. */
    const domain::AuditEntry *find(const QByteArray &command);

Q_SIGNALS:
    void found();

private:
    void askNext();
    void forget();

    session::Agents &m_session;
    QHash<QByteArray, domain::AuditEntry> m_known; ///< one without an id: the audit doesn't have it
    QList<QByteArray> m_wanted;
    quint64 m_request = 0;
};

} // namespace lockkeeper::app::models
