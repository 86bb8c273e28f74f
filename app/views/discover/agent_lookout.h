// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/discover/remote_discoverer.h"

#include <QCoreApplication>

#include <optional>

namespace lockkeeper::app::session {
class AgentSession;
}

namespace lockkeeper::app::views {

/** Describes a session's agent for the wizard. */
class AgentLookout
{
    Q_DECLARE_TR_FUNCTIONS(AgentLookout)

public:
    /** The agent of a session; empty if the session isn't live. The session may be gone before the answer. */
    static std::optional<app::discover::LookingAgent> of(session::AgentSession *session);
};

} // namespace lockkeeper::app::views
