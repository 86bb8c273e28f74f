// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/redis_nodes.h"

#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/redlock/redlock_stores.h"

namespace lockkeeper::stores::discover {

using redis::Endpoint;

RedisNodes::RedisNodes(Endpoint one) : RedisNodes({std::move(one)}, Topology::One) {}

RedisNodes::RedisNodes(QList<Endpoint> nodes, Topology topology)
    : m_topology(topology), m_nodes(std::move(nodes))
{
}

base::Result<std::unique_ptr<RedisNodes>> RedisNodes::of(const SourceSpec &spec)
{
    if (spec.url.scheme() == QLatin1String("redis+sentinel")) {
        auto group = redis::sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        auto nodes = std::make_unique<RedisNodes>(group->primary);
        nodes->askSentinels(std::move(*group));
        return nodes;
    }
    if (spec.url.scheme() == QLatin1String("redis+cluster")) {
        auto seeds = redis::clusterSeedsOf(spec);
        if (!seeds)
            return tl::unexpected(seeds.error());
        auto nodes = std::make_unique<RedisNodes>(std::move(*seeds), Topology::Cluster);
        nodes->askCluster(spec.password);
        return nodes;
    }
    if (isRedlock(spec.url)) {
        const auto urls = redis::nodeUrlsOf(spec.url, !spec.tls.isEmpty());
        if (!urls)
            return tl::unexpected(urls.error());
        QList<Endpoint> all;
        for (const QUrl &url : *urls) {
            SourceSpec node = spec;
            node.url = url;
            auto endpoint = redis::endpointOf(node);
            if (!endpoint)
                return tl::unexpected(endpoint.error());
            all.append(std::move(*endpoint));
        }
        return std::make_unique<RedisNodes>(std::move(all), Topology::Redlock);
    }
    auto endpoint = redis::endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<RedisNodes>(std::move(*endpoint));
}

void RedisNodes::askSentinels(redis::SentinelGroup group)
{
    m_sentinels = std::make_unique<redis::SentinelGuide>(std::move(group));
    connect(m_sentinels.get(), &redis::SentinelGuide::found, this, [this](const Endpoint &primary) {
        m_sentinels->stop();
        Q_EMIT found({primary});
    });
    connect(m_sentinels.get(), &redis::SentinelGuide::notFound, this, &RedisNodes::notFound);
}

void RedisNodes::askCluster(const QByteArray &password)
{
    m_cluster = std::make_unique<redis::ClusterGuide>(password);
    connect(m_cluster.get(), &redis::ClusterGuide::answered, this, [this](const redis::ClusterMap &map) {
        QList<Endpoint> primaries;
        for (const redis::ClusterNode &node : map.nodes) {
            Endpoint primary = m_nodes.first();
            primary.host = node.host;
            primary.port = node.port;
            if (!node.ranges.isEmpty())
                primaries.append(primary);
        }
        Q_EMIT found(primaries);
    });
    connect(m_cluster.get(), &redis::ClusterGuide::unanswered, this, &RedisNodes::notFound);
}

void RedisNodes::find()
{
    if (m_sentinels != nullptr)
        m_sentinels->find();
    else if (m_cluster != nullptr)
        m_cluster->ask(m_nodes);
    else
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT found(m_nodes); }, Qt::QueuedConnection);
}

void RedisNodes::cancel()
{
    disconnect();
    if (m_sentinels != nullptr)
        m_sentinels->stop();
    if (m_cluster != nullptr)
        m_cluster->stop();
}

} // namespace lockkeeper::stores::discover
