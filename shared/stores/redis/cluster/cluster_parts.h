// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_guide.h"
#include "shared/stores/redis/composite/composite_store.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QBitArray>
#include <QSet>

namespace lockkeeper::stores::redis {

/** Who says something; what it says may come when its ClusterPart is gone. */
struct ClusterSpeaker
{
    quint16 server = 0; ///< see Observation::server
    QString host;
};

/** The instance that has a lock. */
struct ClusterView
{
    std::array<QByteArray, kHashSlots> bySlot;
    QHash<Subject, QByteArray> elsewhere; ///< by key: those of a slot on the move that are at its new node
};

/** One primary of a cluster. */
struct ClusterPart : Member
{
    quint16 server = 0;
    ClusterNode node;
    Endpoint endpoint;

    /** Whether a node's redirect names it. */
    bool isAt(const QString &host, quint16 port) const
    {
        return port == endpoint.port && (host == endpoint.host || host == node.address);
    }
    ClusterSpeaker speaker() const { return {server, endpoint.host}; }
};

/** A scan over all primaries. */
struct ClusterScan
{
    Store::PageTaken page;
    Store::ScanEnded done;
    ScanEnd end;
    std::array<ClusterPart *, kHashSlots> owner{}; ///< when it began
    QSet<ClusterPart *> waiting;
    QSet<ClusterPart *> whole; ///< read to their end
    QList<std::function<bool(const Subject &)>> covers;
    QSet<Subject> astray; ///< by their keys: found at, or sent to, a node that isn't their slot's
    bool reading = false; ///< those
    QSet<Subject> unread; ///< of those, what couldn't be read
};

/** Slots that go from one node to another together, until they rest. */
struct ClusterMove
{
    QByteArray from; ///< the address of the node that has or had them
    QBitArray bits;
    bool quiet = false; ///< no sign of it since the map was asked for last
};

/** A probe of all primaries. */
struct ClusterProbe
{
    ProbeReport report;
    qsizetype waiting = 0; ///< for the reports of so many nodes

    /** True with the last node's report. */
    bool take(const ProbeReport &own);
};

/** One question to one node. */
struct ClusterHop
{
    ClusterSpeaker to;
    QList<Subject> asked;
};

/** Locks that are being read where they are, through redirects. */
struct ClusterReading
{
    bool wholeKeys = false;
    std::function<void(KeyPage &, const ClusterHop &)> page;
    std::function<void(const QList<Subject> &unread)> done;
    QList<Subject> unread = {};
    int waiting = 0;
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
