// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/sight.h"

namespace lockkeeper::domain {

bool Sight::sees(const QString &source) const
{
    return m_sources.contains(source) || seesAllOf(source);
}

bool Sight::seesAllOf(const QString &source) const
{
    return !m_grants || m_grants->mayOnAll(Permission::Observe, source);
}

bool Sight::sees(const LockKey &key) const
{
    return !m_grants || m_grants->may(Permission::Observe, key.source, key.name);
}

LockState Sight::shown(LockState state) const
{
    if (seesAllOf(state.key.source))
        return state;
    for (Waiter &waiter : state.waiters)
        waiter.detail.clear();
    if (state.session) {
        state.session->statement.clear();
        state.session->statementCut = false;
    }
    return state;
}

QList<SourceState> Sight::shown(QList<SourceState> states) const
{
    if (isWhole())
        return states;
    states.removeIf([this](const SourceState &state) { return !sees(state.name); });
    for (SourceState &state : states) {
        if (seesAllOf(state.name))
            continue;
        state.counts = Counts::untold();
        state.access.clear();
        state.findings = {{kPartialView, Severity::Notice, {}}};
        if (state.link == Link::Up)
            state.error = {};
    }
    return states;
}

} // namespace lockkeeper::domain
