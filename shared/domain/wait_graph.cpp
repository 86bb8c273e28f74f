// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/wait_graph.h"

#include <QHash>

#include <algorithm>
#include <utility>

namespace lockkeeper::domain {

namespace {

/** Lays the graph out as chains. Until ordered(), indexes are those of WaitGraph::sessions. */
class ChainLayout
{
public:
    explicit ChainLayout(const WaitGraph &graph) : m_graph(graph)
    {
        for (const Session &session : graph.sessions)
            node(session.id).session = session;
        for (const WaitEdge &edge : graph.edges)
            link(edge);
        for (const WholeTableLock &table : graph.wholeTables)
            node(table.session).wholeTables.append(table);
    }

    Chains chains()
    {
        findCycles();
        chooseParents();
        if (isForest()) {
            countForest();
        } else {
            for (int i = 0; i < m_nodes.size(); ++i)
                count(i);
        }
        return ordered();
    }

private:
    ChainNode &node(const QByteArray &id) { return m_nodes[indexOf(id)]; }

    int indexOf(const QByteArray &id)
    {
        if (const auto it = m_index.constFind(id); it != m_index.constEnd())
            return *it;
        ChainNode node;
        node.session.id = id;
        m_nodes.append(node);
        m_blockers.append(QList<int>());
        m_waiters.append(QList<int>());
        return *m_index.insert(id, int(m_nodes.size()) - 1);
    }

    void link(const WaitEdge &edge)
    {
        const int waiter = indexOf(edge.waiter);
        const int blocker = indexOf(edge.blocker);
        ChainNode &waiting = m_nodes[waiter];
        if (!waiting.waitsFor)
            waiting.waitsFor = edge.lock;
        if (edge.sinceUs && (!waiting.waitingSinceUs || *edge.sinceUs < *waiting.waitingSinceUs))
            waiting.waitingSinceUs = edge.sinceUs;
        if (waiter != blocker && !m_blockers.at(waiter).contains(blocker)) {
            m_blockers[waiter].append(blocker);
            m_waiters[blocker].append(waiter);
        }
    }

    /** Searches depth first along the edges. An edge back to a connection on the current path closes a
     * deadlock. Iterative, because chains may be long. */
    void findCycles()
    {
        QList<quint8> state(m_nodes.size(), 0); // 0 unseen, 1 on the path, 2 done
        for (int root = 0; root < m_nodes.size(); ++root) {
            if (state.at(root) != 0)
                continue;
            QList<std::pair<int, int>> path{{root, 0}};
            state[root] = 1;
            while (!path.isEmpty()) {
                auto &[at, next] = path.last();
                if (next >= m_blockers.at(at).size()) {
                    state[at] = 2;
                    path.removeLast();
                    continue;
                }
                const int blocker = m_blockers.at(at).at(next++);
                if (state.at(blocker) == 1)
                    noteCycle(path, blocker);
                else if (state.at(blocker) == 0) {
                    state[blocker] = 1;
                    path.append({blocker, 0});
                }
            }
        }
    }

    void noteCycle(const QList<std::pair<int, int>> &path, int first)
    {
        QList<int> cycle;
        for (qsizetype i = path.size() - 1; i >= 0; --i) {
            cycle.prepend(path.at(i).first);
            m_nodes[path.at(i).first].inCycle = true;
            if (path.at(i).first == first)
                break;
        }
        m_cycles.append(cycle);
    }

    /** Puts each waiter under one of its blockers. In a cycle one connection becomes a root. */
    void chooseParents()
    {
        for (int i = 0; i < m_nodes.size(); ++i) {
            for (const int blocker : m_blockers.at(i)) {
                if (m_nodes.at(i).parent < 0 && (m_cycles.isEmpty() || !isAbove(i, blocker)))
                    m_nodes[i].parent = blocker;
                else
                    m_nodes[i].alsoBlockedBy.append(blocker);
            }
        }
    }

    /** True if `below` is `node` or one of its descendants. */
    bool isAbove(int node, int below) const
    {
        for (int at = below; at >= 0; at = m_nodes.at(at).parent) {
            if (at == node)
                return true;
        }
        return false;
    }

    qint64 waitedUs(int node) const
    {
        const TimeUs since = m_nodes.at(node).waitingSinceUs;
        return since ? std::max<qint64>(0, m_graph.endedUs - *since) : 0;
    }

