// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QFlags>

#include <optional>

namespace lockkeeper::agent::commands {

/** What a command needs, and what a role gives. */
enum class Permission : quint8 {
    None = 0,
    Observe = 1,    ///< read the live state, the history and the audit
    Release = 2,    ///< force-release
    Administer = 4, ///< change how the agent itself works
    Probe = 8,      ///< listen to the commands of a store's clients, where its source allows it
};
Q_DECLARE_FLAGS(Permissions, Permission)
Q_DECLARE_OPERATORS_FOR_FLAGS(Permissions)

enum class Role : quint8 {
    Observer = 0,
    Operator,
    Admin,
    Policy, ///< the agent itself, as its configuration says; no session has it
};

/** The stable name in Welcome and in the audit: "observer", "operator", "admin", "policy". */
QString roleName(Role role);
Permissions permissionsOf(Role role);

/**
 * The role of a local socket's peer: the user that the agent runs as, and root, are operators; everybody else
 * (whom the socket's mode keeps out unless somebody widened it) may only look.
 */
Role roleOfLocalUser(const QString &user, const QString &agentUser);

/** What a request needs; empty for a message that isn't a client's request at all. */
std::optional<Permission> requiredPermission(const protocol::Message &message);

/** The id of a request, to answer it; 0 where the message has none. */
quint64 requestId(const protocol::Message &message);

} // namespace lockkeeper::agent::commands
