// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"
#include "app/report/incident_evidence.h"
#include "shared/protocol/messages.h"

#include <functional>

namespace lockkeeper::app::cli {

/** The locks that a report's options match, and the evidence about it if there is only one. */
struct ReportedLock
{
    QList<domain::LockKey> keys;
    std::optional<report::IncidentEvidence> evidence;
};

/**
 * One agent's part in a command of LookCommand or ActCommand: its label among the agents and its answer,
 * which is printed together with the others. Commands whose output isn't merged print as usual, under the
 * label.
 */
struct AgentPart
{
    QString label; ///< empty: the agent's configured name
    /** If set, called once connected, before any request is sent; `goOn` sends the requests. */
    std::function<void(const protocol::Welcome &welcome, std::function<void()> goOn)> admit;
    /** Takes events in the agent's order; `next` requests more of them and is empty after the last page. */
    std::function<void(const QList<events::LockEvent> &events, std::function<void()> next)> takeEvents;

    std::optional<protocol::Status> status;
    LiveTable locks;
    QList<protocol::Hold> holds;
    std::optional<QList<domain::AuditEntry>> audit;
    protocol::ContentionPage contention;
    protocol::AdvicePage advice;
    QList<domain::ApprovalRequest> approvals;
    protocol::AlertsPage alerts;
    ReportedLock reported;
    bool more = false; ///< the agent has more rows than it returned
};

} // namespace lockkeeper::app::cli
