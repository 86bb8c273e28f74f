// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/server/redis_store.h"

#include <utility>

namespace lockkeeper::stores::redis {

namespace {

/** The statement alone, where there is one. */
QString remedyOf(const base::Error &why)
{
    return why.remedy.isEmpty() ? why.cause : why.remedy;
}

} // namespace

void RedisStore::connectPush()
{
    connect(&m_push, &push::Tracker::stateChanged, this, &RedisStore::onPushState);
    connect(&m_push, &push::Tracker::pushed, this, &RedisStore::onPushed);
    connect(&m_push, &push::Tracker::astray, this, [this](const QList<QByteArray> &keys) {
        if (m_place.astray)
            m_place.astray(keys);
    });
    connect(&m_push, &push::Tracker::seen, this, [this](qint64 us) {
        Q_EMIT pageTold({us, us, {}});
    }); // no locks: only the time
}

/** Whether the server pushes is part of what a connection finds at its start. */
void RedisStore::announce(const ServerInfo &info)
{
    if (!m_spec.push) {
        Q_EMIT opened(info);
        m_lens.start();
        return;
    }
    m_found = info;
    ReadMode mode = modeFor(0);
    mode.leaveElsewhere = m_place.server != 0;
    m_push.open(mode);
}

void RedisStore::onPushState(const PushState &state)
{
    if (m_found) {
        ServerInfo info = *std::exchange(m_found, std::nullopt);
        info.access.append({"push:tracking", state.on, false, state.on ? QString() : remedyOf(state.why)});
        Q_EMIT opened(info);
        if (!m_ready)
            return; // who heard of it has closed
        m_lens.start();
    }
    Q_EMIT pushStateChanged(state);
}

/** The end of a lock that a release of ours deleted is told after its report, so that it is known as ours. */
void RedisStore::onPushed(const Push &push)
{
    if (m_releases > 0)
        m_kept.append(push);
    else
        Q_EMIT pushed(push);
}

void RedisStore::reportRelease(const ReleaseReport &report, const Released &done)
{
    --m_releases;
    done(report);
    if (m_releases > 0)
        return;
    for (const Push &push : std::exchange(m_kept, {}))
        Q_EMIT pushed(push);
}

} // namespace lockkeeper::stores::redis
