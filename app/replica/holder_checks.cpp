// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/holder_checks.h"

#include "app/session/agent_group.h"

#include <algorithm>

namespace lockkeeper::app::replica {

HolderChecks::HolderChecks(session::AgentGroup &session, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_session(session), m_clock(clock)
{
}

void HolderChecks::look(const domain::LockKey &key)
{
    const qint64 now = m_clock.monotonicUs();
    forgetUnwatched(now);
    const auto known = m_holders.constFind(key);
    const bool isNew = known == m_holders.cend();
    WatchedHolder &holder = m_holders[key];
    holder.lookedUs = now;
    if (holder.pending || (!isNew && now - holder.askedUs < kAskEveryUs) || !m_session.isLive(key.source))
        return;
    holder.pending = true;
    holder.askedUs = now;
    m_session.ask(protocol::HolderChecksQuery{0, key}, this,
                  [this, key](const base::Result<protocol::HolderChecksPage> &page) { take(key, page); });
}

void HolderChecks::take(const domain::LockKey &key, const base::Result<protocol::HolderChecksPage> &page)
{
    const auto holder = m_holders.find(key);
    if (holder == m_holders.end())
        return;
    holder->pending = false;
    if (!page)
        return; // the last verdict stays, and its age shows that it is old
    const auto check = std::find_if(page->checks.cbegin(), page->checks.cend(),
                                    [&key](const domain::HolderCheck &one) { return one.lock == key; });
    holder->check = check == page->checks.cend() ? std::nullopt : std::optional(*check);
    holder->takenUs = m_clock.monotonicUs();
    holder->ageUs = holder->check ? std::max<qint64>(0, page->nowUs - holder->check->checkedUs) : 0;
    Q_EMIT changed(key);
}

std::optional<domain::HolderCheck> HolderChecks::find(const domain::LockState &lock) const
{
    const auto holder = m_holders.constFind(lock.key);
    const bool fits =
        holder != m_holders.cend() && holder->check && lock.isHeld() && holder->check->guard == lock.guard;
    return fits ? holder->check : std::nullopt;
}

qint64 HolderChecks::ageUs(const domain::LockKey &key) const
{
    const auto holder = m_holders.constFind(key);
    return holder == m_holders.cend() ? 0 : holder->ageUs + m_clock.monotonicUs() - holder->takenUs;
}

void HolderChecks::forgetUnwatched(qint64 nowUs)
{
    m_holders.removeIf([nowUs](const auto &holder) {
        return !holder.value().pending && nowUs - holder.value().lookedUs > kForgetAfterUs;
    });
}

} // namespace lockkeeper::app::replica
