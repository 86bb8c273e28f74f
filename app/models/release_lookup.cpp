// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/release_lookup.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::models {

ReleaseLookup::ReleaseLookup(session::AgentGroup &session, QObject *parent)
    : QObject(parent), m_session(session)
{
    connect(&session, &session::AgentGroup::agentChanged, this, &ReleaseLookup::forget);
}

void ReleaseLookup::forget()
{
    if (const quint64 id = std::exchange(m_request, 0))
        m_session.cancel(id);
    m_known.clear();
    m_wanted.clear();
}

const domain::AuditEntry *ReleaseLookup::find(const QByteArray &command)
{
    if (command.isEmpty())
        return nullptr;
    if (const auto known = m_known.constFind(command); known != m_known.cend())
        return known->id > 0 ? &*known : nullptr;
    if (!m_wanted.contains(command)) {
        m_wanted.append(command);
        askNext();
    }
    return nullptr;
}

void ReleaseLookup::askNext()
{
    if (m_request || m_wanted.isEmpty())
        return;
    protocol::AuditQuery query;
    query.command = m_wanted.first();
    query.limit = 1;
    m_request = m_session.audit(query, this, [this](const base::Result<protocol::AuditPage> &page) {
        if (!page && page.error().code == base::ErrorCode::Cancelled)
            return;
        m_request = 0;
        const QByteArray command = m_wanted.takeFirst();
        if (page) {
            // An agent that predates this question answers with its newest entry, whatever that is.
            const auto entry =
                std::find_if(page->entries.cbegin(), page->entries.cend(),
                             [&command](const domain::AuditEntry &one) { return one.command == command; });
            m_known.insert(command, entry != page->entries.cend() ? *entry : domain::AuditEntry{});
            Q_EMIT found();
        }
        askNext(); // after a failure it is requested again when shown again
    });
}

} // namespace lockkeeper::app::models
