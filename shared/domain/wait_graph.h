// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::domain {

/** One lock that one connection keeps another one from getting. Connections by their Session::id. */
struct WaitEdge
{
    QByteArray waiter;
    QByteArray blocker;
    LockKey lock;        ///< what is waited for
    TimeUs sinceUs;      ///< when the wait began, by the store's clock
    qint64 windowUs = 0; ///< it began in [sinceUs − windowUs, sinceUs]
    bool operator==(const WaitEdge &) const = default;
};

/** Many rows of one table, locked by one transaction: an unindexed predicate, probably. */
struct WholeTableLock
{
    QByteArray session;
    QByteArray place; ///< "database.table"
    qint64 rows = 0;  ///< locked rows, as far as the server counts them
    bool operator==(const WholeTableLock &) const = default;
};

/**
 * Who waits for whom in one source at one moment: the connections that hold what others wait for, or wait
 * themselves. Only direct edges: `blocker` holds what `waiter` wants, or is before it in the queue where the
 * server tells no holder. A plain value, read in one scan.
 */
struct WaitGraph
{
    QString source;
    qint64 beganUs = 0; ///< it holds at some time in [beganUs, endedUs] of the store's clock
    qint64 endedUs = 0;
    QByteArray evidence; ///< stable code of what was read: "data_locks", "innodb_locks", "pg_locks", …
    QList<Session> sessions;
    QList<WaitEdge> edges;
    QList<WholeTableLock> wholeTables;
    bool truncated = false; ///< there was more than the agent reads of it
    bool operator==(const WaitGraph &) const = default;
};

/** One connection's place in the chains of its source. */
struct ChainNode
{
    Session session;
    int parent = -1; ///< index in Chains::nodes of the one that it waits for; −1: a root
    int depth = 0;   ///< 0: a root
    std::optional<LockKey> waitsFor;
    TimeUs waitingSinceUs;
    QList<int> alsoBlockedBy; ///< further blockers, as indexes; a link back closes a cycle
    int blocksDirectly = 0;
    int blocksAll = 0;          ///< everybody behind it
    qint64 waitingCausedUs = 0; ///< sum over all that wait behind it, as of WaitGraph::endedUs
    bool inCycle = false;
    QList<WholeTableLock> wholeTables;
    bool operator==(const ChainNode &) const = default;
};

/** The graph as a forest: roots first, by the waiting that they cause; each connection appears once. */
struct Chains
{
    QList<ChainNode> nodes;   ///< parents before their children, in the order of the queue
    QList<QList<int>> cycles; ///< each a deadlock: indexes along the path
    bool operator==(const Chains &) const = default;
};

/** Pure; any graph gives an answer, cycles included. */
Chains chainsOf(const WaitGraph &graph);

} // namespace lockkeeper::domain
