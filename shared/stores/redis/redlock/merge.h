// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::redis {

/** One node's reading of a lock. */
struct NodeReading
{
    QByteArray node;     ///< its address
    QByteArray instance; ///< the server's run id; empty: not known
    bool reachable = false;
    Observation lock;         ///< by scheme redis.token, times by the node's own clock
    qint64 shiftUs = 0;       ///< the source's clock less the node's …
    qint64 uncertaintyUs = 0; ///< … and by how much that may be wrong
};

/** The result of the nodes' readings together. */
enum class QuorumStanding : quint8 {
    Absent = 0,    ///< no majority can hold it, and no node that was asked has anything of it
    Held,          ///< a majority holds the same token
    NoQuorum,      ///< no majority can hold it; something is left on a minority, or several race for it
    Indeterminate, ///< the holders and the nodes that can't be asked may make a majority
    Unreadable,    ///< a majority holds something that isn't this scheme's
};

struct MergedLock
{
    QuorumStanding standing = QuorumStanding::Absent;
    Observation lock;
    qint64 ttlUs = 0; ///< the longest time to live seen of this token: the drift is counted from it
};

/** The time that a Redlock client takes off a lease's length for clocks that don't run alike (redis.io). */
constexpr qint64 driftUs(qint64 ttlUs)
{
    return ttlUs / 100 + 2'000;
}

/**
 * The lock `subject` as N nodes show it at `nowUs` (the source's clock), by the rules of Redlock
 * ("Distributed locks with Redis", redis.io). Pure. Held where a majority of all nodes, reachable or not, has
 * the same token. Its deadline is the least of the holders' less the drift; it may be there for
 * `expirySlackUs` longer, until so many deadlines have passed that no majority is left. Redis doesn't report
 * the length that the lease had when it was set. `ttlUs` is the longest time to live seen of this token
 * before (0: none). The drift is counted at least from the longest time to live ever seen.
 */
MergedLock merge(const Subject &subject, const QList<NodeReading> &readings, qint64 ttlUs, qint64 nowUs);

/** The state that a guard pins at one node: part of Guard::freshness. */
struct NodeGuard
{
    bool reachable = false;
    QByteArray instance;  ///< its run id; empty: not known
    QByteArray freshness; ///< the deadline of the guard's token there; empty: the node lacked the token

    bool operator==(const NodeGuard &) const = default;
};

/** One line for each node, in the configured order. */
QByteArray freshnessOf(const QList<NodeGuard> &nodes);
/** The inverse; empty where it isn't of `count` nodes. */
QList<NodeGuard> nodeGuardsOf(const QByteArray &freshness, qsizetype count);

} // namespace lockkeeper::stores::redis
