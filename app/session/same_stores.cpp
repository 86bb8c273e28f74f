// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/same_stores.h"

#include "app/session/same_locks.h"
#include "app/session/source_names.h"

#include <QMap>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::session {

bool SameStores::take(const domain::SourceState &source)
{
    domain::SourceState &known = m_sources[source.name];
    const bool same = known.instance == source.instance && known.store == source.store &&
                      known.link == source.link && known.mode == source.mode &&
                      known.pollMs == source.pollMs && known.access == source.access;
    known = source;
    return !same && arrange();
}

bool SameStores::setLive(const QString &agent, bool live)
{
    if (m_live.value(agent, true) == live)
        return false;
    m_live.insert(agent, live);
    return arrange();
}

bool SameStores::forget(const QString &agent)
{
    m_live.remove(agent);
    m_sources.removeIf([&agent](const auto &it) { return splitName(it.key()).agent == agent; });
    return arrange();
}

void SameStores::clear()
{
    m_sources.clear();
    m_live.clear();
    m_groups.clear();
}

bool SameStores::arrange()
{
    QMap<QByteArray, QStringList> stores;
    for (const domain::SourceState &source : std::as_const(m_sources)) {
        if (const QByteArray identity = storeIdentity(source); !identity.isEmpty())
            stores[identity].append(source.name);
    }
    const auto seen = [this](const QString &name) {
        domain::SourceState state = m_sources.value(name);
        if (!m_live.value(splitName(name).agent, true))
            state.link = domain::Link::Down;
        return state;
    };
    QHash<QString, QStringList> groups;
    for (QStringList &names : stores) {
        if (names.size() < 2)
            continue;
        std::sort(names.begin(), names.end(), [&seen](const QString &a, const QString &b) {
            const int better = betterSource(seen(a), seen(b));
            return better != 0 ? better < 0 : a < b;
        });
        for (const QString &name : std::as_const(names))
            groups.insert(name, names);
    }
    return std::exchange(m_groups, groups) != groups;
}

QStringList SameStores::of(const QString &source) const
{
    return m_groups.value(source, {source});
}

QString SameStores::bestOf(const QString &source) const
{
    const auto group = m_groups.constFind(source);
    return group == m_groups.cend() ? source : group->first();
}

} // namespace lockkeeper::app::session
