// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/etcd_lock_clients.h"

#include "shared/locks/etcd/etcd_lock_client.h"

namespace lockkeeper::locks::etcd {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    auto endpoints = endpointsOf(spec);
    if (!endpoints)
        return tl::unexpected(endpoints.error());
    return std::make_unique<EtcdLockClient>(spec, std::move(*endpoints),
                                            set.preset == QLatin1String("etcd-key"), owner);
}

} // namespace lockkeeper::locks::etcd
