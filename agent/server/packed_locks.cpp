// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/packed_locks.h"

#include "agent/server/batches.h"

#include <algorithm>
#include <future>
#include <utility>

namespace lockkeeper::agent::server {

namespace {

constexpr int kFast =
    1; ///< zlib level: a million locks take two seconds in another thread, and a third of their size

} // namespace

void PackedLocks::append(const domain::LockState &state)
{
    m_open.states += protocol::encodeState(state);
    m_open.hashes.push_back(hashOf(state.key));
    ++m_open.count;
    if (m_open.count >= kItemsPerFrame || m_open.states.size() >= kFrameTarget)
        seal();
}

void PackedLocks::seal()
{
    if (m_open.count == 0)
        return;
    settle();
    Packed page = std::exchange(m_open, {});
    page.round = m_round;
    page.hashes.shrink_to_fit();
    m_packing =
        std::async(std::launch::async | std::launch::deferred, [states = std::exchange(page.states, {})] {
            QByteArray packed = qCompress(states, kFast);
            packed.squeeze();
            return packed;
        });
    m_bytes += qint64(page.hashes.size() * sizeof(quint32));
    m_pages.push_back(std::move(page));
}

/** Waits until the last page is compressed. */
void PackedLocks::settle()
{
    if (!m_packing.valid())
        return;
    m_pages.back().states = m_packing.get();
    m_bytes += m_pages.back().states.size();
}

qint64 PackedLocks::bytes()
{
    settle();
    return m_bytes;
}

void PackedLocks::supersede(const QList<domain::LockKey> &locks)
{
    seal();
    ++m_round;
    for (const domain::LockKey &key : locks) {
        m_since.insert(key, m_round);
        m_sinceByHash.insert(hashOf(key), m_round);
    }
}

void PackedLocks::clear()
{
    *this = {};
}

bool PackedLocks::mayBeSuperseded(const Packed &page) const
{
    if (m_sinceByHash.isEmpty())
        return false;
    return std::any_of(page.hashes.cbegin(), page.hashes.cend(),
                       [this, &page](quint32 hash) { return m_sinceByHash.value(hash) > page.round; });
}

QList<domain::LockState> PackedLocks::locksOf(const QByteArray &states, const Packed &page) const
{
    const auto message = protocol::decode(protocol::encodePage(0, 0, page.count, states));
    if (!message)
        return {}; // can't happen: this process encoded it
    QList<domain::LockState> locks = std::get<protocol::SnapshotPage>(*message).locks;
    locks.removeIf(
        [this, &page](const domain::LockState &state) { return m_since.value(state.key) > page.round; });
    return locks;
}

PackedLocks::PackedPage PackedLocks::takePage()
{
    settle();
    const Packed page = std::move(m_pages.front());
    m_pages.pop_front();
    m_bytes -= page.states.size() + qint64(page.hashes.size() * sizeof(quint32));
    QByteArray states = qUncompress(page.states);
    if (!mayBeSuperseded(page))
        return {std::move(states), page.count};
    const QList<domain::LockState> left = locksOf(states, page);
    states.clear();
    for (const domain::LockState &state : left)
        states += protocol::encodeState(state);
    return {std::move(states), quint32(left.size())};
}

QList<domain::LockState> PackedLocks::takeLocks()
{
    Packed any; // takePage() has already removed superseded states
    const PackedPage page = takePage();
    any.count = page.count;
    any.round = m_round;
    return locksOf(page.states, any);
}

} // namespace lockkeeper::agent::server
