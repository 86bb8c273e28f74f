// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_guide.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

namespace lockkeeper::stores::discover {

/** How the servers that a URL leads to belong together. */
enum class Topology : quint8 {
    One = 0, ///< a single server, or the primary of a Sentinel group
    Cluster, ///< each has keys of its own
    Redlock, ///< the same keys on all of them
};

/**
 * Finds the servers whose keys a URL of Redis means: itself, the primary that the sentinels name, the
 * primaries of a cluster, the nodes of a Redlock. Lives in the thread that made it.
 */
class RedisNodes : public QObject
{
    Q_OBJECT

public:
    /** A usage Error where the URL makes no sense. */
    static base::Result<std::unique_ptr<RedisNodes>> of(const SourceSpec &spec);
    /** One server, already known. */
    explicit RedisNodes(redis::Endpoint one);
    RedisNodes(QList<redis::Endpoint> nodes, Topology topology);

    Topology topology() const { return m_topology; }
    /** Answers found() or notFound() once, later. */
    void find();
    /** No answer follows. */
    void cancel();

Q_SIGNALS:
    void found(const QList<lockkeeper::stores::redis::Endpoint> &nodes);
    void notFound(const lockkeeper::base::Error &error);

private:
    void askSentinels(redis::SentinelGroup group);
    void askCluster(const QByteArray &password);

    Topology m_topology;
    QList<redis::Endpoint> m_nodes; ///< of a cluster: where to ask first
    std::unique_ptr<redis::SentinelGuide> m_sentinels;
    std::unique_ptr<redis::ClusterGuide> m_cluster;
};

} // namespace lockkeeper::stores::discover
