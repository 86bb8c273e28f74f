// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::transport {

/** Whom the kernel lets connect to a local socket; who of them may stay is the listener's owner to say. */
struct SocketAudience
{
    enum class Who : quint8 { Owner, Group, Everyone };

    Who who = Who::Owner;
    QString group; ///< of Who::Group
    bool operator==(const SocketAudience &) const = default;
};

/**
 * Sets the mode of a socket's file: 0600, 0660 with that group, or 0666, which is also what a group gets that
 * this user can't give the file to.
 */
void admit(const QString &socket, const SocketAudience &audience);

/** The first folder on the way to `path` that keeps the audience out; empty: none does. */
QString folderInTheWay(const QString &path, const SocketAudience &audience);

} // namespace lockkeeper::transport
