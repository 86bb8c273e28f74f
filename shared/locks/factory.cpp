// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"

#include "shared/locks/client_makers.h"
#include "shared/locks/sql/create_table.h"
#include "shared/stores/factory.h"

namespace lockkeeper::locks {

using namespace stores;

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &asked,
                                                         const QByteArray &owner)
{
    const LockSet set = sql::withLayout(asked);
    const auto kind = checkedKind(spec, {set});
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == "etcd")
        return etcd::makeLockClient(spec, set, owner);
    if (*kind == "mongodb")
        return mongodb::makeLockClient(spec, set, owner);
    if (*kind == "zookeeper")
        return zookeeper::makeLockClient(spec, set, owner);
    return *kind == "redis" ? redis::makeLockClient(spec, set, owner) : sql::makeLockClient(spec, set, owner);
}

} // namespace lockkeeper::locks
