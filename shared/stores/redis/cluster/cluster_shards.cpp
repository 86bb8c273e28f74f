// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_shards.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

std::function<bool(const Subject &)> ClusterShards::coverOf(const QBitArray &bits) const
{
    return [bits, schemes = m_schemes](const Subject &lock) {
        return lock.set < schemes->size() &&
               bits.testBit(hashSlotOf(schemes->at(lock.set)->keyOf(lock.name)));
    };
}

ClusterShard *ClusterShards::upFor(const Subject &lock, bool isKey) const
{
    ClusterShard *shard = m_owner[isKey ? hashSlotOf(lock.name) : slotOf(lock)];
    return shard != nullptr && shard->up ? shard : nullptr;
}

QBitArray ClusterShards::slotsOf(const ClusterShard *shard) const
{
    return slotsWhere([this, shard](size_t slot) { return m_owner[slot] == shard; });
}

std::unique_ptr<ClusterShard> ClusterShards::take(ClusterShard *shard)
{
    std::ranges::replace(m_owner, shard, static_cast<ClusterShard *>(nullptr));
    const auto at = std::ranges::find(m_all, shard, &std::unique_ptr<ClusterShard>::get);
    std::unique_ptr<ClusterShard> taken = std::move(*at);
    m_all.erase(at);
    return taken;
}

void ClusterShards::setOwners(const ClusterMap &map)
{
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        const QByteArray id = map.owner[slot] < 0 ? QByteArray() : map.nodes.at(map.owner[slot]).id;
        m_owner[slot] =
            id.isEmpty() ? nullptr : find([&id](const ClusterShard &any) { return any.node.id == id; });
    }
}

} // namespace lockkeeper::stores::redis