    /** True if no connection waits for two others. Then the connections behind a node are its waiters and the
     * connections behind those. */
    bool isForest() const
    {
        return m_cycles.isEmpty() &&
               std::all_of(m_blockers.cbegin(), m_blockers.cend(),
                           [](const QList<int> &blockers) { return blockers.size() <= 1; });
    }

    /** Counts from the ends of the queues to their heads, so that long chains stay cheap. */
    void countForest()
    {
        QList<qsizetype> uncounted(m_nodes.size());
        QList<int> open;
        for (int i = 0; i < m_nodes.size(); ++i) {
            uncounted[i] = m_waiters.at(i).size();
            m_nodes[i].blocksDirectly = int(uncounted.at(i));
            if (uncounted.at(i) == 0)
                open.append(i);
        }
        while (!open.isEmpty()) {
            const int at = open.takeLast();
            for (const int blocker : m_blockers.at(at)) {
                m_nodes[blocker].blocksAll += m_nodes.at(at).blocksAll + 1;
                m_nodes[blocker].waitingCausedUs += m_nodes.at(at).waitingCausedUs + waitedUs(at);
                if (--uncounted[blocker] == 0)
                    open.append(blocker);
            }
        }
    }

    /** Counts all connections that wait behind a node, over every path, each only once. */
    void count(int root)
    {
        ChainNode &node = m_nodes[root];
        node.blocksDirectly = int(m_waiters.at(root).size());
        if (node.blocksDirectly == 0) // true for most nodes of a long queue
            return;
        QList<bool> seen(m_nodes.size(), false);
        seen[root] = true;
        QList<int> open{root};
        while (!open.isEmpty()) {
            const QList<int> behind = m_waiters.at(open.takeLast());
            for (const int waiter : behind) {
                if (std::exchange(seen[waiter], true))
                    continue;
                open.append(waiter);
                ++node.blocksAll;
                node.waitingCausedUs += waitedUs(waiter);
            }
        }
    }

    Chains ordered() const
    {
        QList<QList<int>> children(m_nodes.size());
        QList<int> roots;
        for (int i = 0; i < m_nodes.size(); ++i)
            (m_nodes.at(i).parent < 0 ? roots : children[m_nodes.at(i).parent]).append(i);
        std::stable_sort(roots.begin(), roots.end(), [this](int a, int b) {
            return m_nodes.at(a).waitingCausedUs > m_nodes.at(b).waitingCausedUs;
        });
        for (QList<int> &group : children) {
            std::stable_sort(group.begin(), group.end(), [this](int a, int b) {
                return m_nodes.at(a).waitingSinceUs.value_or(m_graph.endedUs) <
                       m_nodes.at(b).waitingSinceUs.value_or(m_graph.endedUs);
            });
        }
        QList<int> order;
        QList<int> open(roots.crbegin(), roots.crend());
        while (!open.isEmpty()) {
            const int at = open.takeLast();
            order.append(at);
            std::copy(children.at(at).crbegin(), children.at(at).crend(), std::back_inserter(open));
        }
        return renumbered(order);
    }

    Chains renumbered(const QList<int> &order) const
    {
        QList<int> place(m_nodes.size(), -1);
        for (int i = 0; i < order.size(); ++i)
            place[order.at(i)] = i;
        Chains chains;
        for (const int old : order) {
            ChainNode node = m_nodes.at(old);
            node.parent = node.parent < 0 ? -1 : place.at(node.parent);
            node.depth = node.parent < 0 ? 0 : chains.nodes.at(node.parent).depth + 1;
            for (int &other : node.alsoBlockedBy)
                other = place.at(other);
            chains.nodes.append(node);
        }
        for (QList<int> cycle : m_cycles) {
            for (int &at : cycle)
                at = place.at(at);
            chains.cycles.append(cycle);
        }
        return chains;
    }

    const WaitGraph &m_graph;
    QHash<QByteArray, int> m_index;
    QList<ChainNode> m_nodes;
    QList<QList<int>> m_blockers;
    QList<QList<int>> m_waiters;
    QList<QList<int>> m_cycles;
};

} // namespace

Chains chainsOf(const WaitGraph &graph)
{
    return ChainLayout(graph).chains();
}

} // namespace lockkeeper::domain
