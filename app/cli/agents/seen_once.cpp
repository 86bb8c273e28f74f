// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/seen_once.h"

#include "app/session/same_locks.h"

#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

struct AgentSight
{
    qsizetype agent = 0;
    const domain::LockKey *key = nullptr;
    const domain::SourceState *source = nullptr;
};

} // namespace

SeenOnce::SeenOnce(const QList<const LiveTable *> &agents) : m_agents(agents.size())
{
    QHash<domain::LockKey, QList<AgentSight>>
        sights; // by the lock's key with the store in place of the source
    for (qsizetype i = 0; i < agents.size(); ++i) {
        QHash<QString, const domain::SourceState *> sources;
        QHash<QString, QString> stores;
        for (const domain::SourceState &source : agents.at(i)->sources()) {
            sources.insert(source.name, &source);
            stores.insert(source.name, QString::fromLatin1(session::storeIdentity(source)));
        }
        for (const domain::LockState &lock : agents.at(i)->locks()) {
            const QString store = stores.value(lock.key.source);
            if (store.isEmpty())
                continue;
            domain::LockKey key = lock.key;
            key.source = store;
            sights[key].append({i, &lock.key, sources.value(lock.key.source)});
        }
    }
    for (const QList<AgentSight> &one : std::as_const(sights)) {
        const AgentSight &best =
            *std::min_element(one.begin(), one.end(), [](const AgentSight &a, const AgentSight &b) {
                const int order = session::betterSource(*a.source, *b.source);
                return order != 0 ? order < 0 : a.agent < b.agent;
            });
        // Two sources of one agent for the same store keep two rows, as that agent shows them.
        QList<qsizetype> others;
        for (const AgentSight &sight : one) {
            if (sight.agent == best.agent)
                continue;
            m_agents[sight.agent].byAnother.insert(*sight.key);
            if (!others.contains(sight.agent))
                others.append(sight.agent);
        }
        if (!others.isEmpty())
            m_agents[best.agent].also.insert(*best.key, others);
    }
}

bool SeenOnce::isShownByAnother(qsizetype agent, const domain::LockKey &key) const
{
    return m_agents.at(agent).byAnother.contains(key);
}

QList<qsizetype> SeenOnce::alsoSeenBy(qsizetype agent, const domain::LockKey &key) const
{
    return m_agents.at(agent).also.value(key);
}

} // namespace lockkeeper::app::cli
