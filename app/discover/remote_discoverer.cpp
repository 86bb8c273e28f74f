// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/discover/remote_discoverer.h"

#include "shared/base/random_id.h"
#include "shared/stores/discover/source_section.h"

#include <utility>

namespace lockkeeper::app::discover {

RemoteDiscoverer::RemoteDiscoverer(LookingAgent agent, const stores::SourceSpec &spec)
    : m_agent(std::move(agent))
{
    m_request.command = base::randomId();
    m_request.url = stores::discover::urlText(spec.url);
    m_request.password = spec.password;
    m_request.verify = spec.tls.value(QStringLiteral("verify"));
}

void RemoteDiscoverer::start()
{
    m_id = m_agent.ask(std::exchange(m_request, {}), this,
                       [this](const base::Result<protocol::DiscoverResult> &answer) {
                           if (std::exchange(m_id, 0) == 0)
                               return;
                           if (!answer)
                               Q_EMIT failed(answer.error());
                           else if (answer->error != base::Error())
                               Q_EMIT failed(answer->error);
                           else
                               Q_EMIT found(answer->discovery);
                       });
}

void RemoteDiscoverer::cancel()
{
    if (const quint64 id = std::exchange(m_id, 0))
        m_agent.cancel(id);
}

} // namespace lockkeeper::app::discover
