// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <algorithm>
#include <utility>

/*
 * Each primary tells of its own keys. One that is away is a gap of its part, and what it has is read by a
 * scan once it is back.
 *
 * Of a slot that moves both its nodes tell, also of keys that only go along, and each by a clock of its own.
 * So nothing is taken from either: the slot is a gap of its own, its locks are polled (scans read each of
 * them where it is), and it rests when a map was read after the last sign of a move and a whole scan has
 * found all its keys at home. Signs are: a node tells of, or a scan finds, a key whose slot another node has
 * by the map; a node sends on for a key; a map names another node than the one before.
 */
namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;

namespace {

/** "0-5,7" */
QString rangesOf(const QBitArray &bits)
{
    QStringList ranges;
    for (qsizetype from = 0, to = 0; from < bits.size(); from = to + 1) {
        for (to = from; to < bits.size() && bits.testBit(to); ++to) {
        }
        if (to > from)
            ranges.append(QString::number(from) +
                          (to > from + 1 ? u'-' + QString::number(to - 1) : QString()));
    }
    return ranges.join(u',');
}

ShardState stateOf(const ClusterMove &move, bool up, const std::shared_ptr<const KeySchemes> &schemes)
{
    ShardState state;
    state.node = move.from;
    state.ranges = rangesOf(move.bits);
    state.up = up;
    state.polled = true;
    state.error = {base::ErrorCode::Unsupported,
                   QStringLiteral("of slots that move to another node no changes are told"),
                   {}};
    state.holds = coverOf(move.bits, schemes);
    return state;
}

} // namespace

void ClusterStore::noteMoving(quint16 slot)
{
    for (ClusterMove &move : m_moves) {
        if (move.bits.testBit(slot)) {
            move.quiet = false;
            return;
        }
    }
    QBitArray bits(kHashSlots);
    bits.setBit(slot);
    noteMoving(bits);
}

void ClusterStore::noteMoving(const QBitArray &bits)
{
    if (!m_open || !isPushed() || bits.count(true) == 0)
        return; // it is polled anyway
    QBitArray fresh = bits;
    for (ClusterMove &move : m_moves) {
        move.quiet = move.quiet && (move.bits & bits).count(true) == 0;
        fresh &= ~move.bits;
    }
    askSoon(kAskSoon);
    for (const auto &part : m_parts) {
        const QBitArray own = fresh & slotsOf(part.get());
        if (own.count(true) == 0)
            continue;
        m_moves.push_back({part->address, own});
        Q_EMIT shardChanged(stateOf(m_moves.back(), false, m_schemes));
    }
}

/** After a new map: what has shown no sign since the one before. */
void ClusterStore::tellRest()
{
    std::vector<ClusterMove> rest;
    for (ClusterMove &move : std::exchange(m_moves, {})) {
        std::vector<ClusterMove> &to = move.quiet ? rest : m_moves;
        to.push_back(std::move(move));
    }
    for (ClusterMove &move : m_moves)
        move.quiet = true;
    if (!m_moves.empty())
        askSoon(1s);
    for (const ClusterMove &move : rest)
        Q_EMIT shardChanged(stateOf(move, true, m_schemes));
}

/** What a primary tells of its own slots, while they rest. */
void ClusterStore::takePush(const ClusterSpeaker &from, const Push &push)
{
    if (!isPushed())
        return; // a scan is to come
    Push own = push;
    own.changes.removeIf([&](const Change &change) {
        const quint16 slot = slotOf({change.lock.set, change.lock.name});
        const ClusterPart *owner = m_owner[slot];
        const bool here = owner != nullptr && owner->server == from.server;
        if (!here)
            noteMoving(slot);
        return !here || std::any_of(m_moves.cbegin(), m_moves.cend(),
                                    [slot](const ClusterMove &move) { return move.bits.testBit(slot); });
    });
    for (const Change &change : std::as_const(own.changes)) {
        if (!m_view->elsewhere.isEmpty())
            m_view->elsewhere.remove(keyOf({change.lock.set, change.lock.name}));
    }
    if (!own.changes.isEmpty() || own.everything)
        Q_EMIT pushed(own);
}

} // namespace lockkeeper::stores::redis
