// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_sampler.h"
#include "shared/stores/discover/verified_discoverer.h"
#include "shared/stores/redis/cluster/cluster_guide.h"
#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

namespace lockkeeper::stores::discover {

/** How the servers that a URL leads to belong together. */
enum class ServerGrouping : quint8 {
    One = 0, ///< a single server, or the primary of a Sentinel group
    Cluster, ///< each has its own keys
    Redlock, ///< the same keys on all of them
};

/**
 * The Discoverer of Redis: it takes a bounded sample of keys over one connection on the event loop. It judges
 * similar keys together by their names, types, times to live and values. The servers are the URL's server,
 * the primary that its sentinels name, the primaries of its cluster, or the nodes of its Redlock. They are
 * sampled one after the other, within the same limits, and the keys of all are judged together. A server that
 * can't be asked is left out.
 */
class RedisDiscoverer final : public VerifiedDiscoverer
{
    Q_OBJECT

public:
    /** A usage Error where the URL makes no sense. */
    static base::Result<std::unique_ptr<Discoverer>> of(const SourceSpec &spec);
    /** `nodes`: of a cluster where to ask first. */
    RedisDiscoverer(SourceSpec spec, QList<redis::Endpoint> nodes, ServerGrouping topology);
    /** One server. */
    RedisDiscoverer(SourceSpec spec, redis::Endpoint endpoint, SampleLimits limits = {});
    ~RedisDiscoverer() override;

    void start() override;

private:
    void takeMap(const redis::ClusterMap &map);
    void next();
    void nodeFailed(const base::Error &error);
    void onConnected();
    void onFacts(const base::Result<redis::RedisFacts> &facts);
    void onSampled();
    void judgeAll();
    Candidate candidateOf(const KeyGroup &group);
    void dropLink();
    void drop() override;

    QList<redis::Endpoint> m_nodes;
    ServerGrouping m_topology = ServerGrouping::One;
    SampleLimits m_limits;
    std::unique_ptr<redis::SentinelGuide> m_sentinels; ///< name the one node
    std::unique_ptr<redis::ClusterGuide> m_cluster;    ///< finds the primaries
    std::unique_ptr<redis::RedisConnection> m_connection;
    std::unique_ptr<KeySampler> m_sampler;
    QList<KeyGroup> m_groups;               ///< of a single server
    QList<KeyFacts> m_keys;                 ///< of several
    QHash<QByteArray, int> m_copies;        ///< nodes that have a key; below 0: not with the same value
    QHash<QByteArray, QByteArray> m_values; ///< the Redlock node where the key was read
    base::Error m_failure;                  ///< of the first node that couldn't be asked
    qsizetype m_at = -1;
    qsizetype m_sampled = 0; ///< nodes
    qint64 m_nowS = 0;
};

} // namespace lockkeeper::stores::discover
