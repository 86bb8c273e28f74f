// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_guide.h"
#include "shared/stores/redis/composite/composite_store.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QBitArray>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::stores::redis {

/** The node that an answer or a push comes from. Either may come after the node's ClusterShard was destroyed.
 */
struct ClusterSpeaker
{
    quint16 server = 0; ///< see Observation::server
    QString host;
};

/** One primary of a cluster. */
struct ClusterShard : Member
{
    quint16 server = 0;
    ClusterNode node;
    Endpoint endpoint;
    bool unread = false; ///< it is up, and refuses to be read

    ClusterSpeaker speaker() const { return {server, endpoint.host}; }
};

/** The primaries of a cluster, and which of them has a lock by the map that was read last. */
class ClusterShards
{
public:
    explicit ClusterShards(std::shared_ptr<const KeySchemes> schemes) : m_schemes(std::move(schemes)) {}

    quint16 slotOf(const Subject &lock) const
    {
        return hashSlotOf(m_schemes->at(lock.set)->keyOf(lock.name));
    }
    Subject keyOf(const Subject &lock) const
    {
        return {lock.set, m_schemes->at(lock.set)->keyOf(lock.name).toByteArray()};
    }
    /** Returns a test for locks whose slot is in `bits`; the test may outlive this object. */
    std::function<bool(const Subject &)> coverOf(const QBitArray &bits) const;

    /** Null: no shard. */
    ClusterShard *owner(size_t slot) const { return m_owner[slot]; }
    /** With `isKey`, `lock` names a key of its set. Null: no shard that can be asked. */
    ClusterShard *upFor(const Subject &lock, bool isKey = false) const;
    bool isOwner(const ClusterSpeaker &speaker, size_t slot) const
    {
        return m_owner[slot] != nullptr && m_owner[slot]->server == speaker.server;
    }
    QBitArray slotsOf(const ClusterShard *shard) const;
    template <typename Fits> QBitArray slotsWhere(Fits fits) const
    {
        QBitArray bits(kHashSlots);
        for (size_t slot = 0; slot < m_owner.size(); ++slot)
            bits.setBit(qsizetype(slot), fits(slot));
        return bits;
    }
    /** The first that fits; null: none. */
    template <typename Fits> ClusterShard *find(Fits fits) const
    {
        const auto shard =
            std::find_if(m_all.cbegin(), m_all.cend(), [&fits](const auto &any) { return fits(*any); });
        return shard == m_all.cend() ? nullptr : shard->get();
    }
    ClusterShard *of(const ClusterSpeaker &speaker) const
    {
        return find([&speaker](const ClusterShard &any) { return any.server == speaker.server; });
    }

    const std::vector<std::unique_ptr<ClusterShard>> &all() const { return m_all; }
    ClusterShard &add(std::unique_ptr<ClusterShard> shard) { return *m_all.emplace_back(std::move(shard)); }
    /** Removes the shard, which then owns no slot. */
    std::unique_ptr<ClusterShard> take(ClusterShard *shard);
    void forgetOwners() { m_owner.fill(nullptr); }
    void setOwners(const ClusterMap &map);
    const std::shared_ptr<const KeySchemes> &schemes() const { return m_schemes; }

private:
    std::shared_ptr<const KeySchemes> m_schemes;
    std::vector<std::unique_ptr<ClusterShard>> m_all;
    std::array<ClusterShard *, kHashSlots> m_owner{};
};

} // namespace lockkeeper::stores::redis
