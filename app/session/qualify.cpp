// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/qualify.h"

#include "app/session/source_names.h"

namespace lockkeeper::app::session {

void qualify(domain::LockKey &key, const QString &agent)
{
    key.source = joinedName(agent, key.source);
}

void qualify(domain::LockState &state, const QString &agent)
{
    qualify(state.key, agent);
}

void qualify(domain::SourceState &state, const QString &agent)
{
    state.name = joinedName(agent, state.name);
}

void qualify(events::LockEvent &event, const QString &agent)
{
    qualify(event.key, agent);
    if (event.after)
        qualify(*event.after, agent);
}

void qualify(domain::ApprovalRequest &request, const QString &agent)
{
    qualify(request.key, agent);
}

void qualify(domain::Alert &alert, const QString &agent)
{
    if (agent.isEmpty())
        return;
    alert.id = agent.toUtf8() + '/' + alert.id;
    alert.source = joinedName(agent, alert.source);
    if (alert.isOfLock())
        qualify(alert.lock, agent);
}

QByteArray plainAlertId(const domain::Alert &alert)
{
    return alert.id.mid(alert.id.lastIndexOf('/') + 1);
}

void qualify(protocol::EventPage &page, const QString &agent)
{
    qualify(page.events, agent);
}

void qualify(protocol::HoldPage &page, const QString &agent)
{
    for (protocol::Hold &hold : page.holds)
        qualify(hold.key, agent);
}

void qualify(protocol::AuditPage &page, const QString &agent)
{
    for (domain::AuditEntry &entry : page.entries)
        qualify(entry.key, agent);
}

void qualify(protocol::SnapshotPage &page, const QString &agent)
{
    qualify(page.locks, agent);
    qualify(page.sources, agent);
}

void qualify(protocol::ChainsPage &page, const QString &agent)
{
    for (domain::WaitGraph &graph : page.graphs) {
        graph.source = joinedName(agent, graph.source);
        for (domain::WaitEdge &edge : graph.edges)
            qualify(edge.lock, agent);
    }
}

void qualify(protocol::ContentionPage &page, const QString &agent)
{
    for (domain::Contention &lock : page.locks)
        qualify(lock.key, agent);
    for (domain::WaiterCost &waiter : page.waiters)
        waiter.source = joinedName(agent, waiter.source);
    for (domain::BlockerCost &blocker : page.blockers)
        blocker.source = joinedName(agent, blocker.source);
}

void qualify(protocol::TimelinePage &page, const QString &agent)
{
    for (protocol::TimelineLane &lane : page.lanes) {
        if (lane.key)
            qualify(*lane.key, agent);
        lane.source = lane.source.isEmpty() ? QString() : joinedName(agent, lane.source);
        for (protocol::Hold &hold : lane.holds)
            qualify(hold.key, agent);
        for (protocol::Wait &wait : lane.waits)
            qualify(wait.key, agent);
    }
    for (protocol::TimelineGap &gap : page.gaps)
        gap.source = joinedName(agent, gap.source);
}

void qualify(protocol::WaitingPage &page, const QString &agent)
{
    for (protocol::SourceWaiting &source : page.sources)
        source.source = joinedName(agent, source.source);
}

void qualify(protocol::ApprovalsPage &page, const QString &agent)
{
    qualify(page.requests, agent);
}

void qualify(protocol::AlertsPage &page, const QString &agent)
{
    qualify(page.alerts, agent);
}

void qualify(domain::Advice &advice, const QString &agent)
{
    qualify(advice.lock, agent);
    if (!advice.other.name.isEmpty())
        qualify(advice.other, agent);
}

void qualify(protocol::AdvicePage &page, const QString &agent)
{
    qualify(page.advice, agent);
}

void qualify(protocol::HolderChecksPage &page, const QString &agent)
{
    for (domain::HolderCheck &check : page.checks) {
        if (!check.lock.source.isEmpty())
            qualify(check.lock, agent);
    }
}

void qualify(protocol::Inspected &answer, const QString &agent)
{
    qualify(answer.state, agent);
}

void qualify(protocol::Status &status, const QString &agent)
{
    qualify(status.sources, agent);
}

} // namespace lockkeeper::app::session
