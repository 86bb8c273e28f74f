// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::models {

/** One line of the chains: a connection, or a fact about the connection above it. */
struct ChainRow
{
    enum class ChainRowKind : quint8 {
        WholeTable = 0, ///< it has locked a whole table, probably because an index is missing
        Link,           ///< another connection, listed elsewhere, blocks it too
        Connection,
    };
    ChainRowKind kind = ChainRowKind::Connection;
    QByteArray key; ///< unique; follows the connection and its transaction
    QString source;
    int parent = -1;              ///< index in ChainForest::rows; −1: a head blocker
    QByteArray evidence;          ///< the source of the data, see domain::WaitGraph::evidence
    qint64 atUs = 0;              ///< the time of the data, by the store's clock
    domain::ChainNode node;       ///< of a connection; its indexes mean nothing here
    QList<domain::LockKey> holds; ///< the locks that others wait for, the most wanted first
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
    QList<QByteArray> evidence; ///< of all graphs, without duplicates
    int waiting = 0;            ///< connections that wait
    int roots = 0;              ///< head blockers; a connection that blocks nobody doesn't count
    std::optional<qint64> longestWaitUs;
    bool truncated = false; ///< a source has more than the agent reads

    bool operator==(const ChainForest &) const = default;
};

/**
 * Makes the trees: the connection that causes the most waiting comes first, for all sources together. Below
 * it are its waiters, the longest wait first. Each connection appears once. Pure.
 */
ChainForest forestOf(const QList<domain::WaitGraph> &graphs);

/** The waiting time of the row's connection when its graph was read; empty if it doesn't wait. */
std::optional<qint64> waitedUs(const ChainRow &row);
std::optional<qint64> transactionAgeUs(const ChainRow &row);

} // namespace lockkeeper::app::models
