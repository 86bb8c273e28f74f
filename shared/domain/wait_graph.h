// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::domain {

/** One lock for which one connection blocks another. Connections are named by their Session::id. */
struct WaitEdge
{
    QByteArray waiter;
    QByteArray blocker;
    LockKey lock;          ///< the lock that the waiter waits for
    TimeUs sinceUs;        ///< when the wait began, by the store's clock
    qint64 windowUs = 0;   ///< it began in [sinceUs − windowUs, sinceUs]
    QByteArray waiterId{}; ///< its Waiter::id among the lock's waiters; empty: `waiter`. Not sent to clients.
    bool operator==(const WaitEdge &) const = default;
};

/** Many rows of one table, locked by one transaction; probably the effect of an unindexed predicate. */
struct WholeTableLock
{
    QByteArray session;
    QByteArray place; ///< "database.table"
    qint64 rows = 0;  ///< locked rows, as far as the server counts them
    bool operator==(const WholeTableLock &) const = default;
};

/**
 * The waits between the connections of one source at one moment. Contains the connections that wait or that
 * block others. All edges are direct: `blocker` holds the lock that `waiter` wants, or is before it in the
 * queue if the server shows no holder. A plain value, read in one scan.
 */
struct WaitGraph
{
    QString source;
    qint64 beganUs = 0; ///< the graph is true at some time in [beganUs, endedUs] of the store's clock
    qint64 endedUs = 0;
    QByteArray evidence; ///< stable code of the table that was read: "data_locks", "innodb_locks", …
    QList<Session> sessions;
    QList<WaitEdge> edges;
    QList<WholeTableLock> wholeTables;
    bool truncated = false; ///< the server had more than the agent reads
    bool operator==(const WaitGraph &) const = default;
};

/** One connection's place in the chains of its source. */
struct ChainNode
{
    Session session;
    int parent = -1; ///< index in Chains::nodes of the connection that it waits for; −1: a root
    int depth = 0;   ///< 0: a root
    std::optional<LockKey> waitsFor;
    TimeUs waitingSinceUs;
    QList<int> alsoBlockedBy; ///< further blockers, as indexes; a link back closes a cycle
    int blocksDirectly = 0;
    int blocksAll = 0;          ///< all connections behind it
    qint64 waitingCausedUs = 0; ///< sum over all connections behind it, as of WaitGraph::endedUs
    bool inCycle = false;
    QList<WholeTableLock> wholeTables;
    bool operator==(const ChainNode &) const = default;
};

/** The graph as a forest: roots sorted by the waiting that they cause; each connection appears once. */
struct Chains
{
    QList<ChainNode> nodes;   ///< parents before their children, in the order of the queue
    QList<QList<int>> cycles; ///< deadlocks, as indexes along the path
    bool operator==(const Chains &) const = default;
};

/** Pure. Accepts any graph, including one with cycles. */
Chains chainsOf(const WaitGraph &graph);

} // namespace lockkeeper::domain
