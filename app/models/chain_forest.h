// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::models {

/** One line of the chains: a connection, or something to know of the connection above it. */
struct ChainRow
{
    enum class Kind : quint8 {
        WholeTable = 0, ///< it has locked a whole table, probably for want of an index
        Link,           ///< it is blocked by another connection too, which stands elsewhere
        Connection,
    };
    Kind kind = Kind::Connection;
    QByteArray key; ///< unique; follows the connection and its transaction
    QString source;
    int parent = -1;              ///< index in ChainForest::rows; −1: a head blocker
    QByteArray evidence;          ///< what the server was asked, see domain::WaitGraph::evidence
    qint64 atUs = 0;              ///< as of, by the store's clock
    domain::ChainNode node;       ///< of a connection; its indexes mean nothing here
    QList<domain::LockKey> holds; ///< what others wait for, the most wanted first
    domain::Session other;        ///< of a link: the connection that it leads to
    QByteArray otherKey;          ///< the key of that connection's row
    domain::WholeTableLock table; ///< of a whole table

    bool operator==(const ChainRow &) const = default;
};

/** A circle of connections, each waiting for the next one and the last for the first. */
struct Deadlock
{
    QString source;
    QList<domain::Session> path;
    bool operator==(const Deadlock &) const = default;
};

/** The wait graphs of all sources as one list of trees. */
struct ChainForest
{
    QList<ChainRow> rows; ///< parents before their children, siblings in their order
    QList<Deadlock> deadlocks;
    QList<QByteArray> evidence; ///< of all graphs, each once
    int waiting = 0;            ///< connections that wait
    int roots = 0;              ///< head blockers; a connection that blocks nobody isn't one
    std::optional<qint64> longestWaitUs;
    bool truncated = false; ///< a source has more than the agent reads

    bool operator==(const ChainForest &) const = default;
};

/**
 * Makes the trees: the connection that causes the most waiting first, whatever its source; below it those
 * that wait for it, the longest first. Each connection appears once. Pure.
 */
ChainForest forestOf(const QList<domain::WaitGraph> &graphs);

/** How long the row's connection has waited when its graph was read; empty where it doesn't wait. */
std::optional<qint64> waitedUs(const ChainRow &row);
std::optional<qint64> transactionAgeUs(const ChainRow &row);

} // namespace lockkeeper::app::models
