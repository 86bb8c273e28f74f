// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/slot_moves.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

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

} // namespace

void SlotMoves::tell(const Move &move, bool up) const
{
    ShardState state;
    state.node = move.from;
    state.ranges = rangesOf(move.bits);
    state.up = up;
    state.polled = true;
    state.error = {base::ErrorCode::Unsupported,
                   QStringLiteral("changes in slots that move to another node aren't reported"),
                   {}};
    state.holds = m_shards.coverOf(move.bits);
    m_tell(state);
}

bool SlotMoves::renew(quint16 slot)
{
    const auto move =
        std::ranges::find_if(m_moves, [slot](const Move &any) { return any.bits.testBit(slot); });
    if (move != m_moves.end())
        move->quiet = false;
    return move != m_moves.end();
}

void SlotMoves::note(const QBitArray &bits)
{
    QBitArray fresh = bits;
    for (Move &move : m_moves) {
        move.quiet = move.quiet && (move.bits & bits).count(true) == 0;
        fresh &= ~move.bits;
    }
    for (const auto &shard : m_shards.all()) {
        const QBitArray own = fresh & m_shards.slotsOf(shard.get());
        if (own.count(true) == 0)
            continue;
        m_moves.push_back({shard->address, own});
        tell(m_moves.back(), false);
    }
}

void SlotMoves::tellRest()
{
    std::vector<Move> rest;
    for (Move &move : std::exchange(m_moves, {})) {
        std::vector<Move> &to = move.quiet ? rest : m_moves;
        to.push_back(std::move(move));
    }
    for (Move &move : m_moves)
        move.quiet = true;
    for (const Move &move : rest)
        tell(move, true);
}

bool SlotMoves::isMoving(quint16 slot) const
{
    return std::ranges::any_of(m_moves, [slot](const Move &move) { return move.bits.testBit(slot); });
}

} // namespace lockkeeper::stores::redis
