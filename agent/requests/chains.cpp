// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/chains.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::agent::requests {

namespace {

constexpr qint64 kFieldBytes = 64; ///< keys, lengths and numbers of one element, at most

qint64 bytesOf(const domain::Session &s)
{
    return kFieldBytes + s.id.size() + s.user.size() + s.client.size() + s.program.size() +
           s.transaction.size() + s.statement.size();
}

qint64 bytesOf(const domain::WaitEdge &e)
{
    return kFieldBytes + e.waiter.size() + e.blocker.size() + 3 * e.lock.source.size() +
           e.lock.scheme.size() + e.lock.place.size() + e.lock.name.size();
}

qint64 bytesOf(const domain::WholeTableLock &w)
{
    return kFieldBytes + w.session.size() + w.place.size();
}

/** Cuts the list after the last element that `left` has room for. Returns true if it cut something. */
template <typename T> bool fit(QList<T> &items, qint64 &left)
{
    for (qsizetype i = 0; i < items.size(); ++i) {
        left -= bytesOf(items.at(i));
        if (left < 0 || i >= protocol::kMaxItems) {
            items.resize(i);
            return true;
        }
    }
    return false;
}

/** Connections get at most two thirds of the room: without the edges between them they are useless. */
bool fitSessions(domain::WaitGraph &graph, qint64 &left)
{
    const qint64 room = left * 2 / 3;
    qint64 unused = room;
    const bool cut = fit(graph.sessions, unused);
    left -= room - std::max<qint64>(unused, 0);
    if (!cut)
        return false;
    QSet<QByteArray> kept;
    for (const domain::Session &session : std::as_const(graph.sessions))
        kept.insert(session.id);
    graph.edges.removeIf([&kept](const domain::WaitEdge &edge) {
        return !kept.contains(edge.waiter) || !kept.contains(edge.blocker);
    });
    return true;
}

/** Each graph may use the room that the graphs before it left. */
void fitGraph(domain::WaitGraph &graph, qint64 &left)
{
    left = std::max<qint64>(0, left - kFieldBytes - 3 * graph.source.size() - graph.evidence.size());
    bool cut = fit(graph.wholeTables, left);
    left = std::max<qint64>(0, left);
    cut = fitSessions(graph, left) || cut;
    cut = fit(graph.edges, left) || cut;
    left = std::max<qint64>(0, left);
    graph.truncated = graph.truncated || cut;
}

} // namespace

domain::WaitGraph shownGraph(domain::WaitGraph graph, const domain::Sight &sight)
{
    if (sight.seesAllOf(graph.source))
        return graph;
    graph.edges.removeIf([&sight](const domain::WaitEdge &edge) { return !sight.sees(edge.lock); });
    QSet<QByteArray> standing;
    for (const domain::WaitEdge &edge : std::as_const(graph.edges))
        standing << edge.waiter << edge.blocker;
    graph.sessions.removeIf(
        [&standing](const domain::Session &session) { return !standing.contains(session.id); });
    for (domain::Session &session : graph.sessions) {
        session.statement.clear(); // it may name any lock
        session.statementCut = false;
        session.rowsLocked.reset();
        session.rowsChanged.reset();
    }
    graph.wholeTables.clear();
    graph.truncated = true;
    return graph;
}

protocol::ChainsPage chainsPage(quint64 id, QList<domain::WaitGraph> graphs, qint64 budget)
{
    qint64 left = budget;
    for (domain::WaitGraph &graph : graphs)
        fitGraph(graph, left);
    return {id, std::move(graphs)};
}

} // namespace lockkeeper::agent::requests
