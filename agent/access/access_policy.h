// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/config/config.h"
#include "shared/transport/socket_audience.h"

#include <optional>

namespace lockkeeper::agent::access {

/**
 * Who may do what: the [[access]] entries, which add up, and what holds without any. The user that the agent
 * runs as, and root, are admins at the local socket unless an entry names them by `user:`: who owns the
 * process can do everything anyway. Whom no entry names may look where a login has proven who it is (TLS),
 * and may not come in at the local socket. A name that differs from an entry's by the case of its letters may
 * not come in either: PAM may take "Alice" for alice, who would have more by it than her entry gives.
 */
class AccessPolicy
{
public:
    AccessPolicy() = default;
    AccessPolicy(QList<config::AccessRule> rules, QString agentUser);

    /** Empty: may not come in. */
    domain::Grants grantsOf(const Identity &identity) const;
    /** Who has to reach the local socket so that each entry can be used. */
    transport::SocketAudience audience() const;

private:
    bool isOwner(const QString &user) const;

    QList<config::AccessRule> m_rules;
    QString m_agentUser;
};

/** With the user that this process runs as. */
AccessPolicy policyOfThisProcess(const QList<config::AccessRule> &rules);

/** What keeps those whom an [[access]] names from a local socket: a folder that they can't enter. */
std::optional<base::Error> unreachableBy(const transport::SocketAudience &audience, const QString &socket);

} // namespace lockkeeper::agent::access
