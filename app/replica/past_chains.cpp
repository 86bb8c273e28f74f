// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/past_chains.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace lockkeeper::app::replica {

namespace {

struct Builder
{
    domain::WaitGraph graph;
    QHash<QByteArray, domain::Session> known; ///< by owner
    QSet<QByteArray> added;

    QByteArray idOf(const QByteArray &owner)
    {
        domain::Session session = known.value(owner);
        if (session.id.isEmpty())
            session.id = owner;
        if (!added.contains(session.id)) {
            added.insert(session.id);
            graph.sessions.append(session);
        }
        return session.id;
    }
};

} // namespace

QList<domain::WaitGraph> pastGraphs(const QList<domain::LockState> &locks, qint64 atUs)
{
    QMap<QString, Builder> sources;
    QList<const domain::LockState *> contended;
    for (const domain::LockState &state : locks) {
        if (!state.session || !state.isHeld())
            continue;
        sources[state.key.source].known.insert(state.owner, *state.session);
        if (!state.waiters.isEmpty())
            contended.append(&state);
    }
    std::sort(contended.begin(), contended.end(),
              [](const auto *a, const auto *b) { return a->key < b->key; });
    for (const domain::LockState *state : std::as_const(contended)) {
        Builder &builder = sources[state->key.source];
        const QByteArray blocker = builder.idOf(state->owner);
        for (const domain::Waiter &waiter : state->waiters)
            builder.graph.edges.append(
                {builder.idOf(waiter.id), blocker, state->key, waiter.sinceUs, waiter.windowUs});
    }
    QList<domain::WaitGraph> graphs;
    for (auto it = sources.begin(); it != sources.end(); ++it) {
        if (it->graph.edges.isEmpty())
            continue;
        it->graph.source = it.key();
        it->graph.evidence = "journal";
        it->graph.beganUs = it->graph.endedUs = atUs;
        graphs.append(it->graph);
    }
    return graphs;
}

} // namespace lockkeeper::app::replica
