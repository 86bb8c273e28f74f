// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::transport {

/**
 * The name of the user at the other end of a connected local socket, as the kernel tells (SO_PEERCRED on
 * Linux); "uid:N" for a user without a name; empty where the system doesn't tell.
 */
QString peerUserOf(qintptr socketDescriptor);

} // namespace lockkeeper::transport
