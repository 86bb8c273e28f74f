// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::app::session {

/**
 * Puts `agent` before the name of each source in the data from that agent. An empty `agent` changes nothing.
 */
void qualify(domain::LockKey &key, const QString &agent);
void qualify(domain::LockState &state, const QString &agent);
void qualify(domain::SourceState &state, const QString &agent);
void qualify(events::LockEvent &event, const QString &agent);
void qualify(domain::ApprovalRequest &request, const QString &agent);
/** Also its id: two agents with equally named sources and rules make the same ids. plainAlertId() undoes it.
 */
void qualify(domain::Alert &alert, const QString &agent);
QByteArray plainAlertId(const domain::Alert &alert);
void qualify(protocol::EventPage &page, const QString &agent);
void qualify(protocol::HoldPage &page, const QString &agent);
void qualify(protocol::AuditPage &page, const QString &agent);
void qualify(protocol::SnapshotPage &page, const QString &agent);
void qualify(protocol::ChainsPage &page, const QString &agent);
void qualify(protocol::ContentionPage &page, const QString &agent);
void qualify(protocol::TimelinePage &page, const QString &agent);
void qualify(protocol::WaitingPage &page, const QString &agent);
void qualify(protocol::ApprovalsPage &page, const QString &agent);
void qualify(protocol::AlertsPage &page, const QString &agent);
void qualify(domain::Advice &advice, const QString &agent);
void qualify(protocol::AdvicePage &page, const QString &agent);
void qualify(protocol::HolderChecksPage &page, const QString &agent);
void qualify(protocol::Inspected &answer, const QString &agent);
void qualify(protocol::Status &status, const QString &agent);
inline void qualify(protocol::Done & /*names no source*/, const QString & /*agent*/) {}
inline void qualify(protocol::ProbeResult & /*likewise*/, const QString & /*agent*/) {}
inline void qualify(protocol::ReleaseResult & /*likewise*/, const QString & /*agent*/) {}

template <typename T> void qualify(QList<T> &list, const QString &agent)
{
    if (agent.isEmpty())
        return;
    for (T &one : list)
        qualify(one, agent);
}

} // namespace lockkeeper::app::session
