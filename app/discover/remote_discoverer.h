// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"
#include "shared/stores/discover/discoverer.h"

#include <functional>

namespace lockkeeper::app::discover {

/** A connected agent that can search a store from its machine. */
struct LookingAgent
{
    using Answer = std::function<void(base::Result<protocol::DiscoverResult>)>;

    QString name;
    QString refusal; ///< why it can't be used, in the user's words; empty: it can
    /** Sends one request. The answer arrives once, later, unless the object has been destroyed. */
    std::function<quint64(protocol::DiscoverRequest, QObject *, Answer)> ask;
    std::function<void(quint64)> cancel;
};

/** Lets an agent search, as a Discoverer does on this computer. It reports no progress. */
class RemoteDiscoverer final : public stores::discover::Discoverer
{
    Q_OBJECT

public:
    /** From `spec`, the agent receives the address, the password and the level of TLS verification. */
    RemoteDiscoverer(LookingAgent agent, const stores::SourceSpec &spec);

    void start() override;
    void cancel() override;

private:
    LookingAgent m_agent;
    protocol::DiscoverRequest m_request;
    quint64 m_id = 0; ///< 0: not running
};

} // namespace lockkeeper::app::discover
