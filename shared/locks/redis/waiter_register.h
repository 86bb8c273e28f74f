// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"

namespace lockkeeper::locks::redis {

/** ACL rules that the register of those who wait needs. */
inline constexpr char kRegisterRules[] = "~lockkeeper:waiters:* +zadd +zrem +zremrangebyscore +pexpire +time";

constexpr bool isOfRegister(ClientAct act)
{
    return act == ClientAct::Announce || act == ClientAct::Withdraw;
}

/** Adds the command of an Announce (for `ttlUs` of the lease) or Withdraw, whatever the scheme: the sorted
 * set of stores::redis::waitersKeyOf(). */
void composeRegister(CommandBatch &to, const ClientCall &call);

} // namespace lockkeeper::locks::redis
