// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/redis/cluster_lock_client.h"
#include "shared/locks/redis/redis_lock_client.h"
#include "shared/locks/redis/redlock_lock_client.h"
#include "shared/locks/redis/sentinel_lock_client.h"
#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/redis/redlock/redlock_stores.h"

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {

std::unique_ptr<RedisLockClient> makeServerClient(const SourceSpec &spec, const Endpoint &server,
                                                  const LockSet &set, const QByteArray &owner)
{
    auto client = std::make_unique<RedisLockClient>(spec, server, set.match,
                                                    clientSchemeOf(set, owner, topologyOf(spec.url)));
    if (set.waitersRegistered)
        client->setRegisters();
    return client;
}

/** Makes a client that acquires locks on a majority of the nodes. */
base::Result<std::unique_ptr<LockClient>> makeRedlockLockClient(const SourceSpec &spec, const LockSet &set)
{
    const auto urls = nodeUrlsOf(spec.url, !spec.tls.isEmpty());
    if (!urls)
        return tl::unexpected(urls.error());
    std::vector<std::unique_ptr<RedisLockClient>> nodes;
    for (const QUrl &url : *urls) {
        const SourceSpec own = nodeSpec(spec, url);
        auto endpoint = endpointOf(own);
        if (!endpoint)
            return tl::unexpected(endpoint.error());
        nodes.push_back(std::make_unique<RedisLockClient>(own, std::move(*endpoint), set.match,
                                                          clientSchemeOf(set, {}, Topology::Redlock)));
    }
    return std::make_unique<RedlockLockClient>(std::move(nodes));
}

} // namespace

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    const Topology topology = topologyOf(spec.url);
    if (set.keys.permits != Permits::RedisSemaphore)
        return base::failure(base::ErrorCode::Unsupported,
                             QStringLiteral("this program acquires only permits of redis-semaphore's kind"));
    Traits traits = clientSchemeOf(set, owner, topology)->traits();
    traits.registers = set.waitersRegistered;
    if (topology == Topology::Sentinel) {
        auto group = sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        return std::make_unique<SentinelLockClient>(
            std::move(*group),
            [spec, set, owner](const Endpoint &primary) {
                return makeServerClient(spec, primary, set, owner);
            },
            spec.connectTimeoutMs + spec.statementTimeoutMs + 1'000, traits);
    }
    if (topology == Topology::Redlock)
        return makeRedlockLockClient(spec, set);
    if (topology == Topology::Cluster) {
        traits.wakes = false; // waiters for a plain lock subscribe to no node
        auto seeds = clusterSeedsOf(spec);
        if (!seeds)
            return tl::unexpected(seeds.error());
        return std::make_unique<ClusterLockClient>(
            spec.password, std::move(*seeds),
            [spec, set, owner](const Endpoint &node) { return makeServerClient(spec, node, set, owner); },
            spec.connectTimeoutMs + spec.statementTimeoutMs + 1'000, traits);
    }
    auto endpoint = endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return makeServerClient(spec, *endpoint, set, owner);
}

} // namespace lockkeeper::locks::redis
