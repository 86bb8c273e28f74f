// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/zookeeper_stores.h"

#include "shared/stores/zookeeper/store/zookeeper_store.h"

namespace lockkeeper::stores::zookeeper {

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    auto ensemble = ensembleOf(spec);
    if (!ensemble)
        return tl::unexpected(ensemble.error());
    return std::make_unique<ZookeeperStore>(spec, std::move(*ensemble));
}

} // namespace lockkeeper::stores::zookeeper
