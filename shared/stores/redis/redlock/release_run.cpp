// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/release_run.h"

#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

ReleaseRun::ReleaseRun(NodeSet &nodes, ReleaseOrder order, const QByteArray &place)
    : m_nodes(nodes),
      m_order(std::move(order)),
      m_place(place),
      m_guards(nodeGuardsOf(m_order.guard.freshness, nodes.size()))
{
}

void ReleaseRun::start(Done done)
{
    m_done = std::move(done);
    if (m_guards.isEmpty()) {
        finish({Outcome::Refused,
                {ErrorCode::Usage, QStringLiteral("the guard doesn't contain the nodes' values"), {}}});
        return;
    }
    send(ReleasePhase::Check);
}

/** Why this node isn't asked; it counts as held. */
std::optional<Error> ReleaseRun::objection(qsizetype node) const
{
    const Node &target = m_nodes.at(node);
    const NodeGuard &guard = m_guards.at(node);
    if (!target.isLinked())
        return Error{ErrorCode::Unreachable, target.error.cause, target.error.remedy};
    if (m_order.checkFreshness && !guard.reachable)
        return Error{
            ErrorCode::Unreachable,
            QStringLiteral(
                "it was unreachable when the lock was read, so a renewal there may have been missed"),
            QStringLiteral("Read the lock again.")};
    return std::nullopt;
}

ReleaseOrder ReleaseRun::orderFor(qsizetype node, ReleasePhase phase) const
{
    const NodeGuard &guard = m_guards.at(node);
    ReleaseOrder order = m_order;
    order.guard.key.scheme = QByteArrayLiteral("redis.token");
    order.guard.key.place = m_place;
    // A node that couldn't be asked then has shown no run that could have ended since.
    order.guard.instance = guard.reachable ? guard.instance : m_nodes.at(node).info.instance;
    // The node lacked the token: if it has the token now, its deadline was set since.
    order.guard.freshness = guard.freshness.isEmpty() ? QByteArrayLiteral("0") : guard.freshness;
    order.dryRun = phase == ReleasePhase::Check;
    return order;
}

void ReleaseRun::send(ReleasePhase phase)
{
    m_phase = phase;
    const QList<NodeAct> before = std::exchange(m_acts, QList<NodeAct>(m_nodes.size()));
    m_pending = int(m_nodes.size());
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        m_acts[i].node = m_nodes.at(i).address;
        const auto error = objection(i);
        const bool refused = phase == ReleasePhase::Act && before.value(i).outcome == Outcome::Refused;
        if (error || refused) {
            m_acts[i].outcome = error ? Outcome::Unreachable : Outcome::Refused;
            m_acts[i].error = error.value_or(before.value(i).error);
            --m_pending;
            continue;
        }
        m_nodes.at(i).store->release(
            orderFor(i, phase),
            [self = shared_from_this(), i](const ReleaseReport &report) { self->take(i, report); });
    }
    if (m_pending == 0)
        read();
}

void ReleaseRun::take(qsizetype node, const ReleaseReport &report)
{
    NodeAct &act = m_acts[node];
    act.outcome = report.outcome;
    act.error = report.error;
    // Without the deadline in the guard only another value can have kept the script from acting.
    if (report.outcome == Outcome::HolderChanged && !m_order.checkFreshness)
        act.there = false;
    if (report.outcome == Outcome::Released)
        m_replicated = m_replicated && report.replicated;
    if (--m_pending == 0)
        read();
}

void ReleaseRun::read()
{
    const Subject subject{m_order.set, m_order.guard.key.name};
    QList<qsizetype> open;
    for (qsizetype i = 0; i < m_acts.size(); ++i) {
        if (needsReading(m_acts.at(i)) && m_nodes.at(i).isLinked())
            open.append(i);
    }
    m_pending = int(open.size());
    for (const qsizetype i : std::as_const(open)) {
        m_nodes.at(i).readPoints(
            {subject}, [self = shared_from_this(), i](bool read, const QList<Observation> &locks) {
                if (read) {
                    const Observation &lock = locks.first();
                    NodeAct &act = self->m_acts[i];
                    act.there = lock.present && lock.identity == self->m_order.guard.identity;
                    act.other = *act.there ? QByteArray() : lock.identity;
                }
                if (--self->m_pending == 0)
                    self->judge();
            });
    }
    if (open.isEmpty())
        judge();
}

void ReleaseRun::judge()
{
    const QuorumOutcome verdict = verdictOf(m_acts, m_phase == ReleasePhase::Check);
    if (m_phase == ReleasePhase::Check && verdict.outcome == Outcome::Released && !m_order.dryRun)
        send(ReleasePhase::Act);
    else
        finish(verdict);
}

void ReleaseRun::finish(const QuorumOutcome &verdict)
{
    ReleaseReport report;
    report.outcome = verdict.outcome;
    report.error = verdict.error;
    report.storeUs = m_nodes.nowUs();
    if (m_phase == ReleasePhase::Act && verdict.outcome == Outcome::Released && !m_replicated) {
        report.replicated = false;
        report.error = {ErrorCode::Timeout, QStringLiteral("not replicated"), {}};
    }
    for (const NodeAct &act : std::as_const(m_acts)) {
        // A check has taken nothing away.
        const bool checked = m_phase == ReleasePhase::Check && act.outcome == Outcome::Released;
        report.nodes.append({act.node, checked ? Outcome::WouldRelease : act.outcome, act.error});
    }
    m_done(report);
}

} // namespace lockkeeper::stores::redis
