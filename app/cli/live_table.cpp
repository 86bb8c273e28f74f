// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/live_table.h"

#include <algorithm>

namespace lockkeeper::app::cli {

using domain::Condition;

bool LiveTable::add(const protocol::SnapshotPage &page)
{
    m_locks += page.locks;
    m_sources += page.sources;
    if (!page.last)
        return false;
    std::sort(m_locks.begin(), m_locks.end(),
              [](const domain::LockState &a, const domain::LockState &b) { return a.key < b.key; });
    return true;
}

SourceView LiveTable::view(const QString &source, qint64 wallUs) const
{
    for (const domain::SourceState &state : m_sources) {
        if (state.name == source)
            return viewOf(state, wallUs);
    }
    SourceView unknown;
    unknown.nowUs = wallUs;
    unknown.stale = true;
    return unknown;
}

QList<domain::LockState> LiveTable::inState(std::optional<Condition> wanted, qint64 wallUs) const
{
    if (!wanted)
        return m_locks;
    QHash<QString, SourceView> views;
    QList<domain::LockState> fitting;
    for (const domain::LockState &lock : m_locks) {
        auto at = views.constFind(lock.key.source);
        if (at == views.constEnd())
            at = views.insert(lock.key.source, view(lock.key.source, wallUs));
        const Condition is = conditionOf(lock, *at);
        const bool waitedFor = *wanted == Condition::Contended && !lock.waiters.isEmpty() && !at->stale;
        const bool heldWell =
            *wanted == Condition::Held && (is == Condition::Contended || is == Condition::Expiring);
        if (is == *wanted || waitedFor || heldWell)
            fitting.append(lock);
    }
    return fitting;
}

} // namespace lockkeeper::app::cli
