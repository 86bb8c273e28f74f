// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/server/redis_store.h"

#include <utility>

namespace lockkeeper::stores::redis {

void RedisStore::joinCluster(ClusterPlace place)
{
    m_place = std::move(place);
}

void RedisStore::read(const QList<Subject> &locks, bool asking, bool wholeKeys,
                      std::function<void(KeyPage &)> done)
{
    QList<Observation> questions;
    questions.reserve(locks.size());
    for (const Subject &lock : locks) {
        Observation &question = questions.emplaceBack();
        question.set = lock.set;
        question.name = lock.name;
    }
    ReadMode mode = modeFor(locks.isEmpty() ? quint16(0) : locks.first().set);
    mode.leaveElsewhere = true;
    mode.asking = asking;
    mode.wholeKeys = wholeKeys;
    if (m_ready && readKeys(m_connection, mode, std::move(questions), done))
        return;
    QMetaObject::invokeMethod(
        this,
        [this, done] {
            KeyPage page;
            page.error = m_connection.failure();
            done(page);
        },
        Qt::QueuedConnection);
}

void RedisStore::inspectAsking(const Subject &subject, Inspected done)
{
    sendInspection(subject, true, std::move(done));
}

void RedisStore::releaseAsking(const ReleaseOrder &order, Released done)
{
    sendRelease(order, true, std::move(done));
}

} // namespace lockkeeper::stores::redis
