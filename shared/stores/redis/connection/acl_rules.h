// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockkeeper::stores::redis {

/**
 * The ACL rules beside the keys' pattern, in words of `ACL SETUSER`. The least for observing locks `lock:*`
 * in database 0 of Redis 7:
 *
 *     ACL SETUSER lk on >SECRET resetkeys %R~lock:* -@all +scan +getrange +strlen +pexpiretime +time +info
 *
 * Another database also needs `+select`. To be known by name, a user also needs `+client|setname`. Before
 * Redis 7, use `~lock:*` and `+pttl` instead of `%R~lock:*` and `+pexpiretime`. Breaking needs both
 * directions on the keys and the commands of the script:
 *
 *     ACL SETUSER lk ~lock:* +type +del +eval +evalsha +wait
 */
inline constexpr char kObserveRules[] = "+scan +getrange +strlen +pexpiretime +time +info";
inline constexpr char kBreakRules[] = "+type +del +eval +evalsha +wait";

} // namespace lockkeeper::stores::redis
