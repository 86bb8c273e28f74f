// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/redis_discoverer.h"

#include "shared/domain/node.h"
#include "shared/stores/discover/key_groups.h"
#include "shared/stores/discover/key_scoring.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/factory.h"
#include "shared/stores/redis/cluster/cluster_store.h"
#include "shared/stores/redis/redlock/redlock_stores.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {

SampleLimits shareOf(SampleLimits limits, qsizetype nodes)
{
    limits.names = std::max<qint64>(1, limits.names / nodes);
    limits.keys = std::max<qsizetype>(1, limits.keys / nodes);
    limits.named = std::max<qsizetype>(1, limits.named / nodes);
    limits.contents = std::max<qsizetype>(1, limits.contents / nodes);
    return limits;
}

} // namespace

base::Result<std::unique_ptr<Discoverer>> RedisDiscoverer::of(const SourceSpec &spec)
{
    if (spec.url.scheme() == QLatin1String("redis+sentinel")) {
        auto group = redis::sentinelGroupOf(spec);
        if (!group)
            return tl::unexpected(group.error());
        auto made = std::make_unique<RedisDiscoverer>(spec, group->primary);
        made->m_sentinels = std::make_unique<redis::SentinelGuide>(std::move(*group));
        return made;
    }
    if (spec.url.scheme() == QLatin1String("redis+cluster")) {
        auto seeds = redis::clusterSeedsOf(spec);
        if (!seeds)
            return tl::unexpected(seeds.error());
        auto made = std::make_unique<RedisDiscoverer>(spec, std::move(*seeds), ServerGrouping::Cluster);
        made->m_cluster = std::make_unique<redis::ClusterGuide>(spec.password);
        return made;
    }
    QList<QUrl> urls{spec.url};
    if (isRedlock(spec.url)) {
        auto nodes = redis::nodeUrlsOf(spec.url, !spec.tls.isEmpty());
        if (!nodes)
            return tl::unexpected(nodes.error());
        urls = std::move(*nodes);
    }
    QList<redis::Endpoint> all;
    for (const QUrl &url : std::as_const(urls)) {
        SourceSpec node = spec;
        node.url = url;
        auto endpoint = redis::endpointOf(node);
        if (!endpoint)
            return tl::unexpected(endpoint.error());
        all.append(std::move(*endpoint));
    }
    return std::make_unique<RedisDiscoverer>(
        spec, std::move(all), isRedlock(spec.url) ? ServerGrouping::Redlock : ServerGrouping::One);
}

RedisDiscoverer::RedisDiscoverer(SourceSpec spec, QList<redis::Endpoint> nodes, ServerGrouping topology)
    : VerifiedDiscoverer(std::move(spec)), m_nodes(std::move(nodes)), m_topology(topology)
{
}

RedisDiscoverer::RedisDiscoverer(SourceSpec spec, redis::Endpoint endpoint, SampleLimits limits)
    : RedisDiscoverer(std::move(spec), {std::move(endpoint)}, ServerGrouping::One)
{
    m_limits = limits;
}

RedisDiscoverer::~RedisDiscoverer() = default;

void RedisDiscoverer::start()
{
    if (m_sentinels != nullptr) {
        connect(m_sentinels.get(), &redis::SentinelGuide::found, this,
                [this](const redis::Endpoint &primary) {
                    m_sentinels->stop();
                    m_nodes = {primary};
                    next();
                });
        connect(m_sentinels.get(), &redis::SentinelGuide::notFound, this, &RedisDiscoverer::end);
        m_sentinels->find();
    } else if (m_cluster != nullptr) {
        connect(m_cluster.get(), &redis::ClusterGuide::answered, this, &RedisDiscoverer::takeMap);
        connect(m_cluster.get(), &redis::ClusterGuide::unanswered, this, &RedisDiscoverer::end);
        m_cluster->ask(m_nodes);
    } else {
        QMetaObject::invokeMethod(this, &RedisDiscoverer::next, Qt::QueuedConnection);
    }
}

void RedisDiscoverer::takeMap(const redis::ClusterMap &map)
{
    QList<redis::Endpoint> primaries;
    for (const redis::ClusterNode &node : map.nodes) {
        redis::Endpoint primary = m_nodes.first();
        primary.host = node.host;
        primary.port = node.port;
        if (!node.ranges.isEmpty())
            primaries.append(primary);
    }
    m_nodes = primaries;
    next();
}

void RedisDiscoverer::drop()
{
    if (m_sentinels != nullptr)
        m_sentinels->stop();
    if (m_cluster != nullptr)
        m_cluster->stop();
    dropLink();
}

/** The link itself may be the caller. */
void RedisDiscoverer::dropLink()
{
    if (m_sampler != nullptr) {
        m_sampler->disconnect(this);
        m_sampler.release()->deleteLater();
    }
    if (m_connection != nullptr) {
        m_connection->disconnect(this);
        m_connection->close();
        m_connection.release()->deleteLater();
    }
}

