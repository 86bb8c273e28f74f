// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lockkeeper::transport {

/**
 * The name of the user at the other end of a connected local socket, as the kernel reports it (SO_PEERCRED on
 * Linux). Returns "uid:N" for a user without a name, and an empty string where the system doesn't report it.
 */
QString peerUserOf(qintptr socketDescriptor);
/** The names of that user's Unix groups, including the peer's current group; empty where unknown. */
QStringList peerGroupsOf(qintptr socketDescriptor);

} // namespace lockkeeper::transport
