// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"

namespace lockkeeper::locks::redis {

/** ACL rules that the register of waiters needs. */
inline constexpr char kRegisterRules[] = "~lockkeeper:waiters:* +zadd +zrem +zremrangebyscore +pexpire +time";

constexpr bool isOfRegister(ClientAct act)
{
    return act == ClientAct::Announce || act == ClientAct::Withdraw;
}

/** Adds the command of an Announce (for the lease's `ttlUs`) or Withdraw, which is the same for every scheme.
 * Writes the sorted set of stores::redis::waitersKeyOf(). */
void composeRegister(stores::redis::CommandBatch &to, const ClientCall &call);

} // namespace lockkeeper::locks::redis
