// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_runs.h"

#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;

/** A primary that is up and gave all its slots to primaries known before has given its keys with them. A
 * primary whose place a new primary has taken was failed over, even if its link still stands. */
QBitArray ClusterRuns::noteMap(const ClusterMap &map)
{
    QSet<QByteArray> known;
    for (const auto &shard : m_shards.all())
        known.insert(shard->node.id);
    QHash<const ClusterShard *, bool> given;
    const QBitArray moved = m_shards.slotsWhere([&](size_t slot) {
        const ClusterShard *owner = m_shards.owner(slot);
        if (owner == nullptr)
            return false;
        const QByteArray id = map.owner[slot] < 0 ? QByteArray() : map.nodes.at(map.owner[slot]).id;
        const bool served = known.contains(id);
        const bool toOther = served && owner->node.id != id;
        given[owner] = given.value(owner, true) && toOther;
        return toOther && owner->up;
    });
    for (auto it = given.cbegin(); it != given.cend(); ++it) {
        if (it.value() && it.key()->up)
            m_left.insert(it.key()->info.instance);
        else
            m_left.remove(it.key()->info.instance); // it has got others since
    }
    return moved;
}

void ClusterRuns::lost(const ClusterShard &shard, const Error &error)
{
    const QBitArray bits = m_shards.slotsOf(&shard);
    if (bits.count(true) == 0)
        return;
    m_blind[shard.address] = bits;
    m_tell({shard.address, shard.node.ranges, false, false, false, error, m_shards.coverOf(bits)});
}

void ClusterRuns::scanned(ClusterShard &shard, const ScanEnd &end)
{
    if (!end.complete && (base::isTransient(end.error.code) || end.error.code == base::ErrorCode::Cancelled))
        return; // the end of the link reports it, or the next scan
    const bool wasUnread = std::exchange(shard.unread, !end.complete);
    if (shard.unread)
        lost(shard, end.error);
    else if (wasUnread)
        tellChanges();
}

void ClusterRuns::tellChanges()
{
    updateView();
    for (const auto &shard : m_shards.all()) {
        if (shard->up)
            noteRun(*shard);
    }
    const QBitArray unseen = m_shards.slotsWhere([this](size_t slot) {
        const ClusterShard *owner = m_shards.owner(slot);
        return owner == nullptr || !owner->up || owner->unread;
    });
    for (const QByteArray &address : m_blind.keys()) {
        if ((m_blind.value(address) & unseen).count(true) != 0)
            continue;
        m_blind.remove(address);
        m_tell({address, {}, true, false, false, {}, {}});
    }
}

/** A slot may have lost its keys if another run serves it than before and the former run is gone. */
void ClusterRuns::noteRun(const ClusterShard &shard)
{
    const QByteArray &run = shard.info.instance;
    bool failover = false;
    const QBitArray lost = m_shards.slotsWhere([&](size_t slot) {
        if (m_shards.owner(slot) != &shard || m_run[slot] == run)
            return false;
        const QByteArray before = std::exchange(m_run[slot], run);
        const auto isAlive = [&before](const ClusterShard &any) {
            return any.up && any.info.instance == before;
        };
        if (before.isEmpty() || m_left.contains(before) || m_shards.find(isAlive) != nullptr)
            return false; // moved, with its keys
        failover = failover || m_nodeOfRun.value(before) != shard.node.id;
        return true;
    });
    if (lost.count(true) > 0)
        m_tell({shard.address, shard.node.ranges, true, true, failover, {}, m_shards.coverOf(lost)});
}

void ClusterRuns::updateView()
{
    for (size_t slot = 0; slot < m_view->bySlot.size(); ++slot) {
        const ClusterShard *owner = m_shards.owner(slot);
        if (owner != nullptr && !owner->info.instance.isEmpty())
            m_view->bySlot[slot] = owner->info.instance;
    }
}

void ClusterRuns::seenAtHome(const Subject &lock)
{
    if (!m_view->elsewhere.isEmpty())
        m_view->elsewhere.remove(m_shards.keyOf(lock));
}

void ClusterRuns::seenAt(const QList<Observation> &locks, const ClusterSpeaker &speaker,
                         const QByteArray &run)
{
    for (const Observation &lock : locks) {
        const Subject key = m_shards.keyOf({lock.set, lock.name});
        if (!lock.present || m_shards.isOwner(speaker, hashSlotOf(key.name)))
            m_view->elsewhere.remove(key);
        else
            m_view->elsewhere.insert(key, run);
    }
}

} // namespace lockkeeper::stores::redis