void RedisDiscoverer::next()
{
    if (isOver())
        return;
    dropLink();
    if (++m_at == m_nodes.size()) {
        if (m_sampled > 0)
            judgeAll();
        else
            end(m_failure);
        return;
    }
    m_connection = std::make_unique<redis::RedisConnection>(m_nodes.at(m_at), spec().statementTimeoutMs);
    m_sampler = std::make_unique<KeySampler>(*m_connection, shareOf(m_limits, m_nodes.size()));
    connect(m_connection.get(), &redis::RedisConnection::connected, this, &RedisDiscoverer::onConnected);
    connect(m_connection.get(), &redis::RedisConnection::lost, this, &RedisDiscoverer::nodeFailed);
    connect(m_sampler.get(), &KeySampler::progressed, this, [this](qint64 done, qint64 total) {
        Q_EMIT progressed(discovery().tables + done, discovery().tables + total);
    });
    connect(m_sampler.get(), &KeySampler::failed, this, &RedisDiscoverer::nodeFailed);
    connect(m_sampler.get(), &KeySampler::done, this, &RedisDiscoverer::onSampled);
    m_connection->open(spec().connectTimeoutMs);
}

/** Goes on with the other nodes: their keys suffice, but the sample is then incomplete. */
void RedisDiscoverer::nodeFailed(const base::Error &error)
{
    if (m_failure.cause.isEmpty())
        m_failure = error;
    discovery().allSeen = false;
    next();
}

void RedisDiscoverer::onConnected()
{
    redis::shakeHands(*m_connection, spec().password,
                      [this](const base::Result<redis::RedisFacts> &facts) { onFacts(facts); });
}

void RedisDiscoverer::onFacts(const base::Result<redis::RedisFacts> &facts)
{
    if (!facts) {
        nodeFailed(facts.error());
        return;
    }
    discovery().store = "redis";
    discovery().server = facts->product();
    if (m_topology == ServerGrouping::Cluster)
        discovery().server += QStringLiteral(", cluster of %1 primaries").arg(m_nodes.size());
    else if (m_topology == ServerGrouping::Redlock)
        discovery().server += QStringLiteral(", %1 nodes").arg(m_nodes.size());
    discovery().database = QString::fromLatin1(m_connection->endpoint().place());
    m_sampler->start();
}

void RedisDiscoverer::onSampled()
{
    ++m_sampled;
    discovery().tables += m_sampler->scanned();
    discovery().allSeen = discovery().allSeen && m_sampler->allSeen();
    m_nowS = m_sampler->nowS();
    if (m_topology == ServerGrouping::One) {
        m_groups = m_sampler->groups();
    } else {
        for (const KeyFacts &key : m_sampler->keys()) {
            // Another token under the same name is another lock's; not every value is read.
            const bool other = key.sampled && m_values.contains(key.name) && m_values[key.name] != key.value;
            if (key.sampled)
                m_values.insert(key.name, key.value);
            if (other)
                m_copies[key.name] = std::numeric_limits<int>::min() / 2;
            if (++m_copies[key.name] == 1 || m_topology == ServerGrouping::Cluster)
                m_keys.append(key);
        }
    }
    next();
}

/** A Redlock's locks are tokens that most of its nodes have. */
Candidate RedisDiscoverer::candidateOf(const KeyGroup &group)
{
    Candidate candidate = judge(group, m_nowS);
    const bool redlock = m_topology == ServerGrouping::Redlock;
    if (redlock && candidate.scheme == "redis.token") {
        candidate.scheme = QByteArrayLiteral("redis.redlock");
        candidate.preset.clear();
        const auto onMost =
            std::count_if(group.keys.cbegin(), group.keys.cend(), [this](const KeyFacts &key) {
                return m_copies.value(key.name) >= domain::quorumOf(m_nodes.size());
            });
        if (discovery().allSeen && 2 * onMost < group.keys.size())
            candidate.missing.append(Missing::KeyShape);
    }
    if (!candidate.scheme.isEmpty() && !isSchemeOf(candidate.scheme, redlock ? "redlock" : "redis"))
        candidate.missing.append(Missing::Support);
    return candidate;
}

void RedisDiscoverer::judgeAll()
{
    if (m_topology != ServerGrouping::One)
        m_groups = groupsOf(m_keys);
    QList<Candidate> candidates;
    for (const KeyGroup &group : std::as_const(m_groups)) {
        const Candidate candidate = candidateOf(group);
        const auto same =
            std::find_if(candidates.begin(), candidates.end(), [&candidate](const Candidate &one) {
                return !one.preset.isEmpty() && one.preset == candidate.preset &&
                       one.match == candidate.match;
            });
        if (same == candidates.end())
            candidates.append(candidate);
        else
            same->keys += candidate.keys; // other names of the same client
    }
    verify(std::move(candidates));
}

} // namespace lockkeeper::stores::discover
