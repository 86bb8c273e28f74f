// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/redis/cluster_parts.h"
#include "shared/stores/redis/cluster_store.h"

#include <algorithm>
#include <utility>

/*
 * Each primary tells of its own keys. One that is away is a gap of its part, and what it has is read by a
 * pass once it is back. Of a key that goes to another node both tell: see cluster_strays.cpp.
 */
namespace lockkeeper::stores::redis {

void ClusterStore::takePush(const ClusterSpeaker &from, const Push &push)
{
    if (!isPushed())
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

} // namespace lockkeeper::stores::redis
