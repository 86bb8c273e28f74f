// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_shards.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::stores::redis {

/** The run of the server that has a lock: its instance, which a guard pins. */
struct ClusterView
{
    std::array<QByteArray, kHashSlots> bySlot;
    QHash<Subject, QByteArray> elsewhere; ///< by key: those of a slot on the move that are at its new node
};

/**
 * Which runs of servers have had which slots: tells what isn't seen, what is again, and which slots came up
 * at another run than the one that had them, and so may have lost their keys.
 */
class ClusterRuns
{
public:
    using Tell = std::function<void(const ShardState &)>;

    ClusterRuns(const ClusterShards &shards, Tell tell) : m_shards(shards), m_tell(std::move(tell)) {}

    /** Before the map is taken over: the slots that it names at another node than the one that has them. */
    QBitArray noteMap(const ClusterMap &map);
    void opened(const ClusterShard &shard) { m_nodeOfRun.insert(shard.info.instance, shard.node.id); }
    void lost(const ClusterShard &shard, const base::Error &error);
    /** A scan of it has ended: one that refuses to be read (a right was taken away) is as good as lost. */
    void scanned(ClusterShard &shard, const ScanEnd &end);
    /** After a change of the map or of a node: who came back without its locks, and what is seen again. */
    void tellChanges();
    /** By the owners of the slots. */
    void updateView();
    /** What was away isn't seen any more; the runs stay known. */
    void reset() { m_blind.clear(); }

    const std::shared_ptr<ClusterView> &view() const { return m_view; }
    /** Its slot's own node has it. */
    void seenAtHome(const Subject &lock);
    /** Locks that were read at a node which may not have their slot, as far as the map tells. */
    void seenAt(const QList<Observation> &locks, const ClusterSpeaker &speaker, const QByteArray &run);

private:
    void noteRun(const ClusterShard &shard);

    const ClusterShards &m_shards;
    Tell m_tell;
    std::array<QByteArray, kHashSlots> m_run;  ///< by slot: the one that was seen to have it last
    QHash<QByteArray, QByteArray> m_nodeOfRun; ///< node id by run
    QSet<QByteArray> m_left;                   ///< runs that gave their slots away while they were up
    QHash<QByteArray, QBitArray> m_blind;      ///< by node: what isn't seen since it was lost
    std::shared_ptr<ClusterView> m_view = std::make_shared<ClusterView>();
};

} // namespace lockkeeper::stores::redis
