// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/alert_board.h"

#include "app/session/agent_group.h"
#include "app/session/qualify.h"
#include "app/session/source_names.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::replica {

using domain::Alert;
using domain::AlertPhase;
using protocol::AlertAction;
using session::AgentGroup;

namespace {

/** A source name that leads to the agent with this label, whatever sources it has. */
QString anySourceAt(const QString &label)
{
    return label.isEmpty() ? QString() : session::joinedName(label, {});
}

void sortNewestFirst(QList<Alert> &alerts)
{
    std::stable_sort(alerts.begin(), alerts.end(),
                     [](const Alert &a, const Alert &b) { return a.firedUs > b.firedUs; });
}

const Alert *findIn(const QList<Alert> &alerts, const QByteArray &id)
{
    const auto it =
        std::find_if(alerts.cbegin(), alerts.cend(), [&id](const Alert &alert) { return alert.id == id; });
    return it == alerts.cend() ? nullptr : &*it;
}

} // namespace

AlertBoard::AlertBoard(AgentGroup &session, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_session(session), m_clock(clock)
{
    connect(&session, &AgentGroup::linkChanged, this, &AlertBoard::follow);
    // Answers come by the event loop. A change has to wait there, too: an answer that the agent sent before
    // it would otherwise replace it.
    connect(&session, &AgentGroup::alertChanged, this, [this](const Alert &alert) {
        QMetaObject::invokeMethod(
            this, [this, alert] { takeChange(alert); }, Qt::QueuedConnection);
    });
    connect(&session, &AgentGroup::agentChanged, this, &AlertBoard::forget);
    connect(&session, &AgentGroup::agentGone, this, [this](const QString &label) {
        m_agents.remove(label);
        Q_EMIT changed();
    });
    follow();
}

QList<Alert> AlertBoard::alerts() const
{
    QList<Alert> all;
    for (const AgentAlerts &agent : m_agents)
        all += agent.alerts;
    if (m_agents.size() > 1)
        sortNewestFirst(all);
    return all;
}

QList<Alert> AlertBoard::alertsOf(const domain::LockKey &lock) const
{
    QList<Alert> found = alerts();
    found.removeIf([&lock](const Alert &alert) { return !alert.isOfLock() || alert.lock != lock; });
    return found;
}

const Alert *AlertBoard::find(const QByteArray &id) const
{
    for (const AgentAlerts &agent : m_agents) {
        if (const Alert *alert = findIn(agent.alerts, id))
            return alert;
    }
    return nullptr;
}

AlertPhase AlertBoard::phase(const Alert &alert) const
{
    return domain::alertPhase(alert, nowUs(alert.source));
}

int AlertBoard::activeCount() const
{
    const QList<Alert> all = alerts();
    return int(std::count_if(all.cbegin(), all.cend(),
                             [this](const Alert &alert) { return phase(alert) == AlertPhase::Active; }));
}

std::optional<qint64> AlertBoard::awaySinceUs(const Alert &alert) const
{
    return m_agents.value(m_session.labelOf(alert.source)).awaySinceUs;
}

bool AlertBoard::isKnown(const QString &source) const
{
    return m_agents.value(m_session.labelOf(source)).isKnown;
}

QString AlertBoard::agentOf(const QString &source) const
{
    return m_session.agentOf(source);
}

qint64 AlertBoard::nowUs(const QString &source) const
{
    const auto agent = m_agents.constFind(m_session.labelOf(source));
    if (agent != m_agents.cend() && agent->awaySinceUs)
        return *agent->awaySinceUs;
    return -m_session.untilUs(source, 0, m_clock);
}

/** Notices agents that have connected or are lost. */
void AlertBoard::follow()
{
    bool anyLost = false;
    const QStringList labels = m_session.labels();
    for (const QString &label : labels) {
        const bool live = m_session.isLive(anySourceAt(label));
        AgentAlerts &agent = m_agents[label];
        if (live && agent.question == 0 && (agent.awaySinceUs || !agent.isKnown)) {
            ask(label);
        } else if (!live) {
            agent.question = 0; // its answer comes too late, and may come after the next question
            if (!agent.isKnown || agent.awaySinceUs)
                continue;
            agent.awaySinceUs = nowUs(anySourceAt(label));
            anyLost = true;
        }
    }
    if (anyLost)
        Q_EMIT changed();
}

void AlertBoard::forget()
{
    m_agents.clear();
    Q_EMIT changed();
}

void AlertBoard::refresh()
{
    const QStringList labels = m_session.labels();
    for (const QString &label : labels) {
        if (m_session.isLive(anySourceAt(label)) && m_agents.value(label).question == 0)
            ask(label);
    }
}

void AlertBoard::ask(const QString &label)
{
    const quint64 question = ++m_lastQuestion;
    m_agents[label].question = question;
    m_session.askAgentOf(anySourceAt(label), protocol::AlertsQuery(), this,
                         [this, label, question](const base::Result<protocol::AlertsPage> &page) {
                             take(label, question, page);
                         });
    Q_EMIT changed();
}

void AlertBoard::take(const QString &label, quint64 question, const base::Result<protocol::AlertsPage> &page)
{
    const auto agent = m_agents.find(label);
    if (agent == m_agents.end() || agent->question != question)
        return;
    agent->question = 0;
    if (!page) {
        agent->error = page.error();
        Q_EMIT changed();
        return;
    }
    const QList<Alert> before = std::exchange(agent->alerts, page->alerts);
    const bool wasKnown = std::exchange(agent->isKnown, true);
    agent->receivers = page->receivers;
    agent->more = page->more;
    agent->awaySinceUs.reset();
    agent->error = {};
    sortNewestFirst(agent->alerts);
    const QList<Alert> alerts = agent->alerts; // a receiver of the signals may change the board
    Q_EMIT changed();
    for (const Alert &alert : alerts) {
        if (wasKnown && hasFired(alert, findIn(before, alert.id), page->nowUs))
            Q_EMIT fired(alert);
    }
}

void AlertBoard::takeChange(const Alert &alert)
{
    const QString label = m_session.labelOf(alert.source);
    AgentAlerts &agent = m_agents[label];
    if (!agent.isKnown) // the answer to the first question has it
        return;
    const qint64 now = nowUs(alert.source);
    const Alert *known = findIn(agent.alerts, alert.id);
    const bool isNews = hasFired(alert, known, now);
    if (known)
        agent.alerts[known - agent.alerts.constData()] = alert;
    else
        agent.alerts.prepend(alert);
    agent.alerts.removeIf(
        [now](const Alert &one) { return one.resolvedUs && now - *one.resolvedUs > kKeepUs; });
    sortNewestFirst(agent.alerts);
    if (alert.condition == domain::AlertCondition::ReceiverFailing && agent.question == 0)
        ask(label); // no message reports the state of the receivers
    Q_EMIT changed();
    if (isNews)
        Q_EMIT fired(alert);
}

bool AlertBoard::hasFired(const Alert &now, const Alert *before, qint64 nowUs)
{
    const bool isActive = domain::alertPhase(now, nowUs) == AlertPhase::Active;
    return isActive && (!before || before->resolvedUs || now.repeats > before->repeats);
}

void AlertBoard::act(const Alert &alert, AlertAction::AlertVerb verb, qint64 forUs, QObject *context,
                     session::Answer<protocol::Done> answer)
{
    AlertAction action;
    action.alert = session::plainAlertId(alert);
    action.verb = verb;
    action.forUs = forUs;
    m_session.askAgentOf(alert.source, action, context, std::move(answer));
}

void AlertBoard::test(const QString &label, const QString &receiver, QObject *context,
                      session::Answer<protocol::Done> answer)
{
    m_session.askAgentOf(anySourceAt(label), protocol::ReceiverTest{0, receiver}, context, std::move(answer));
}

} // namespace lockkeeper::app::replica
