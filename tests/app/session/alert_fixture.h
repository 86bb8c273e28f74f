// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "tests/app/session/replay_agent.h"

#include <algorithm>

namespace lockkeeper::tests {

/**
 * An alert of the lock `name` in source "s"; an empty name: about the source. All of a test have the same
 * times, about a minute ago.
 */
inline domain::Alert firedAlert(const QByteArray &id, const QByteArray &name = "l",
                                domain::AlertCondition condition = domain::AlertCondition::Stuck)
{
    domain::Alert alert;
    alert.id = id;
    alert.rule = QString::fromLatin1(domain::alertConditionName(condition));
    alert.condition = condition;
    alert.source = QStringLiteral("s");
    if (!name.isEmpty())
        alert.lock = heldLock(name).key;
    static const qint64 firedUs = base::SystemClock().wallUs() - 60 * base::kSecondUs;
    alert.firedUs = firedUs;
    alert.sinceUs = alert.firedUs - 30 * base::kSecondUs;
    return alert;
}

/** The alerts of a ReplayAgent: it answers the questions about them, and sends each change. */
struct AlertBook
{
    QList<domain::Alert> alerts;
    QList<protocol::AlertReceiver> receivers;
    std::optional<base::Error> failure; ///< the answer to all
    bool mute = false;                  ///< leaves AlertsQuery unanswered
    bool more = false;                  ///< the agent left some out

    std::optional<protocol::Message> answer(ReplayAgent &agent, const protocol::Message &message)
    {
        if (const auto *query = std::get_if<protocol::AlertsQuery>(&message)) {
            if (mute)
                return std::nullopt;
            if (failure)
                return protocol::Failed{query->id, *failure};
            return protocol::AlertsPage{query->id, alerts, receivers, base::SystemClock().wallUs(), more};
        }
        if (const auto *action = std::get_if<protocol::AlertAction>(&message)) {
            if (failure)
                return protocol::Failed{action->id, *failure};
            for (domain::Alert alert : QList<domain::Alert>(alerts)) {
                if (alert.id == action->alert)
                    change(agent, changed(alert, agent.user, *action));
            }
            return protocol::Done{action->id};
        }
        if (const auto *test = std::get_if<protocol::ReceiverTest>(&message)) {
            if (failure)
                return protocol::Failed{test->id, *failure};
            return protocol::Done{test->id};
        }
        return std::nullopt;
    }
    /** The alert is new or has changed: the consoles are notified. */
    void change(ReplayAgent &agent, const domain::Alert &alert)
    {
        alerts.removeIf([&alert](const domain::Alert &one) { return one.id == alert.id; });
        alerts.prepend(alert);
        agent.sendToAll(protocol::AlertChanged{alert});
    }

private:
    static domain::Alert changed(domain::Alert alert, const QString &user,
                                 const protocol::AlertAction &action)
    {
        const qint64 nowUs = base::SystemClock().wallUs();
        switch (action.verb) {
        case protocol::AlertAction::AlertVerb::Acknowledge:
            alert.acknowledgedBy = user;
            alert.acknowledgedUs = nowUs;
            break;
        case protocol::AlertAction::AlertVerb::Snooze:
            alert.snoozedBy = user;
            alert.snoozedUntilUs = nowUs + action.forUs;
            break;
        case protocol::AlertAction::AlertVerb::Wake:
            alert.snoozedUntilUs.reset();
            break;
        }
        return alert;
    }
};

} // namespace lockkeeper::tests
