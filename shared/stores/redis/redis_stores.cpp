// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"

#include "shared/stores/redis/cluster_lock_client.h"
#include "shared/stores/redis/cluster_store.h"
#include "shared/stores/redis/endpoint.h"
#include "shared/stores/redis/redis_lock_client.h"
#include "shared/stores/redis/redis_store.h"
#include "shared/stores/redis/redlock/redlock_stores.h"
#include "shared/stores/redis/sentinel_lock_client.h"
#include "shared/stores/redis/sentinel_store.h"

namespace lockkeeper::stores::redis {

namespace {

bool isSentinel(const SourceSpec &spec)
{
    return spec.url.scheme() == QLatin1String("redis+sentinel");
}

bool isCluster(const SourceSpec &spec)
{
    return spec.url.scheme() == QLatin1String("redis+cluster");
}

} // namespace

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    if (isSentinel(spec)) {
        auto group = sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        return std::make_unique<SentinelStore>(std::move(*group), [spec](const Endpoint &primary) {
            return std::make_unique<RedisStore>(spec, primary);
        });
    }
    if (isRedlock(spec.url))
        return makeRedlockStore(spec);
    if (isCluster(spec)) {
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

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    if (set.keys.permits != Permits::RedisSemaphore)
        return base::failure(base::ErrorCode::Unsupported,
                             QStringLiteral("this program takes permits of redis-semaphore's kind only"));
    if (isSentinel(spec)) {
        auto group = sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        return std::make_unique<SentinelLockClient>(
            std::move(*group),
            [spec, set, owner](const Endpoint &primary) {
                return std::make_unique<RedisLockClient>(spec, primary, set.match,
                                                         clientSchemeOf(set, owner));
            },
            spec.connectTimeoutMs + spec.statementTimeoutMs + 1'000);
    }
    if (isRedlock(spec.url))
        return makeRedlockLockClient(spec, set);
    if (isCluster(spec)) {
        auto seeds = clusterSeedsOf(spec);
        if (!seeds)
            return tl::unexpected(seeds.error());
        return std::make_unique<ClusterLockClient>(
            spec.password, std::move(*seeds),
            [spec, set, owner](const Endpoint &node) {
                return std::make_unique<RedisLockClient>(spec, node, set.match, clientSchemeOf(set, owner));
            },
            spec.connectTimeoutMs + spec.statementTimeoutMs + 1'000);
    }
    auto endpoint = endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<RedisLockClient>(spec, std::move(*endpoint), set.match,
                                             clientSchemeOf(set, owner));
}

} // namespace lockkeeper::stores::redis
