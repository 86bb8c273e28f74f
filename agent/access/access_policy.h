// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/config/config.h"
#include "shared/transport/socket_audience.h"

#include <optional>

namespace lockkeeper::agent::access {

/**
 * Decides who may do what. The grants of all [[access]] entries for a user add up. Without an entry that
 * names them by `user:`, root and the user that runs the agent are admins at the local socket: the owner of
 * the process can do everything anyway. A user without an entry is a viewer over TLS, where a login has
 * proven the identity, and is refused at the local socket. A name that differs from an entry's name only in
 * case is refused over TLS: PAM may accept "Alice" for alice, who would then see more than her entry allows.
 */
class AccessPolicy
{
public:
    AccessPolicy() = default;
    AccessPolicy(QList<config::AccessRule> rules, QString agentUser);

    /** Empty: the user is refused. */
    domain::Grants grantsOf(const Identity &identity) const;
    /** The users who must be able to reach the local socket, so that every entry works. */
    transport::SocketAudience audience() const;

private:
    bool isOwner(const QString &user) const;

    QList<config::AccessRule> m_rules;
    QString m_agentUser;
};

/** The policy for the user that runs this process. */
AccessPolicy policyOfThisProcess(const QList<config::AccessRule> &rules);

/** Returns an error if a folder on the socket's path keeps this audience out. */
std::optional<base::Error> unreachableBy(const transport::SocketAudience &audience, const QString &socket);

} // namespace lockkeeper::agent::access
