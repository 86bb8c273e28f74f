// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

namespace lockkeeper::transport {

/** ssh's exit status for its own faults. Any other status comes from the remote command. */
inline constexpr int kSshsOwnFault = 255;

/**
 * Why ssh ended before its bridge was open. ssh has one exit status (255) for all its own faults and explains
 * them in English on its standard error. Other statuses come from the remote command: 127 from a shell that
 * doesn't find the program, 2 and 3 from lockkeeperctl.
 *
 * @param said The standard error of ssh and the bridge, or at least its end
 */
base::Error sshFailure(const Address &address, int status, const QByteArray &said);

/** Why ssh ended after its bridge had reached the agent. */
base::Error sshLoss(const Address &address, const QByteArray &said);

} // namespace lockkeeper::transport
