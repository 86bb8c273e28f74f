// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/redis/cluster_parts.h"
#include "shared/stores/redis/cluster_store.h"

#include <algorithm>
#include <utility>

/*
 * Each primary tells of its own keys. The source is pushed to while every primary that is up tells; one that
 * is away is a gap of its part, and what it has is read by a pass once it is back. Of a key that goes to
 * another node both tell: see cluster_strays.cpp.
 */
namespace lockkeeper::stores::redis {

void ClusterStore::takePush(const ClusterSpeaker &from, const Push &push)
{
    if (!m_pushOn)
        return; // a pass is to come
    Push own = push;
    QList<Subject> astray;
    own.changes.removeIf([&](const Change &change) {
        const Subject lock{change.lock.set, change.lock.name};
        const ClusterPart *owner = m_owner[slotOf(lock)];
        const bool here = owner != nullptr && owner->server == from.server;
        if (!here)
            astray.append(lock);
        return !here;
    });
    bool ended = false;
    const qint64 nowUs = base::SystemClock().monotonicUs();
    for (const Change &change : std::as_const(own.changes)) {
        qint64 &told = m_toldUs[from.server];
        told = std::max(told, change.timeUs);
        if (!m_view->elsewhere.isEmpty())
            m_view->elsewhere.remove(keyOf({change.lock.set, change.lock.name}));
        const Subject key = keyOf({change.lock.set, change.lock.name});
        if (m_strays.isHeldBack(key)) { // what waits to be told is older
            m_strays.end(key);
            ended = true;
        }
        if (change.lock.present)
            continue;
        m_strays.wasAbsent(key, from.server, change.timeUs, nowUs);
    }
    if (!own.changes.isEmpty() || own.everything)
        Q_EMIT pushed(own);
    if (!astray.isEmpty())
        readAtOwners(lookReading(kUnasked), astray);
    if (ended)
        readStrays();
}

/** The source has told all up to when each of its primaries has, unless some of it is still to be read. */
void ClusterStore::noteTold(const ClusterSpeaker &from, qint64 us)
{
    qint64 &told = m_toldUs[from.server];
    told = std::max(told, us);
    qint64 leastUs = told;
    for (const auto &part : m_parts) {
        if (part->up)
            leastUs = std::min(leastUs, m_toldUs.value(part->server));
    }
    if (leastUs > 0 && m_strays.isEmpty())
        Q_EMIT pageRead({0, leastUs, leastUs, {}});
}

void ClusterStore::takePushState(ClusterPart *part, const PushState &state)
{
    const bool first = !part->push.has_value(); // of this link
    const PushState before = part->push.value_or(state);
    part->push = state;
    // A node that dies loses the one connection before the other: that is a gap of its part alone.
    if (m_pushOn && !state.on && base::isTransient(state.why.code)) {
        if (!m_pushLoss.isActive())
            m_pushLoss.start(kAskSoon);
        return;
    }
    if (m_pushOn && state.on && !first) // it may have missed some
        Q_EMIT pushStateChanged({true, true, before.why, before.toldUntilUs});
    else if (m_pushOn && state.on)
        tellEverything();
    tellPush();
}

/** After a change of a primary's state, or of who there is. */
void ClusterStore::tellPush()
{
    if (!m_open || !m_spec.push)
        return;
    bool all = true;
    PushState state;
    for (const auto &part : m_parts) {
        if (!part->up)
            continue;
        if (!part->push)
            return; // it will be known in a moment
        if (!part->push->on && all)
            state = *part->push;
        all = all && part->push->on;
    }
    if (all && m_pushOn)
        return;
    const bool wasOn = std::exchange(m_pushOn, all);
    state.on = all;
    state.blind = all || wasOn;
    Q_EMIT pushStateChanged(state);
}

/** A primary tells again, or for the first time: what it had to tell before only a pass shows. */
void ClusterStore::tellEverything()
{
    Push push;
    push.everything = true;
    for (const qint64 us : std::as_const(m_toldUs))
        push.sinceUs = push.sinceUs == 0 ? us : std::min(push.sinceUs, us);
    // Those that are away still have told no more than they had.
    QSet<quint16> away;
    for (const auto &part : m_parts) {
        if (!part->up)
            away.insert(part->server);
    }
    m_toldUs.removeIf([&away](const auto &told) { return !away.contains(told.key()); });
    Q_EMIT pushed(push);
}

} // namespace lockkeeper::stores::redis
