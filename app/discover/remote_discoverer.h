// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"
#include "shared/stores/discover/discoverer.h"

#include <functional>

namespace lockkeeper::app::discover {

/** A connected agent, as far as it can look through a store from where it stands. */
struct LookingAgent
{
    using Answer = std::function<void(base::Result<protocol::DiscoverResult>)>;

    QString name;
    QString refusal; ///< why it isn't to be asked, in the user's words; empty: it is
    /** Sends one request; the answer comes once, later, unless the object is gone. */
    std::function<quint64(protocol::DiscoverRequest, QObject *, Answer)> ask;
    std::function<void(quint64)> cancel;
};

/** Has an agent look, as a Discoverer on this computer does. It tells no progress. */
class RemoteDiscoverer final : public stores::discover::Discoverer
{
    Q_OBJECT

public:
    /** Of `spec` the agent is told the address, the password and how far TLS is verified. */
    RemoteDiscoverer(LookingAgent agent, const stores::SourceSpec &spec);

    void start() override;
    void cancel() override;

private:
    LookingAgent m_agent;
    protocol::DiscoverRequest m_request;
    quint64 m_id = 0; ///< 0: not under way
};

} // namespace lockkeeper::app::discover
