// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/access/access_policy.h"

#include "shared/base/text.h"

#include <algorithm>
#include <pwd.h>
#include <unistd.h>

namespace lockkeeper::agent::access {

AccessPolicy::AccessPolicy(QList<config::AccessRule> rules, QString agentUser)
    : m_rules(std::move(rules)), m_agentUser(std::move(agentUser))
{
}

bool AccessPolicy::isOwner(const QString &user) const
{
    return !user.isEmpty() && (user == m_agentUser || user == QLatin1String("root"));
}

domain::Grants AccessPolicy::grantsOf(const Identity &identity) const
{
    domain::Grants grants;
    if (identity.user.isEmpty())
        return grants;
    const bool local = identity.way == Identity::LoginWay::Local;
    bool named = false;
    bool misspelt = false;
    for (const config::AccessRule &rule : m_rules) {
        const bool byName = rule.users.contains(identity.user);
        const bool byGroup =
            local && std::any_of(rule.groups.cbegin(), rule.groups.cend(), [&identity](const QString &group) {
                return identity.groups.contains(group);
            });
        named = named || byName;
        misspelt = misspelt || rule.users.contains(identity.user, Qt::CaseInsensitive);
        if (byName || byGroup)
            grants.list.append(rule.grant);
    }
    if (local && !named && isOwner(identity.user))
        grants.list.append({domain::Role::Admin, {}, {}});
    else if (!local && !misspelt && grants.list.isEmpty())
        grants.list.append({domain::Role::Viewer, {}, {}});
    return grants;
}

transport::SocketAudience AccessPolicy::audience() const
{
    using Who = transport::SocketAudience::Who;
    QStringList groups;
    bool users = false;
    for (const config::AccessRule &rule : m_rules) {
        groups += rule.groups;
        users = users || std::any_of(rule.users.cbegin(), rule.users.cend(),
                                     [this](const QString &user) { return !isOwner(user); });
    }
    groups.removeDuplicates();
    if (users || groups.size() > 1)
        return {Who::Everyone, {}};
    return groups.isEmpty() ? transport::SocketAudience{}
                            : transport::SocketAudience{Who::Group, groups.first()};
}

AccessPolicy policyOfThisProcess(const QList<config::AccessRule> &rules)
{
    const passwd *entry = ::getpwuid(::geteuid());
    return {rules,
            entry ? QString::fromLocal8Bit(entry->pw_name) : QStringLiteral("uid:%1").arg(::geteuid())};
}

std::optional<base::Error> unreachableBy(const transport::SocketAudience &audience, const QString &socket)
{
    const QString folder = transport::folderInTheWay(socket, audience);
    if (folder.isEmpty())
        return std::nullopt;
    const QString shown = base::displayText(folder);
    return base::Error{
        base::ErrorCode::PermissionDenied,
        QStringLiteral("the users in [[access]] can't reach the socket %1: the folder %2 doesn't let them in")
            .arg(base::displayText(socket), shown),
        QStringLiteral("Run: chmod o+x '%1'; or listen in a folder that they can enter").arg(shown)};
}

} // namespace lockkeeper::agent::access
