// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;

/** A primary that is up and gave all its slots to others that were primaries before has given its keys with
 * them; one whose place a new primary has taken was failed over, even where its link still stands. */
void ClusterStore::noteMoves(const ClusterMap &map)
{
    QSet<QByteArray> known;
    for (const auto &part : m_parts)
        known.insert(part->node.id);
    QHash<const ClusterPart *, bool> given;
    QBitArray moved(kHashSlots);
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        const ClusterPart *owner = m_owner[slot];
        if (owner == nullptr)
            continue;
        const QByteArray id = map.owner[slot] < 0 ? QByteArray() : map.nodes.at(map.owner[slot]).id;
        const bool served = known.contains(id);
        given[owner] = given.value(owner, true) && served;
        moved.setBit(qsizetype(slot), served && owner->up && owner->node.id != id);
    }
    noteMoving(moved);
    for (auto it = given.cbegin(); it != given.cend(); ++it) {
        if (it.value() && it.key()->up)
            m_left.insert(it.key()->info.instance);
    }
}

void ClusterStore::tellDown(const ClusterPart &part, const Error &error)
{
    const QBitArray bits = slotsOf(&part);
    if (bits.count(true) == 0)
        return;
    m_blind[part.address] = bits;
    Q_EMIT shardChanged(
        {part.address, part.node.ranges, false, false, false, error, coverOf(bits, m_schemes)});
}

/** After a change of the map or of a node: who came back without its locks, and what is seen again. */
void ClusterStore::tellChanges()
{
    if (!m_open)
        return;
    updateView();
    for (const auto &part : m_parts) {
        if (part->up)
            noteRun(part.get());
    }
    QBitArray seen(kHashSlots);
    for (int slot = 0; slot < kHashSlots; ++slot)
        seen.setBit(slot, m_owner[size_t(slot)] != nullptr && m_owner[size_t(slot)]->up);
    for (const QByteArray &address : m_blind.keys()) {
        if ((m_blind.value(address) & ~seen).count(true) != 0)
            continue;
        m_blind.remove(address);
        Q_EMIT shardChanged({address, {}, true, false, false, {}, {}});
    }
}

/** A slot whose server is another run than before, and whose former one is gone, may have lost its keys. */
void ClusterStore::noteRun(ClusterPart *part)
{
    const QByteArray &run = part->info.instance;
    const auto isAlive = [this](const QByteArray &other) {
        return std::any_of(m_parts.cbegin(), m_parts.cend(),
                           [&other](const auto &any) { return any->up && any->info.instance == other; });
    };
    QBitArray lost(kHashSlots);
    bool failover = false;
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        if (m_owner[slot] != part || m_run[slot] == run)
            continue;
        const QByteArray before = std::exchange(m_run[slot], run);
        if (before.isEmpty() || isAlive(before) || m_left.contains(before))
            continue; // moved, with its keys
        lost.setBit(qsizetype(slot));
        failover = failover || m_nodeOfRun.value(before) != part->node.id;
    }
    if (lost.count(true) > 0)
        Q_EMIT shardChanged(
            {part->address, part->node.ranges, true, true, failover, {}, coverOf(lost, m_schemes)});
}

void ClusterStore::updateView()
{
    for (size_t slot = 0; slot < m_owner.size(); ++slot) {
        if (m_owner[slot] != nullptr && !m_owner[slot]->info.instance.isEmpty())
            m_view->bySlot[slot] = m_owner[slot]->info.instance;
    }
}

QBitArray ClusterStore::slotsOf(const ClusterPart *part) const
{
    QBitArray bits(kHashSlots);
    for (size_t slot = 0; slot < m_owner.size(); ++slot)
        bits.setBit(qsizetype(slot), m_owner[slot] == part);
    return bits;
}

ServerInfo ClusterStore::infoOfAll() const
{
    ServerInfo info = merged(0);
    info.access += m_access;
    info.server = QStringLiteral("%1, cluster of %2 primaries").arg(info.server).arg(m_parts.size());
    info.instance = QByteArrayLiteral("cluster");
    info.instanceOf = [view = m_view, schemes = m_schemes](const Subject &subject) {
        const QByteArrayView key = schemes->at(subject.set)->keyOf(subject.name);
        if (!view->elsewhere.isEmpty()) {
            const auto at = view->elsewhere.constFind({subject.set, key.toByteArray()});
            if (at != view->elsewhere.cend())
                return *at;
        }
        return view->bySlot[hashSlotOf(key)];
    };
    return info;
}

} // namespace lockkeeper::stores::redis
