// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster_guide.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QBitArray>
#include <QSet>

namespace lockkeeper::stores::redis {

/** One primary of a cluster. */
struct ClusterPart
{
    ClusterNode node;
    Endpoint endpoint;
    std::unique_ptr<Store> store;
    ServerInfo info;   ///< as found when it was opened last
    base::Error error; ///< why it isn't up
    bool up = false;
    bool opening = false;

    QByteArray address() const { return endpoint.address().toUtf8(); }
};

/** A pass over all primaries. */
struct ClusterPass
{
    PassEnd end;
    std::array<ClusterPart *, kHashSlots> owner{}; ///< when it began
    QSet<ClusterPart *> waiting;
    QSet<ClusterPart *> whole; ///< read to their end
    QList<std::function<bool(const Subject &)>> covers;
};

/** Whether a lock's slot is in `bits`. */
inline std::function<bool(const Subject &)> coverOf(const QBitArray &bits,
                                                    const std::shared_ptr<const KeySchemes> &schemes)
{
    return [bits, schemes](const Subject &lock) {
        return lock.set < schemes->size() &&
               bits.testBit(hashSlotOf(schemes->at(lock.set)->keyOf(lock.name)));
    };
}

} // namespace lockkeeper::stores::redis
