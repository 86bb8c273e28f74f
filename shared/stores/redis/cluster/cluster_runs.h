// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_shards.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::stores::redis {

/** For each lock, the run of the server that has it: the instance that a guard pins. */
struct ClusterView
{
    std::array<QByteArray, kHashSlots> bySlot;
    QHash<Subject, QByteArray> elsewhere; ///< by key: keys of a moving slot that are at its new node
};

/**
 * Tracks which runs of servers have had which slots. Reports shards that are out of sight or visible again.
 * Also reports slots that came up at another run than the one that had them: they may have lost their keys.
 */
class ClusterRuns
{
public:
    using Tell = std::function<void(const ShardState &)>;

    ClusterRuns(const ClusterShards &shards, Tell tell) : m_shards(shards), m_tell(std::move(tell)) {}

    /** Call before the map is taken over. Returns the slots that it names at another node than the one that
     * has them. */
    QBitArray noteMap(const ClusterMap &map);
    void opened(const ClusterShard &shard) { m_nodeOfRun.insert(shard.info.instance, shard.node.id); }
    void lost(const ClusterShard &shard, const base::Error &error);
    /** A scan of the shard ended. A shard that refuses to be read (a right was revoked) counts as lost. */
    void scanned(ClusterShard &shard, const ScanEnd &end);
    /** After a change of the map or of a node, reports shards that came back without their locks, and shards
     * that are visible again. */
    void tellChanges();
    /** Takes the owners of the slots into the view. */
    void updateView();
    /** Forgets which shards are out of sight; the runs stay known. */
    void reset() { m_blind.clear(); }

    const std::shared_ptr<ClusterView> &view() const { return m_view; }
    /** The node that owns the lock's slot has the lock. */
    void seenAtHome(const Subject &lock);
    /** Notes locks that were read at a node which may not own their slot by the map. */
    void seenAt(const QList<Observation> &locks, const ClusterSpeaker &speaker, const QByteArray &run);

private:
    void noteRun(const ClusterShard &shard);

    const ClusterShards &m_shards;
    Tell m_tell;
    std::array<QByteArray, kHashSlots> m_run;  ///< by slot: the run that was seen to have it last
    QHash<QByteArray, QByteArray> m_nodeOfRun; ///< node id by run
    QSet<QByteArray> m_left;                   ///< runs that gave their slots away while they were up
    QHash<QByteArray, QBitArray> m_blind;      ///< by node: slots out of sight since it was lost
    std::shared_ptr<ClusterView> m_view = std::make_shared<ClusterView>();
};

} // namespace lockkeeper::stores::redis
