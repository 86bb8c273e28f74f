// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/agent_lookout.h"

#include "app/session/agent_session.h"

#include <QPointer>

namespace lockkeeper::app::views {

std::optional<app::discover::LookingAgent> AgentLookout::of(session::AgentSession *session)
{
    if (session->link() != session::LinkState::Live)
        return std::nullopt;
    app::discover::LookingAgent agent;
    agent.name = session->welcome().agent;
    if (!session->grants().mayEverywhere(domain::Permission::Administer))
        agent.refusal = tr("needs the admin role on all sources");
    const QPointer<session::AgentSession> asked(session);
    agent.ask = [asked](const protocol::DiscoverRequest &request, QObject *context,
                        const app::discover::LookingAgent::Answer &answer) -> quint64 {
        if (asked)
            return asked->ask(request, context, answer);
        QMetaObject::invokeMethod(
            context,
            [answer] {
                answer(base::failure(base::ErrorCode::ConnectionLost, tr("the link to the agent broke")));
            },
            Qt::QueuedConnection);
        return 1;
    };
    agent.cancel = [asked](quint64 id) {
        if (asked)
            asked->cancel(id);
    };
    return agent;
}

} // namespace lockkeeper::app::views
