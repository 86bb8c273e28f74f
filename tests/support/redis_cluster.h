// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <array>

namespace lockkeeper::tests {

/** A Redis Cluster of three primaries on loopback, a third of the slots each. One that is down leaves the
 * others serving. */
class RedisCluster
{
public:
    static constexpr size_t kNodes = 3;

    /** Starts it and waits until every node says that the cluster is whole. */
    bool start();
    /** Until every node that runs says so. */
    bool waitUntilWhole();
    /** The node that has the key's slot, as they were dealt. */
    size_t nodeOf(const QByteArray &key) const;
    RedisServer &node(size_t index) { return m_nodes[index]; }
    RedisReply command(const QByteArray &key, const QList<QByteArray> &arguments);
    /** redis+cluster://127.0.0.1:1,127.0.0.1:PORT: the first in the list doesn't exist. */
    QUrl url() const;
    QByteArray idOf(size_t index);
    /** A key with this beginning that the node has. */
    QByteArray keyAt(size_t index, const QByteArray &prefix) const;

    /** A further primary without slots, which all others know. */
    bool addSpare();
    /** Such a server as the replica of the first primary, with all that it has. */
    bool addReplica();
    RedisServer &spare() { return *m_spare; }
    /**
     * The three steps of moving a slot to another node: begin, move its keys (all of them where none are
     * named; at most 1,000), and end. Nodes are given by their servers, as the spare has no number.
     */
    void beginMove(quint16 slot, RedisServer &from, RedisServer &to);
    bool moveKeys(quint16 slot, RedisServer &from, RedisServer &to, QByteArrayList keys = {});
    void endMove(quint16 slot, RedisServer &to);

private:
    static quint16 launch(RedisServer &node);
    void meet(RedisServer &node);
    QList<RedisServer *> all();

    std::array<RedisServer, kNodes> m_nodes;
    std::unique_ptr<RedisServer> m_spare;
    quint16 m_bus = 0; ///< of the first node
};

} // namespace lockkeeper::tests
