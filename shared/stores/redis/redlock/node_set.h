// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/merge.h"
#include "shared/stores/redis/redlock/node.h"

#include <vector>

namespace lockkeeper::stores::redis {

/**
 * The nodes of a Redlock source, and its clock: this process's monotonic one, set by the first node's. Each
 * node's own times are moved into it by the offset measured between the two; with the first node
 * away it continues, and no two nodes need to agree what time it is.
 */
class NodeSet
{
public:
    explicit NodeSet(std::vector<std::unique_ptr<Node>> nodes) : m_nodes(std::move(nodes)) {}

    qsizetype size() const { return qsizetype(m_nodes.size()); }
    qsizetype quorum() const { return domain::quorumOf(size()); }
    Node &at(qsizetype index) { return *m_nodes.at(size_t(index)); }
    const Node &at(qsizetype index) const { return *m_nodes.at(size_t(index)); }
    /** Addresses of the nodes that are down. */
    QStringList missing() const;

    /** An error if the node is the server that another node is connected to: one server has one vote. */
    std::optional<base::Error> sameServer(const Node &node) const;

    /** Sets the source's clock by a node's, and again where that has moved away from it. */
    void setClock();
    /** The source's clock now, microseconds since the epoch; 0 before setClock() knew any node's. */
    qint64 nowUs() const;

    /** How far nowUs() may be, either way, from the first node's clock. Reported times of the source's clock
     * are widened by it; times that are compared with each other aren't. */
    qint64 slackUs() const { return m_slackUs; }
    /** A page that was read between two times of nowUs(), as it is reported. */
    Page widened(Page page) const;

    /** A time of the node's clock by the source's: not later than this. */
    qint64 sourceUs(const Node &node, qint64 us) const;
    /** A reading of the node `index`; null: it couldn't be asked. */
    NodeReading readingOf(qsizetype index, const Observation *lock) const;
    /** Names the nodes and their order; it stays the same as long as the configuration does. */
    QByteArray instance() const;

private:
    std::vector<std::unique_ptr<Node>> m_nodes;
    qint64 m_offsetUs = 0; ///< the source's clock less the monotonic one
    qint64 m_slackUs = 0;
    qsizetype m_reference = -1;
};

/** Too few nodes can be asked to decide anything; with the cause at the first node that is away. */
base::Error noQuorumError(const NodeSet &nodes);

} // namespace lockkeeper::stores::redis
