// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_router.h"

namespace lockkeeper::stores::redis {

class ClusterScan;

/**
 * A Redis Cluster as one store, made of a store for each primary. A scan covers all primaries. Every question
 * about one lock goes to the primary of its slot (ClusterRouter). The store asks for the map of slots every
 * few seconds, and when a node is lost or redirects. A node that can't be reached is only a shard out of
 * sight: the others continue, and scans report what they didn't cover.
 */
class ClusterStore final : public CompositeStore
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisStore>(const Endpoint &)>;

    /** `seeds`: the nodes to ask for the map first. The first seed's settings apply to every node. */
    ClusterStore(SourceSpec spec, QList<Endpoint> seeds, Make make, QObject *parent = nullptr);
    ~ClusterStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    void probe(const ProbeOrder &order, Probed done) override;

private:
    // cluster_store.cpp: the map and the links.
    void askMap();
    void askSoon(std::chrono::milliseconds in);
    void takeMap(const ClusterMap &map);
    void addShard(const ClusterNode &node);
    void connectShard(ClusterShard *raw);
    void dropShard(ClusterShard *shard);
    void shardOpened(ClusterShard *shard, const ServerInfo &info);
    void shardFailed(ClusterShard *shard, const base::Error &error);
    void openIfSettled();
    void giveUp(const base::Error &error);
    base::Error explained(base::Error error) const;
    ServerInfo infoOfAll() const;
    void takePush(const ClusterSpeaker &from, const Push &push);
    // cluster_questions.cpp: questions and their routes. `hops`: how many redirects were followed.
    void inspectAt(ClusterShard *shard, const Subject &subject, bool asking, int hops, const Inspected &done);
    void releaseAt(ClusterShard *shard, const ReleaseOrder &order, bool asking, const Released &done);

    SourceSpec m_spec;
    QList<Endpoint> m_seeds;
    Make m_make;
    ClusterGuide m_guide;
    QTimer m_refresh;
    QHash<QByteArray, quint16> m_servers;    ///< Observation::server by node id
    QList<domain::Access> m_access;          ///< see ClusterMap
    std::shared_ptr<ClusterRouter> m_router; ///< pending questions check that it still exists
    std::shared_ptr<ClusterScan> m_scan;     ///< null: no scan is under way
    bool m_opening = false;
    bool m_open = false;
};

/** The seeds of `redis+cluster://[user@]host[:port][,host[:port]…]`. */
base::Result<QList<Endpoint>> clusterSeedsOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
