// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_runs.h"

namespace lockkeeper::stores::redis {

/**
 * The slots of a pushed source that move to another node. Of such a slot both its nodes tell, also of keys
 * that only go along, and each by a clock of its own. So nothing is taken from either: the slot is a gap of
 * its own, its locks are polled (scans read each of them where it is), and it rests when a map was read after
 * the last sign of a move and a whole scan has found all its keys at home. Signs are: a node tells of, or a
 * scan finds, a key whose slot another node has by the map; a node sends on for a key; a map names another
 * node than the one before.
 */
class SlotMoves
{
public:
    SlotMoves(const ClusterShards &shards, ClusterRuns::Tell tell) : m_shards(shards), m_tell(std::move(tell))
    {
    }

    /** Signs of a move. */
    void note(const QBitArray &bits);
    /** Another sign; false where the slot doesn't move yet. */
    bool renew(quint16 slot);
    /** After a new map: what has shown no sign since the one before rests. */
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
