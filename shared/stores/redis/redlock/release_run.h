// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/node_set.h"
#include "shared/stores/redis/redlock/quorum_outcome.h"

#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/**
 * A force-release on N nodes. First every node checks the guard and writes nothing. The guarded script then
 * runs on each node, once, and only where a majority would be without the token. If a node's outcome is then
 * open (a lost reply, another deadline), the lock is read again there, but the script is never repeated.
 * Nothing makes N nodes one: between the check and the act, and from node to node, the holder may renew.
 * Keeps itself alive until done.
 */
class ReleaseRun : public std::enable_shared_from_this<ReleaseRun>
{
public:
    using Done = std::function<void(const ReleaseReport &)>;

    /** `nodes` must outlive it; when the nodes are destroyed, their answers end too. */
    ReleaseRun(NodeSet &nodes, ReleaseOrder order, const QByteArray &place);

    void start(Done done);

private:
    enum class ReleasePhase : quint8 { Check, Act };

    void send(ReleasePhase phase);
    void take(qsizetype node, const ReleaseReport &report);
    void read();
    void judge();
    void finish(const QuorumOutcome &verdict);
    std::optional<base::Error> objection(qsizetype node) const;
    ReleaseOrder orderFor(qsizetype node, ReleasePhase phase) const;

    NodeSet &m_nodes;
    ReleaseOrder m_order;
    QByteArray m_place;
    QList<NodeGuard> m_guards;
    QList<NodeAct> m_acts;
    Done m_done;
    ReleasePhase m_phase = ReleasePhase::Check;
    int m_pending = 0;
    bool m_replicated = true;
};

} // namespace lockkeeper::stores::redis
