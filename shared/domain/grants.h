// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFlags>
#include <QList>
#include <QStringList>

#include <optional>

namespace lockkeeper::domain {

/** Permissions that requests need and roles grant. */
enum class Permission : quint8 {
    None = 0,
    Observe = 1,    ///< read the live state, the history and the audit
    Release = 2,    ///< force-release
    Administer = 4, ///< change how the agent itself works
    Probe = 8,      ///< listen to the commands of a store's clients, where its source allows it
    Approve = 16,   ///< decide on force-releases that other users asked for
};
Q_DECLARE_FLAGS(Permissions, Permission)
Q_DECLARE_OPERATORS_FOR_FLAGS(Permissions)

/** Each role includes the permissions of the one before it, except Policy, which no session has. */
enum class Role : quint8 {
    Viewer = 0,
    Operator,
    Approver,
    Admin,
    Policy, ///< the agent itself, as configured
};

/** The stable name in Welcome and in the audit: "viewer", "operator", "approver", "admin", "policy". */
QString roleName(Role role);
/** Only for roles that a user can have: empty for "policy". */
std::optional<Role> roleFromName(const QString &name);
Permissions permissionsOf(Role role);

/** A role and its scope: where a viewer may look, or where another role may act. */
struct Grant
{
    Role role = Role::Viewer;
    QStringList sources;     ///< globs; empty: every source
    QList<QByteArray> locks; ///< globs of lock names; empty: every lock

    bool coversSource(const QString &source) const;
    bool covers(const QString &source, const QByteArray &lock) const;
    bool operator==(const Grant &) const = default;
};

/** All grants of one user; empty: may not even look. A plain value, on both sides of the wire. */
struct Grants
{
    QList<Grant> list;

    /** The highest role, whatever its scope. */
    Role role() const;
    /** The highest role whose scope includes this lock; Viewer if none does. */
    Role roleAt(const QString &source, const QByteArray &lock) const;
    /** True if the user has the permission on this lock. */
    bool may(Permission permission, const QString &source, const QByteArray &lock) const;
    /** True if the user has the permission on the whole source; grants for single locks don't count. */
    bool mayOnAll(Permission permission, const QString &source) const;
    /** True if the user has the permission on all sources and locks, present and future. */
    bool mayEverywhere(Permission permission) const;
    /** True if the user has the permission on anything at all. */
    bool mayAnywhere(Permission permission) const;
    /** False if a viewer entry limits what the user sees: then the user sees what all entries together cover.
     * Entries of the other roles limit only where the user may act. */
    bool looksEverywhere() const;
    /** True if the user may see a lock in that source whose name may match one of these globs. */
    bool mayLookAtSome(const QString &source, const QList<QByteArray> &matches) const;
    bool operator==(const Grants &) const = default;
};

/** One role with unlimited scope. */
Grants grantsFor(Role role);

} // namespace lockkeeper::domain
