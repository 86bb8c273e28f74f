// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

/** The makers of lock clients, one for each kind of store; makeLockClient() in factory.h chooses one. */
namespace lockkeeper::locks {

using MadeClient = base::Result<std::unique_ptr<LockClient>>;

namespace etcd {
/** Fails with Unsupported if this build has no etcd support. */
MadeClient makeLockClient(const stores::SourceSpec &spec, const stores::LockSet &set,
                          const QByteArray &owner);
} // namespace etcd

namespace mongodb {
/** Fails with Unsupported for layouts that only other programs write, and if this build has no driver. */
MadeClient makeLockClient(const stores::SourceSpec &spec, const stores::LockSet &set,
                          const QByteArray &owner);
} // namespace mongodb

namespace redis {
/** The client acquires, renews and releases locks as the scheme's own clients do. `owner`: for redis.json. */
MadeClient makeLockClient(const stores::SourceSpec &spec, const stores::LockSet &set,
                          const QByteArray &owner = {});
} // namespace redis

namespace sql {
/** `owner` is written to the holder column, with a random part for each acquisition. */
MadeClient makeLockClient(const stores::SourceSpec &spec, const stores::LockSet &set,
                          const QByteArray &owner);
} // namespace sql

namespace zookeeper {
/** Fails with Unsupported if this build has no client library for ZooKeeper. */
MadeClient makeLockClient(const stores::SourceSpec &spec, const stores::LockSet &set,
                          const QByteArray &owner);
} // namespace zookeeper

} // namespace lockkeeper::locks
