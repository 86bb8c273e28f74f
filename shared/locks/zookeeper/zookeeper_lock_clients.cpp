// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/zookeeper/zookeeper_lock_clients.h"

#include "shared/locks/zookeeper/zookeeper_lock_client.h"

namespace lockkeeper::locks::zookeeper {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    auto ensemble = ensembleOf(spec);
    if (!ensemble)
        return tl::unexpected(ensemble.error());
    return std::make_unique<ZookeeperLockClient>(std::move(*ensemble), set.preset, set.keys.limit, owner);
}

} // namespace lockkeeper::locks::zookeeper
