// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::transport {

/**
 * The name of the user at the other end of a connected local socket, as the kernel tells (SO_PEERCRED on
 * Linux); "uid:N" for a user without a name; empty where the system doesn't tell.
 */
QString peerUserOf(qintptr socketDescriptor);
/** The names of that user's Unix groups, with the one that the peer runs in; empty where nobody tells. */
QStringList peerGroupsOf(qintptr socketDescriptor);

} // namespace lockkeeper::transport
