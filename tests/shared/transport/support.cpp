// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

namespace lockkeeper::tests {

Server::Server(const transport::Timings &timings, int maxConnections)
{
    listener.setTimings(timings);
    connect(&listener, &transport::Listener::channelReady, this, &Server::take);
    m_listening = listener.listen(address(), maxConnections).has_value();
}

void Server::take()
{
    while (auto channel = listener.takeChannel()) {
        transport::Channel *raw = channel.get();
        const size_t index = m_channels.size();
        connect(raw, &transport::Channel::received, this,
                [this, raw](const protocol::Message &m) { handle(raw, m); });
        // Destroyed under its own signal, as a server does it.
        connect(raw, &transport::Channel::closed, this, [this, index](const base::Error &error) {
            closed.append(error);
            m_channels[index].reset();
        });
        m_channels.push_back(std::move(channel));
    }
}

void Server::handle(transport::Channel *channel, const protocol::Message &message)
{
    received.append(message);
    if (!std::holds_alternative<protocol::Hello>(message))
        return;
    if (refusal) {
        channel->send(*refusal);
        channel->close();
    } else if (greets) {
        protocol::Welcome welcome;
        welcome.version = version;
        welcome.agent = QStringLiteral("dc1");
        channel->setLoggedIn();
        channel->send(welcome);
    }
}

} // namespace lockkeeper::tests
