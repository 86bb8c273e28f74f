// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace lockkeeper::domain {

/** What one of several servers shows of a lock that is kept on all of them. */
enum class NodeHolds : quint8 {
    Nothing = 0, ///< the lock isn't there
    Holder,      ///< what the lock's holder put there
    Other,       ///< somebody else's token: a minority's leftover, or a race under way
    Unreachable, ///< it can't be asked; it counts as held in the release's quorum
    Unreadable,  ///< something is there that isn't this scheme's
};

/** One server's part of a lock kept on several (Redlock). A value. */
struct NodeView
{
    QByteArray node; ///< its address, as configured
    NodeHolds holds = NodeHolds::Nothing;
    QByteArray token; ///< what is there; empty where nothing is
    /** When it ends there: the server's own deadline, moved into the source's clock by the offset measured
     * between the two. Empty where there is none. */
    std::optional<qint64> expiresUs;

    bool operator==(const NodeView &) const = default;
};

/** So many of `nodes` servers are a majority. */
constexpr qsizetype quorumOf(qsizetype nodes)
{
    return nodes / 2 + 1;
}

/** How many of `nodes` show `what`. */
qsizetype countOf(const QList<NodeView> &nodes, NodeHolds what);

/** How many of `nodes` hold `token`. */
qsizetype holdersOf(const QList<NodeView> &nodes, QByteArrayView token);

/** False where no majority can hold `token`, whatever the servers that can't be asked have. */
bool mayBeHeldBy(const QList<NodeView> &nodes, QByteArrayView token);

/** True where something of the lock is on at least one server. */
bool hasTraces(const QList<NodeView> &nodes);

/** Stable JSON name: "nothing", "holder", "other", "unreachable", "unreadable". */
QByteArrayView nodeHoldsName(NodeHolds value);

} // namespace lockkeeper::domain
