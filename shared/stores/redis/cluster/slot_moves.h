// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_runs.h"

namespace lockkeeper::stores::redis {

/**
 * The slots of a pushed source that move to another node. Both nodes of such a slot push changes, even for
 * keys that only move along, and each node goes by its own clock. So changes are taken from neither: the slot
 * is a separate gap, and its locks are polled (scans read each of them where it is). The slot rests when a
 * map was read after the last sign of a move and a whole scan has found all its keys at home.
 *
 * A move has three signs. A node reports, or a scan finds, a key whose slot another node has by the map. A
 * node redirects for a key. A map names another node than the map before.
 */
class SlotMoves
{
public:
    SlotMoves(const ClusterShards &shards, ClusterRuns::Tell tell) : m_shards(shards), m_tell(std::move(tell))
    {
    }

    /** Notes signs of a move. */
    void note(const QBitArray &bits);
    /** Notes another sign; false where the slot doesn't move yet. */
    bool renew(quint16 slot);
    /** Call after a new map: slots that have shown no sign since the map before now rest. */
    void tellRest();
    bool isMoving(quint16 slot) const;
    bool isEmpty() const { return m_moves.empty(); }
    void clear() { m_moves.clear(); }

private:
    /** Slots that go from one node to another together, until they rest. */
    struct Move
    {
        QByteArray from; ///< the address of the node that has or had them
        QBitArray bits;
        bool quiet = false; ///< no sign of it since the map was asked for last
    };

    void tell(const Move &move, bool up) const;

    const ClusterShards &m_shards;
    ClusterRuns::Tell m_tell;
    std::vector<Move> m_moves;
};

} // namespace lockkeeper::stores::redis
