// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"

#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "shared/stores/redis/sentinel/sentinel_store.h"
#include "shared/stores/redis/store/redis_store.h"

namespace lockkeeper::stores::redis {

Topology topologyOf(const QUrl &url)
{
    if (isRedlock(url))
        return Topology::Redlock;
    if (url.scheme() == QLatin1String("redis+sentinel"))
        return Topology::Sentinel;
    return url.scheme() == QLatin1String("redis+cluster") ? Topology::Cluster : Topology::Server;
}

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    const Topology topology = topologyOf(spec.url);
    if (topology == Topology::Sentinel) {
        auto group = sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        return std::make_unique<SentinelStore>(std::move(*group), [spec](const Endpoint &primary) {
            return std::make_unique<RedisStore>(spec, primary);
        });
    }
    if (topology == Topology::Redlock)
        return makeRedlockStore(spec);
    if (topology == Topology::Cluster) {
        auto seeds = clusterSeedsOf(spec);
        if (!seeds)
            return tl::unexpected(seeds.error());
        return std::make_unique<ClusterStore>(spec, std::move(*seeds), [spec](const Endpoint &node) {
            return std::make_unique<RedisStore>(spec, node);
        });
    }
    auto endpoint = endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<RedisStore>(spec, std::move(*endpoint));
}

} // namespace lockkeeper::stores::redis
