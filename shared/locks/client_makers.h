// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

/** A client of the set's scheme, by the kind of its store; makeLockClient() of factory.h knows which. */
namespace lockkeeper::locks {

using MadeClient = base::Result<std::unique_ptr<LockClient>>;

namespace etcd {
using namespace stores;
/** Unsupported where this build leaves etcd out. */
MadeClient makeLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner);
} // namespace etcd

namespace mongodb {
using namespace stores;
/** Unsupported for layouts that only others write, and where this build has no driver. */
MadeClient makeLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner);
} // namespace mongodb

namespace redis {
using namespace stores;
/** Takes, renews and gives back locks as the clients of the set's scheme do. `owner`: for redis.json. */
MadeClient makeLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner = {});
} // namespace redis

namespace sql {
using namespace stores;
/** `owner` goes into the holder's column with a random part for each acquisition. */
MadeClient makeLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner);
} // namespace sql

namespace zookeeper {
using namespace stores;
/** Unsupported where this build has no client library for ZooKeeper. */
MadeClient makeLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner);
} // namespace zookeeper

} // namespace lockkeeper::locks
