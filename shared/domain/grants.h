// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFlags>
#include <QList>
#include <QStringList>

#include <optional>

namespace lockkeeper::domain {

/** What a request needs, and what a role gives. */
enum class Permission : quint8 {
    None = 0,
    Observe = 1,    ///< read the live state, the history and the audit
    Release = 2,    ///< force-release
    Administer = 4, ///< change how the agent itself works
    Probe = 8,      ///< listen to the commands of a store's clients, where its source allows it
    Approve = 16,   ///< decide on force-releases that others have asked for
};
Q_DECLARE_FLAGS(Permissions, Permission)
Q_DECLARE_OPERATORS_FOR_FLAGS(Permissions)

/** Each may what the one before it may, but Policy, which is no session's. */
enum class Role : quint8 {
    Viewer = 0,
    Operator,
    Approver,
    Admin,
    Policy, ///< the agent itself, as its configuration says
};

/** The stable name in Welcome and in the audit: "viewer", "operator", "approver", "admin", "policy". */
QString roleName(Role role);
/** Of the roles that a person can have. */
std::optional<Role> roleFromName(const QString &name);
Permissions permissionsOf(Role role);

/** A role and where it holds: for viewers where they may look, for the others where they may act. */
struct Grant
{
    Role role = Role::Viewer;
    QStringList sources;     ///< globs; empty: every source
    QList<QByteArray> locks; ///< globs of lock names; empty: every lock

    bool coversSource(const QString &source) const;
    bool covers(const QString &source, const QByteArray &lock) const;
    bool operator==(const Grant &) const = default;
};

/** All that one user was granted; empty: may not even look. A plain value, on both sides of the wire. */
struct Grants
{
    QList<Grant> list;

    /** The highest of them, wherever it may act. */
    Role role() const;
    /** The highest that may act on this lock; Viewer where none may. */
    Role roleAt(const QString &source, const QByteArray &lock) const;
    /** On this lock. */
    bool may(Permission permission, const QString &source, const QByteArray &lock) const;
    /** On the source as a whole, which a grant for some of its locks doesn't give. */
    bool mayOnAll(Permission permission, const QString &source) const;
    /** On everything there is, and will be. */
    bool mayEverywhere(Permission permission) const;
    /** On anything at all. */
    bool mayAnywhere(Permission permission) const;
    /** False: somebody whom a viewer's entry narrows, who looks at what all entries together cover. Entries
     * of acting roles alone narrow the acting, not the looking. */
    bool looksEverywhere() const;
    /** Whether locks that one of these globs matches may be seen in that source. */
    bool mayLookAtSome(const QString &source, const QList<QByteArray> &matches) const;
    bool operator==(const Grants &) const = default;
};

/** One role everywhere. */
Grants grantsFor(Role role);

} // namespace lockkeeper::domain
