// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"

#include "shared/locks/etcd/etcd_lock_clients.h"
#include "shared/locks/mongodb/mongo_lock_clients.h"
#include "shared/locks/redis/redis_lock_clients.h"
#include "shared/locks/sql/sql_lock_clients.h"
#include "shared/locks/zookeeper/zookeeper_lock_clients.h"
#include "shared/stores/factory.h"

namespace lockkeeper::locks {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    const auto kind = checkedKind(spec, {set});
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == "etcd")
        return etcd::makeLockClient(spec, owner);
    if (*kind == "mongodb")
        return mongodb::makeLockClient(spec, set, owner);
    if (*kind == "zookeeper")
        return zookeeper::makeLockClient(spec, owner);
    return *kind == "redis" ? redis::makeLockClient(spec, set, owner) : sql::makeLockClient(spec, set, owner);
}

} // namespace lockkeeper::locks
