// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_router.h"

#include "shared/base/clock.h"

#include <utility>

namespace lockkeeper::stores::redis {

ClusterShard *ClusterRouter::followRedirect(const std::optional<Redirect> &to, const ClusterSpeaker &from,
                                            int hops)
{
    askMap(kAskSoon);
    if (!to || hops >= kMostHops)
        return nullptr;
    const QString &host = to->hostFrom(from.host);
    return shards.find([&](const ClusterShard &any) {
        return any.up && to->port == any.endpoint.port &&
               (host == any.endpoint.host || host == any.node.address);
    });
}

QList<Subject> ClusterRouter::takeMisplaced(const ClusterSpeaker &from, KeyPage &page)
{
    noteClock(from, page.endedUs);
    QList<Subject> misplaced;
    page.locks.removeIf([&](const Observation &lock) {
        const Subject subject{lock.set, lock.name};
        const bool isHome = shards.isOwner(from, shards.slotOf(subject));
        if (isHome)
            runs.seenAtHome(subject);
        else
            misplaced.append(subject);
        return !isHome;
    });
    for (const Subject &lock : std::as_const(misplaced))
        noteMoving(shards.slotOf(lock));
    return misplaced;
}

void ClusterRouter::noteMoving(quint16 slot)
{
    if (moves.renew(slot))
        return;
    QBitArray bits(kHashSlots);
    bits.setBit(slot);
    noteMoving(bits);
}

void ClusterRouter::noteMoving(const QBitArray &bits)
{
    if (!m_owner.isPushed() || bits.count(true) == 0)
        return; // the source is polled anyway
    askMap(kAskSoon);
    moves.note(bits);
}

void ClusterRouter::noteClock(const ClusterSpeaker &from, qint64 us)
{
    if (ClusterShard *speaker = shards.of(from); speaker != nullptr && us > 0)
        speaker->lead.read(us, base::SystemClock().wallUs());
}

ClusterReading::ByShard ClusterReading::byOwner(const QList<Subject> &locks)
{
    ByShard byShard;
    const auto router = m_router.lock();
    for (const Subject &lock : locks) {
        if (ClusterShard *shard = router ? router->shards.upFor(lock, m_wholeKeys) : nullptr)
            byShard[shard].append(lock);
        else
            m_unread.append(lock);
    }
    return byShard;
}

void ClusterReading::readPoints(const QList<Subject> &locks)
{
    const ByShard byShard = byOwner(locks);
    const auto self = shared_from_this();
    m_waiting += int(byShard.size());
    for (auto it = byShard.cbegin(); it != byShard.cend(); ++it)
        it.key()->store->readPointsHere(
            it.value(),
            [self, from = it.key()->speaker()](KeyPage &page) {
                if (!page.error)
                    self->takePoints(from, page);
            },
            [self] { self->settle(); });
}

/** Leaves out locks that can't be read. */
void ClusterReading::takePoints(const ClusterSpeaker &from, KeyPage &page)
{
    const auto router = m_router.lock();
    if (!router)
        return;
    for (const Elsewhere &lock : std::as_const(page.elsewhere))
        router->noteMoving(router->shards.slotOf(lock.lock));
    readOn(from, page.elsewhere, 0);
    readAtOwners(router->takeMisplaced(from, page));
    m_page(page, from);
}

void ClusterReading::readAtOwners(const QList<Subject> &locks)
{
    const ByShard byShard = byOwner(locks);
    wait();
    for (auto it = byShard.cbegin(); it != byShard.cend(); ++it)
        readAt(it.key(), it.value(), false, 0);
    settle();
}

void ClusterReading::readAt(ClusterShard *shard, const QList<Subject> &locks, bool asking, int hops)
{
    const auto router = m_router.lock();
    const qsizetype page = router ? router->pageSize() : 1;
    for (qsizetype at = 0; at < locks.size(); at += page) {
        const QList<Subject> some = locks.mid(at, page);
        wait();
        const auto take = [self = shared_from_this(), from = shard->speaker(), some, hops,
                           run = shard->info.instance](KeyPage &read) {
            const auto current = self->m_router.lock();
            if (!current)
                return;
            if (read.error) {
                self->m_unread += some;
            } else {
                current->runs.seenAt(read.locks, from, run);
                const QList<Elsewhere> elsewhere = read.elsewhere;
                self->m_page(read, from);
                self->readOn(from, elsewhere, hops);
            }
            self->settle();
        };
        shard->store->read(some, asking, m_wholeKeys, take);
    }
}

void ClusterReading::readOn(const ClusterSpeaker &from, const QList<Elsewhere> &locks, int hops)
{
    const auto router = m_router.lock();
    QHash<std::pair<ClusterShard *, bool>, QList<Subject>> byShard;
    for (const Elsewhere &lock : locks) {
        if (ClusterShard *shard = router ? router->followRedirect(lock.to, from, hops) : nullptr)
            byShard[{shard, lock.to->ask}].append(lock.lock);
        else
            m_unread.append(lock.lock);
    }
    for (auto it = byShard.cbegin(); it != byShard.cend(); ++it)
        readAt(it.key().first, it.value(), it.key().second, hops + 1);
}

void ClusterReading::settle()
{
    if (--m_waiting == 0)
        m_done(m_unread);
}

} // namespace lockkeeper::stores::redis
