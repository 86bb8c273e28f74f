// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/same_locks.h"

#include "app/session/source_names.h"

#include <algorithm>
#include <compare>
#include <tuple>

namespace lockkeeper::app::session {

QByteArray storeIdentity(const domain::SourceState &source)
{
    const QByteArray &instance = source.instance;
    const bool isRedis = source.store == "redis" && !instance.isEmpty() && instance != "cluster" &&
                         !source.address.startsWith(QLatin1String("redlock:"));
    // "UID:START"; an old server, or a server that the agent may not query for it, has no uid.
    const bool isSql = (source.store == "mysql" || source.store == "postgresql") &&
                       instance.indexOf(':') > 0 && !instance.endsWith(':');
    return isRedis || isSql ? source.store + ' ' + instance : QByteArray();
}

int betterSource(const domain::SourceState &a, const domain::SourceState &b)
{
    const auto rank = [](const domain::SourceState &source) {
        const bool mayNotBreak =
            std::any_of(source.access.cbegin(), source.access.cend(),
                        [](const domain::Access &right) { return right.forBreaking && !right.granted; });
        return std::tuple(source.link != domain::Link::Up, source.mode != domain::ObservationMode::Push,
                          source.pollMs, mayNotBreak);
    };
    const auto order = rank(a) <=> rank(b);
    return std::is_lt(order) ? -1 : std::is_gt(order) ? 1 : 0;
}

bool isSameConfigured(const domain::SourceState &a, const domain::SourceState &b)
{
    return a.address == b.address && splitName(a.name).source == splitName(b.name).source;
}

} // namespace lockkeeper::app::session
