// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace lockkeeper::domain {

/** The content of one server, for a lock that is kept on several servers. */
enum class NodeHolds : quint8 {
    Nothing = 0, ///< the lock doesn't exist on it
    Holder,      ///< the token of the lock's holder
    Other,       ///< another client's token: the leftover of a minority, or a race in progress
    Unreachable, ///< the server doesn't answer; counts as held in the release's quorum
    Unreadable,  ///< data that doesn't match the scheme
};

/** One server's part of a lock kept on several (Redlock). A value. */
struct NodeView
{
    QByteArray node; ///< the server's address, as configured
    NodeHolds holds = NodeHolds::Nothing;
    QByteArray token; ///< the server's token; empty: none
    /** When the token expires on this server. The server's deadline is converted to the source's clock with
     * the measured offset between the two clocks. Empty: no deadline. */
    std::optional<qint64> expiresUs;

    bool operator==(const NodeView &) const = default;
};

/** The number of servers that is a majority of `nodes`. */
constexpr qsizetype quorumOf(qsizetype nodes)
{
    return nodes / 2 + 1;
}

/** How many of `nodes` show `what`. */
qsizetype countOf(const QList<NodeView> &nodes, NodeHolds what);

/** How many of `nodes` hold `token`. */
qsizetype holdersOf(const QList<NodeView> &nodes, QByteArrayView token);

/** False if no majority can hold `token`, whatever the unreachable servers hold. */
bool mayBeHeldBy(const QList<NodeView> &nodes, QByteArrayView token);

/** True if at least one server holds data under the lock's name. */
bool hasTraces(const QList<NodeView> &nodes);

/** Stable JSON name: "nothing", "holder", "other", "unreachable", "unreadable". */
QByteArrayView nodeHoldsName(NodeHolds value);

} // namespace lockkeeper::domain
