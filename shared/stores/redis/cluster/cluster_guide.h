// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/source_spec.h"

#include <array>
#include <optional>

namespace lockkeeper::stores::redis {

/** A primary of a cluster and the slots that it serves. */
struct ClusterNode
{
    QByteArray id;
    QString host;
    quint16 port = 0;
    QString ranges;  ///< "0-5460,6000"; empty: it serves no slot (yet)
    QString address; ///< another name of the host, which redirects may use

    bool operator==(const ClusterNode &) const = default;
};

/** Maps each slot to the primary that serves it. */
struct ClusterMap
{
    QList<ClusterNode> nodes;
    std::array<qint16, kHashSlots> owner{}; ///< index in `nodes`; -1: nobody

    /** Reads the answer of CLUSTER SLOTS. `asked` is the host that answered; it stands in for a node that
     * doesn't know its own name. Returns a Protocol error for a malformed answer. */
    static base::Result<ClusterMap> of(const redisReply *reply, const QString &asked);
    /** From the answer of CLUSTER NODES, adds the primaries that serve no slot, which may be taking some
     * over, and notes whether the node is cut off. Skips malformed lines. */
    void addNodes(QByteArrayView nodes, const QString &asked);
    /** The node doesn't see most of the primaries: the others may have chosen new ones. */
    bool isCutOff = false;

    /** The rights needed to follow moving slots, each granted or denied by the node. */
    QList<domain::Access> access;
};

/**
 * Asks nodes of a cluster in turn for its map. `redis+cluster://[user@]host[:port][,host[:port]…]`; database
 * 0 is the only one.
 */
class ClusterGuide : public QObject
{
    Q_OBJECT

public:
    explicit ClusterGuide(QByteArray password, QObject *parent = nullptr);

    /** Asks `nodes` in turn, then emits answered() or unanswered(). The map of a node that is cut off counts
     * only if no other node gives a better one. Without effect while asking. */
    void ask(const QList<Endpoint> &nodes);
    void stop();

Q_SIGNALS:
    void answered(const lockkeeper::stores::redis::ClusterMap &map);
    void unanswered(const lockkeeper::base::Error &error);

private:
    void openNext();
    void question();
    void takeSlots(const redisReply *reply);
    void takeNodes(const redisReply *reply);
    void noteAccess(const char *need, const redisReply *reply);
    void end(const ClusterMap &map);
    void dropLink();

    QByteArray m_password;
    QList<Endpoint> m_nodes; ///< still to be asked
    std::unique_ptr<RedisConnection> m_link;
    ClusterMap m_map;                   ///< as read over the link so far
    std::optional<ClusterMap> m_cutOff; ///< the first map of a node that is cut off
};

} // namespace lockkeeper::stores::redis
