// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/replies.h"
#include "shared/base/clock.h"
#include "shared/domain/alert.h"

#include <QMap>
#include <QObject>

namespace lockkeeper::app::session {
class AgentGroup;
}

namespace lockkeeper::app::replica {

/** The alerts and receivers of one agent, as last known. */
struct AgentAlerts
{
    QList<domain::Alert> alerts; ///< newest first; with several agents as session::qualify() names them
    QList<protocol::AlertReceiver> receivers;
    bool more = false;    ///< the agent has further ones, which it left out
    bool isKnown = false; ///< the agent has answered since the console knows it
    quint64 question = 0; ///< the pending question; 0: none
    base::Error error;    ///< why the last question failed; empty after an answer
    /** Set while the agent is away: the time of its last word, by its own clock. */
    std::optional<qint64> awaySinceUs;
};

/**
 * The alerts of all agents that the console knows. The board asks each agent when it has connected, and then
 * follows the changes that the agent sends. The alerts of an agent that is away stay, but nothing is known of
 * them: they are neither over nor certainly active. GUI thread.
 */
class AlertBoard : public QObject
{
    Q_OBJECT

public:
    /** Resolved alerts stay for so long, as at the agent. */
    static constexpr qint64 kKeepUs = 24 * 3'600 * base::kSecondUs;

    /** Both must outlive the board. */
    AlertBoard(session::AgentGroup &session, const base::Clock &clock, QObject *parent = nullptr);

    /** By label; a single agent's label is empty. */
    const QMap<QString, AgentAlerts> &agents() const { return m_agents; }
    /** Those of all agents, newest first. */
    QList<domain::Alert> alerts() const;
    /** Those of one lock, newest first. */
    QList<domain::Alert> alertsOf(const domain::LockKey &lock) const;
    const domain::Alert *find(const QByteArray &id) const;

    /** The phase now, by the clock of the alert's agent. While the agent is away: as last known. */
    domain::AlertPhase phase(const domain::Alert &alert) const;
    /** How many alerts are active, as last known. */
    int activeCount() const;
    /** Set if the agent of this alert is away: the time of its last word, by its clock. */
    std::optional<qint64> awaySinceUs(const domain::Alert &alert) const;
    /** True if the agent of `source` has reported its alerts. */
    bool isKnown(const QString &source) const;
    /** The agent's name. */
    QString agentOf(const QString &source) const;
    /** The clock of the agent of `source` now; if the agent is away, at its last word. */
    qint64 nowUs(const QString &source) const;

    /** Asks all connected agents again. */
    void refresh();
    /** Asks the alert's agent to acknowledge, snooze (`forUs`) or wake it. */
    void act(const domain::Alert &alert, protocol::AlertAction::AlertVerb verb, qint64 forUs,
             QObject *context, session::Answer<protocol::Done> answer);
    /** Asks the agent with this label to send a test message to one receiver. */
    void test(const QString &label, const QString &receiver, QObject *context,
              session::Answer<protocol::Done> answer);

Q_SIGNALS:
    /** Alerts, receivers or the state of an agent have changed. */
    void changed();
    /** An alert has become active that wasn't before, or has fired again. Not for an agent's first answer. */
    void fired(const lockkeeper::domain::Alert &alert);

private:
    void follow();
    void forget();
    void ask(const QString &label);
    void take(const QString &label, quint64 question, const base::Result<protocol::AlertsPage> &page);
    void takeChange(const domain::Alert &alert);
    static bool hasFired(const domain::Alert &now, const domain::Alert *before, qint64 nowUs);

    session::AgentGroup &m_session;
    const base::Clock &m_clock;
    QMap<QString, AgentAlerts> m_agents;
    quint64 m_lastQuestion = 0;
};

} // namespace lockkeeper::app::replica
