// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/etcd_stores.h"

#include "shared/stores/etcd/store/etcd_store.h"

namespace lockkeeper::stores::etcd {

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    auto endpoints = endpointsOf(spec);
    if (!endpoints)
        return tl::unexpected(endpoints.error());
    return std::make_unique<EtcdStore>(spec, std::move(*endpoints));
}

} // namespace lockkeeper::stores::etcd
