// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/grants.h"

#include "shared/base/java_text.h"

#include <algorithm>
#include <array>

namespace lockkeeper::domain {

namespace {

constexpr std::array<const char *, 5> kRole{"viewer", "operator", "approver", "admin", "policy"};

/** The glob's literal prefix: every name that it matches begins with it. */
QByteArray beginningOf(const QByteArray &glob)
{
    const auto end = std::find_if(glob.cbegin(), glob.cend(),
                                  [](char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; });
    return glob.first(end - glob.cbegin());
}

/** False: no name matches both globs. True if one may, or in doubt. */
bool mayMeet(const QByteArray &a, const QByteArray &b)
{
    const QByteArray x = beginningOf(a);
    const QByteArray y = beginningOf(b);
    return x.startsWith(y) || y.startsWith(x);
}

template <typename Covers> Role highest(const QList<Grant> &grants, Covers covers)
{
    Role role = Role::Viewer;
    for (const Grant &grant : grants) {
        if (covers(grant))
            role = std::max(role, grant.role);
    }
    return role;
}

} // namespace

QString roleName(Role role)
{
    return QString::fromLatin1(kRole.at(size_t(role)));
}

std::optional<Role> roleFromName(const QString &name)
{
    for (const Role role : {Role::Viewer, Role::Operator, Role::Approver, Role::Admin}) {
        if (name == roleName(role))
            return role;
    }
    return std::nullopt;
}

Permissions permissionsOf(Role role)
{
    switch (role) {
    case Role::Viewer:
        return Permission::Observe;
    case Role::Operator:
        return Permission::Observe | Permission::Release | Permission::Probe;
    case Role::Approver:
        return permissionsOf(Role::Operator) | Permission::Approve;
    case Role::Admin:
        return permissionsOf(Role::Approver) | Permission::Administer;
    case Role::Policy:
        return Permission::Observe | Permission::Release;
    }
    return {};
}

bool Grant::coversSource(const QString &source) const
{
    const QByteArray name = source.toUtf8();
    return sources.isEmpty() || std::any_of(sources.cbegin(), sources.cend(), [&name](const QString &glob) {
               return base::globMatches(glob.toUtf8(), name);
           });
}

bool Grant::covers(const QString &source, const QByteArray &lock) const
{
    return coversSource(source) &&
           (locks.isEmpty() || std::any_of(locks.cbegin(), locks.cend(), [&lock](const QByteArray &glob) {
                return base::nameFits(glob, lock);
            }));
}

Role Grants::role() const
{
    return highest(list, [](const Grant &) { return true; });
}

Role Grants::roleAt(const QString &source, const QByteArray &lock) const
{
    return highest(list, [&](const Grant &grant) { return grant.covers(source, lock); });
}

bool Grants::may(Permission permission, const QString &source, const QByteArray &lock) const
{
    return std::any_of(list.cbegin(), list.cend(), [&](const Grant &grant) {
        return permissionsOf(grant.role).testFlag(permission) && grant.covers(source, lock);
    });
}

bool Grants::mayOnAll(Permission permission, const QString &source) const
{
    return std::any_of(list.cbegin(), list.cend(), [&](const Grant &grant) {
        return permissionsOf(grant.role).testFlag(permission) && grant.locks.isEmpty() &&
               grant.coversSource(source);
    });
}

bool Grants::mayEverywhere(Permission permission) const
{
    return std::any_of(list.cbegin(), list.cend(), [permission](const Grant &grant) {
        return permissionsOf(grant.role).testFlag(permission) && grant.sources.isEmpty() &&
               grant.locks.isEmpty();
    });
}

bool Grants::mayAnywhere(Permission permission) const
{
    return std::any_of(list.cbegin(), list.cend(), [permission](const Grant &grant) {
        return permissionsOf(grant.role).testFlag(permission);
    });
}

bool Grants::looksEverywhere() const
{
    const auto isWhole = [](const Grant &grant) { return grant.sources.isEmpty() && grant.locks.isEmpty(); };
    return std::any_of(list.cbegin(), list.cend(), isWhole) ||
           std::none_of(list.cbegin(), list.cend(),
                        [](const Grant &grant) { return grant.role == Role::Viewer; });
}

bool Grants::mayLookAtSome(const QString &source, const QList<QByteArray> &matches) const
{
    return std::any_of(list.cbegin(), list.cend(), [&](const Grant &grant) {
        if (!grant.coversSource(source))
            return false;
        const auto meets = [&grant](const QByteArray &match) {
            return std::any_of(grant.locks.cbegin(), grant.locks.cend(),
                               [&match](const QByteArray &glob) { return mayMeet(glob, match); });
        };
        return grant.locks.isEmpty() || std::any_of(matches.cbegin(), matches.cend(), meets);
    });
}

Grants grantsFor(Role role)
{
    return {{{role, {}, {}}}};
}

} // namespace lockkeeper::domain
