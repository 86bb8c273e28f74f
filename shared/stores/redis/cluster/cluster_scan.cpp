// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_scan.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

ClusterScan::ClusterScan(const std::shared_ptr<ClusterRouter> &router, Store::PageTaken page,
                         Store::ScanEnded done)
    : m_router(router), m_page(std::move(page)), m_done(std::move(done))
{
    for (size_t slot = 0; slot < m_owner.size(); ++slot)
        m_owner[slot] = router->shards.owner(slot);
    for (const auto &shard : router->shards.all()) {
        if (shard->up)
            m_waiting.insert(shard.get());
    }
}

bool ClusterScan::start()
{
    const QSet<ClusterShard *> waiting = m_waiting;
    for (ClusterShard *shard : waiting) {
        shard->store->scanHere(
            [self = shared_from_this(), from = shard->speaker()](KeyPage &page) {
                self->takePage(from, page);
            },
            [self = shared_from_this(), shard](const ScanEnd &end) { self->takeEnd(shard, end); });
    }
    return !waiting.isEmpty();
}

/** Keys that the page lacks because another node has them are read there, at the end of the scan. */
void ClusterScan::takePage(const ClusterSpeaker &from, KeyPage &page)
{
    const auto router = m_router.lock();
    if (m_over || !router)
        return;
    for (const Elsewhere &key : std::exchange(page.elsewhere, {})) {
        router->noteMoving(hashSlotOf(key.lock.name));
        m_misplaced.insert(key.lock);
    }
    for (const Subject &lock : router->takeMisplaced(from, page))
        m_misplaced.insert(router->shards.keyOf(lock));
    m_page({page.beganUs, page.endedUs, std::move(page.locks)});
}

void ClusterScan::takeEnd(ClusterShard *shard, const ScanEnd &end)
{
    if (m_over || !m_waiting.remove(shard))
        return;
    m_end.scanned += end.scanned;
    if (end.complete) {
        m_end.beganUs = m_end.complete ? std::min(m_end.beganUs, end.beganUs) : end.beganUs;
        m_end.endedUs = std::max(m_end.endedUs, end.endedUs);
        m_end.complete = true;
        m_whole.insert(shard);
        if (end.covers)
            m_covers.append(end.covers);
    } else {
        m_end.error = end.error;
    }
    if (const auto router = m_router.lock())
        router->runs.scanned(*shard, end);
    endIfDone();
}

void ClusterScan::drop(ClusterShard *shard)
{
    m_waiting.remove(shard);
    m_whole.remove(shard);
    std::ranges::replace(m_owner, shard, static_cast<ClusterShard *>(nullptr));
    endIfDone();
}

void ClusterScan::endIfDone()
{
    if (m_over || !m_waiting.isEmpty() || m_reading)
        return;
    if (m_misplaced.isEmpty())
        end();
    else
        readMisplaced();
}

void ClusterScan::readMisplaced()
{
    m_reading = true;
    const auto page = [self = shared_from_this()](KeyPage &read, const ClusterSpeaker &from) {
        const auto router = self->m_router.lock();
        if (self->m_over || !router)
            return;
        read.locks.removeIf([](const Observation &lock) { return !lock.present; });
        self->m_end.endedUs = std::max(self->m_end.endedUs, read.endedUs);
        for (const Subject &key : std::as_const(read.partial))
            self->m_unread.insert(key);
        if (ClusterShard *shard = router->shards.of(from))
            shard->store->tracker().shown(read.locks);
        if (!read.locks.isEmpty())
            self->m_page({read.beganUs, read.endedUs, read.locks});
    };
    const auto done = [self = shared_from_this()](const QList<Subject> &unread) {
        for (const Subject &key : unread)
            self->m_unread.insert(key);
        self->end();
    };
    std::make_shared<ClusterReading>(m_router, true, page, done)->readAtOwners(m_misplaced.values());
}

/** A slot is covered if the same node owned it all the time and was read to its end. */
void ClusterScan::end()
{
    const auto router = m_router.lock();
    if (!router || std::exchange(m_over, true))
        return;
    const QBitArray covered = router->shards.slotsWhere([&](size_t slot) {
        ClusterShard *owner = router->shards.owner(slot);
        return owner != nullptr && owner == m_owner[slot] && m_whole.contains(owner);
    });
    const bool whole = covered.count(true) == kHashSlots && m_covers.isEmpty() && m_unread.isEmpty();
    if (m_end.complete && !whole)
        m_end.covers = [inSlot = router->shards.coverOf(covered), covers = m_covers, unread = m_unread,
                        schemes = router->shards.schemes()](const Subject &lock) {
            return inSlot(lock) &&
                   !unread.contains({lock.set, schemes->at(lock.set)->keyOf(lock.name).toByteArray()}) &&
                   std::all_of(covers.cbegin(), covers.cend(),
                               [&lock](const auto &part) { return part(lock); });
        };
    m_done(m_end);
}

void ClusterScan::lose(const base::Error &error)
{
    m_over = true;
    m_done({false, 0, 0, 0, error});
}

} // namespace lockkeeper::stores::redis
