// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::transport {

/** The users that the kernel lets connect to a local socket. The listener's owner may still refuse them. */
struct SocketAudience
{
    enum class Who : quint8 { Owner, Group, Everyone };

    Who who = Who::Owner;
    QString group; ///< of Who::Group
    bool operator==(const SocketAudience &) const = default;
};

/**
 * Sets the mode of a socket file: 0600 for the owner, 0660 for a group, 0666 for everyone. If this user can't
 * change the file's group, the mode is 0666 too.
 */
void admit(const QString &socket, const SocketAudience &audience);

/** The first folder on the way to `path` that the audience can't enter; empty: it can enter all of them. */
QString folderInTheWay(const QString &path, const SocketAudience &audience);

} // namespace lockkeeper::transport
