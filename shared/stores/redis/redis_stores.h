// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <memory>

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

/** How many servers a source has, and how they belong together. */
enum class Topology : quint8 { Server, Sentinel, Cluster, Redlock };
Topology topologyOf(const QUrl &url);

/** Observes and breaks locks in one Redis server over hiredis on the calling thread's event loop. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
