// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/chain_forest.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::models {

namespace {

QByteArray keyOf(const QString &source, const domain::Session &session)
{
    return source.toUtf8() + '\0' + session.id + '\0' + session.transaction;
}

/**
 * The locks that others wait for, by the connection that blocks them: the most wanted first. A connection
 * that is only ahead of another in the queue for a lock doesn't hold the lock.
 */
QHash<QByteArray, QList<domain::LockKey>> heldLocks(const domain::WaitGraph &graph)
{
    QSet<std::pair<QByteArray, domain::LockKey>> queued;
    for (const domain::WaitEdge &edge : graph.edges)
        queued.insert({edge.waiter, edge.lock});
    QHash<QByteArray, QHash<domain::LockKey, int>> wanted;
    QHash<QByteArray, QList<domain::LockKey>> held;
    for (const domain::WaitEdge &edge : graph.edges) {
        if (!queued.contains({edge.blocker, edge.lock}) && wanted[edge.blocker][edge.lock]++ == 0)
            held[edge.blocker].append(edge.lock);
    }
    for (auto it = held.begin(); it != held.end(); ++it) {
        const QHash<domain::LockKey, int> &counts = wanted[it.key()];
        std::stable_sort(it->begin(), it->end(), [&counts](const auto &a, const auto &b) {
            return counts.value(a) > counts.value(b);
        });
    }
    return held;
}

/** Adds the trees of one source to a forest. */
class Planting
{
public:
    Planting(const domain::WaitGraph &graph, ChainForest &forest, QSet<QByteArray> &keys)
        : m_graph(graph), m_forest(forest), m_keys(keys)
    {
    }

    void plant()
    {
        const domain::Chains chains = domain::chainsOf(m_graph);
        const auto held = heldLocks(m_graph);
        QList<int> places(chains.nodes.size(), -1);
        QList<QByteArray> keys;
        for (const domain::ChainNode &node : chains.nodes)
            keys.append(keyOf(m_graph.source, node.session));
        for (qsizetype i = 0; i < chains.nodes.size(); ++i) {
            const domain::ChainNode &node = chains.nodes.at(i);
            ChainRow row = blank(ChainRow::ChainRowKind::Connection, keys.at(i));
            row.parent = node.parent < 0 ? -1 : places.at(node.parent);
            row.holds = held.value(node.session.id);
            row.node = node;
            places[i] = add(row);
            note(node);
            addRemarks(node, chains, keys, places.at(i));
        }
        for (const QList<int> &cycle : chains.cycles) {
            Deadlock deadlock{m_graph.source, {}};
            for (const int at : cycle)
                deadlock.path.append(chains.nodes.at(at).session);
            m_forest.deadlocks.append(deadlock);
        }
    }

private:
    ChainRow blank(ChainRow::ChainRowKind kind, const QByteArray &key) const
    {
        ChainRow row;
        row.kind = kind;
        row.key = key;
        row.source = m_graph.source;
        row.evidence = m_graph.evidence;
        row.atUs = m_graph.endedUs;
        return row;
    }

    int add(ChainRow row)
    {
        // Two graphs of one source would name the same connection twice.
        while (m_keys.contains(row.key))
            row.key += '+';
        m_keys.insert(row.key);
        m_forest.rows.append(row);
        return int(m_forest.rows.size()) - 1;
    }

    void addRemarks(const domain::ChainNode &node, const domain::Chains &chains,
                    const QList<QByteArray> &keys, int parent)
    {
        for (const domain::WholeTableLock &table : node.wholeTables) {
            ChainRow row =
                blank(ChainRow::ChainRowKind::WholeTable, m_forest.rows.at(parent).key + "\0t" + table.place);
            row.parent = parent;
            row.table = table;
            add(row);
        }
        for (const int other : node.alsoBlockedBy) {
            ChainRow row =
                blank(ChainRow::ChainRowKind::Link, m_forest.rows.at(parent).key + "\0l" + keys.at(other));
            row.parent = parent;
            row.other = chains.nodes.at(other).session;
            row.otherKey = keys.at(other);
            add(row);
        }
    }

    void note(const domain::ChainNode &node)
    {
        m_forest.roots += node.parent < 0 && node.blocksAll > 0 ? 1 : 0;
        if (!node.waitsFor)
            return;
        ++m_forest.waiting;
        if (node.waitingSinceUs) {
            const qint64 waited = std::max<qint64>(0, m_graph.endedUs - *node.waitingSinceUs);
            m_forest.longestWaitUs = std::max(m_forest.longestWaitUs.value_or(0), waited);
        }
    }

    const domain::WaitGraph &m_graph;
    ChainForest &m_forest;
    QSet<QByteArray> &m_keys;
};

/** Sorts the trees by the waiting time that their heads cause; each tree stays together. */
void sortTrees(ChainForest &forest)
{
    QList<int> heads;
    QList<int> headOf(forest.rows.size(), -1);
    for (int i = 0; i < forest.rows.size(); ++i) {
        const int parent = forest.rows.at(i).parent;
        headOf[i] = parent < 0 ? i : headOf.at(parent);
        if (parent < 0)
            heads.append(i);
    }
    std::stable_sort(heads.begin(), heads.end(), [&forest](int a, int b) {
        return forest.rows.at(a).node.waitingCausedUs > forest.rows.at(b).node.waitingCausedUs;
    });
    QHash<int, int> rank;
    for (int i = 0; i < heads.size(); ++i)
        rank.insert(heads.at(i), i);
    QList<int> order;
    for (int i = 0; i < forest.rows.size(); ++i)
        order.append(i);
    std::stable_sort(order.begin(), order.end(), [&rank, &headOf](int a, int b) {
        return rank.value(headOf.at(a)) < rank.value(headOf.at(b));
    });
    QList<int> place(order.size(), -1);
    QList<ChainRow> rows;
    for (const int old : std::as_const(order)) {
        place[old] = int(rows.size());
        ChainRow row = forest.rows.at(old);
        row.parent = row.parent < 0 ? -1 : place.at(row.parent);
        rows.append(row);
    }
    forest.rows = rows;
}

} // namespace

ChainForest forestOf(const QList<domain::WaitGraph> &graphs)
{
    ChainForest forest;
    QSet<QByteArray> keys;
    for (const domain::WaitGraph &graph : graphs) {
        if (!graph.evidence.isEmpty() && !forest.evidence.contains(graph.evidence))
            forest.evidence.append(graph.evidence);
        forest.truncated = forest.truncated || graph.truncated;
        Planting(graph, forest, keys).plant();
    }
    sortTrees(forest);
    return forest;
}

std::optional<qint64> waitedUs(const ChainRow &row)
{
    if (!row.node.waitsFor || !row.node.waitingSinceUs)
        return std::nullopt;
    return std::max<qint64>(0, row.atUs - *row.node.waitingSinceUs);
}

std::optional<qint64> transactionAgeUs(const ChainRow &row)
{
    const domain::TimeUs &since = row.node.session.transactionSinceUs;
    return since ? std::optional(std::max<qint64>(0, row.atUs - *since)) : std::nullopt;
}

} // namespace lockkeeper::app::models
