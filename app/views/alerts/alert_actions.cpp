// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/alert_actions.h"

#include "app/session/agent_group.h"
#include "app/views/widgets/requests.h"
#include "app/words/error_words.h"

#include <memory>

namespace lockkeeper::app::views {

using domain::AlertPhase;
using models::AlertRow;

/** An alert without a lock concerns everyone who may release anything there. The agent decides. */
bool AlertActions::may(const domain::Alert &alert) const
{
    const session::AgentGroup &session = *m_context.session;
    return alert.isOfLock() ? session.may(domain::Permission::Release, alert.lock.source, alert.lock.name)
                            : session.welcome(alert.source).grants.mayAnywhere(domain::Permission::Release);
}

QString AlertActions::whyNot(const AlertRow &row, Verb verb) const
{
    if (row.phase == AlertPhase::Resolved)
        return tr("The alert is over.");
    if (row.awaySinceUs)
        return tr("The agent of this alert isn't connected.");
    if (!may(row.alert))
        return tr("Your role doesn't cover this alert: it takes the role that may release the lock.");
    if (verb == Verb::Acknowledge && row.alert.acknowledgedUs)
        return tr("The alert is acknowledged.");
    if (verb == Verb::Wake && row.phase != AlertPhase::Snoozed)
        return tr("The alert isn't snoozed.");
    return {};
}

AlertActions::Possibility AlertActions::of(const QList<AlertRow> &rows, Verb verb) const
{
    if (rows.isEmpty())
        return {false, tr("Select an alert.")};
    QString reason;
    for (const AlertRow &row : rows) {
        const QString why = whyNot(row, verb);
        if (why.isEmpty())
            return {true, {}};
        reason = reason.isEmpty() ? why : reason;
    }
    return {false, reason};
}

void AlertActions::run(const QList<AlertRow> &rows, Verb verb, qint64 forUs, QObject *context) const
{
    struct ActionAnswers
    {
        int missing = 0;
        int done = 0;
        base::Error error;
    };
    const auto answers = std::make_shared<ActionAnswers>();
    for (const AlertRow &row : rows) {
        if (!whyNot(row, verb).isEmpty())
            continue;
        ++answers->missing;
        const auto take = [actions = *this, answers, verb](const base::Result<protocol::Done> &answer) {
            if (answer)
                ++answers->done;
            else
                answers->error = answer.error();
            if (--answers->missing > 0)
                return;
            Q_EMIT actions.m_context.requests->messageCame(
                answers->error.cause.isEmpty()
                    ? actions.done(verb, answers->done)
                    : tr("The agent refused: %1").arg(words::ErrorWords::line(answers->error)));
        };
        m_context.alerts->act(row.alert, verb, forUs, context, take);
    }
}

QString AlertActions::done(Verb verb, int count) const
{
    switch (verb) {
    case Verb::Acknowledge:
        return tr("%n alert(s) acknowledged.", nullptr, count);
    case Verb::Snooze:
        return tr("%n alert(s) snoozed.", nullptr, count);
    case Verb::Wake:
        break;
    }
    return tr("The snooze of %n alert(s) has ended.", nullptr, count);
}

void AlertActions::open(const AlertRow &row) const
{
    if (row.alert.isOfLock())
        Q_EMIT m_context.requests->lockAsked(row.alert.lock);
    else
        Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("sources"), row.alert.source);
}

} // namespace lockkeeper::app::views
