// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockkeeper::stores::redis {

/**
 * The ACL rules beside the keys' pattern, in words of `ACL SETUSER`. The least that observing needs, for
 * locks `lock:*` in database 0 of Redis 7:
 *
 *     ACL SETUSER lk on >SECRET resetkeys %R~lock:* -@all +scan +getrange +strlen +pexpiretime +time +info
 *
 * (`+select` for another database, `+client|setname` to be known by name; before Redis 7 `~lock:*` and
 * `+pttl` instead of `%R~lock:*` and `+pexpiretime`.) Breaking needs both directions on the keys and the
 * commands of the script:
 *
 *     ACL SETUSER lk ~lock:* +type +del +eval +evalsha +wait
 */
inline constexpr char kObserveRules[] = "+scan +getrange +strlen +pexpiretime +time +info";
inline constexpr char kBreakRules[] = "+type +del +eval +evalsha +wait";

} // namespace lockkeeper::stores::redis
