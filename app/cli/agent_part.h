// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"
#include "shared/protocol/messages.h"

#include <functional>

namespace lockkeeper::app::cli {

/**
 * One agent's part in a command that several are asked: how it is told from the others, and what it answered,
 * which is printed together with what they did. Commands whose output stands by itself print as ever, under
 * the label.
 */
struct AgentPart
{
    QString label; ///< empty: as the agent calls itself
    /** Set: called once connected, before anything is asked; `goOn` asks. */
    std::function<void(const protocol::Welcome &welcome, std::function<void()> goOn)> admit;
    /** Takes events in the agent's order; `next` asks for more of them, and is empty after the last. */
    std::function<void(const QList<events::LockEvent> &events, std::function<void()> next)> takeEvents;

    std::optional<protocol::Status> status;
    LiveTable locks;
    QList<protocol::Hold> holds;
    std::optional<QList<domain::AuditEntry>> audit;
    protocol::ContentionPage contention;
    QList<domain::ApprovalRequest> approvals;
    bool more = false; ///< there are more than it answered
};

} // namespace lockkeeper::app::cli
