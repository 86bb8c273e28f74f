// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_router.h"

namespace lockkeeper::stores::redis {

class ClusterScan;

/**
 * A Redis Cluster as one store: a store of its own for each primary, scans over all of them put together,
 * every question about one lock to the primary of its slot (ClusterRouter). The map of slots is asked anew
 * every few seconds, and when a node is lost or sends elsewhere. A node that can't be reached is a shard out
 * of sight, no more: the others go on, and scans say what they didn't cover.
 */
class ClusterStore final : public CompositeStore
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisStore>(const Endpoint &)>;

    /** `seeds`: where to ask for the map first; how they are spoken to holds for every node. */
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
    // cluster_questions.cpp: what is asked, and where. `hops`: how many redirects were followed.
    void inspectAt(ClusterShard *shard, const Subject &subject, bool asking, int hops, const Inspected &done);
    void releaseAt(ClusterShard *shard, const ReleaseOrder &order, bool asking, const Released &done);

    SourceSpec m_spec;
    QList<Endpoint> m_seeds;
    Make m_make;
    ClusterGuide m_guide;
    QTimer m_refresh;
    QHash<QByteArray, quint16> m_servers;    ///< Observation::server by node id
    QList<domain::Access> m_access;          ///< see ClusterMap
    std::shared_ptr<ClusterRouter> m_router; ///< what is under way checks that it is there still
    std::shared_ptr<ClusterScan> m_scan;     ///< null: none is under way
    bool m_opening = false;
    bool m_open = false;
};

/** The seeds of `redis+cluster://[user@]host[:port][,host[:port]…]`. */
base::Result<QList<Endpoint>> clusterSeedsOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
