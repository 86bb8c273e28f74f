// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

namespace lockkeeper::transport {

/** ssh's exit status for all that befalls itself; any other one is that of what it ran there. */
inline constexpr int kSshsOwnFault = 255;

/**
 * Why an ssh ended before its bridge was open. ssh has one status (255) for all that befalls itself and tells
 * the rest in English on its standard error; other statuses are those of what it ran there: 127 of a shell
 * that finds no such program, 2 and 3 of lockkeeperctl.
 * @param said ssh's and the bridge's standard error, its end at least
 */
base::Error sshFailure(const Address &address, int status, const QByteArray &said);

/** Why one ended that had reached its agent. */
base::Error sshLoss(const Address &address, const QByteArray &said);

} // namespace lockkeeper::transport
