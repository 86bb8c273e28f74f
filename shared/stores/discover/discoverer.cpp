// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/discoverer.h"

#include "shared/stores/discover/mongodb_scan.h"
#include "shared/stores/discover/queues/etcd_discoverer.h"
#include "shared/stores/discover/queues/zookeeper_discoverer.h"
#include "shared/stores/discover/redis_discoverer.h"
#include "shared/stores/discover/sql_scan.h"
#include "shared/stores/sql/connection/sql_connection.h"

namespace lockkeeper::stores::discover {

base::Result<std::unique_ptr<Discoverer>> makeDiscoverer(const SourceSpec &spec)
{
    const auto kind = storeKind(spec.url);
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == "etcd")
        return EtcdDiscoverer::of(spec);
    if (*kind == "mongodb")
        return std::make_unique<BlockingDiscoverer>(spec, &scanMongodb);
    if (*kind == "zookeeper") {
        auto survey = zookeeper::Survey::of(spec);
        if (!survey)
            return tl::unexpected(survey.error());
        return std::make_unique<ZookeeperDiscoverer>(spec, *std::move(survey));
    }
    if (*kind == "redis")
        return RedisDiscoverer::of(spec);
    if (const auto endpoint = sql::endpointOf(spec.url); !endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<BlockingDiscoverer>(
        spec, [store = *kind](const SourceSpec &one, const Progress &progress, const std::atomic_bool &stop) {
            return scanSql(one, store, progress, stop);
        });
}

} // namespace lockkeeper::stores::discover
