// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/client.h"
#include "shared/transport/local_listener.h"

#include <QLocalSocket>
#include <QTemporaryDir>

#include <vector>

namespace lockkeeper::tests {

/** Limits short enough to wait for. */
inline transport::Timings shortTimings()
{
    return {.pingMs = 40, .deadMs = 200, .frameMs = 150, .loginMs = 150};
}

/** An agent's side of a socket in a separate folder, which keeps the received messages. */
class Server : public QObject
{
    Q_OBJECT

public:
    explicit Server(const transport::Timings &timings = {}, int maxConnections = 256);

    transport::Address address() const { return {m_folder.filePath(QStringLiteral("a.sock"))}; }
    bool isListening() const { return m_listening; }
    /** The nth channel that was accepted; null once it was closed. */
    transport::Channel *channel(size_t n = 0)
    {
        return n < m_channels.size() ? m_channels[n].get() : nullptr;
    }
    size_t accepted() const { return m_channels.size(); }

    QList<protocol::Message> received;
    QList<base::Error> closed;
    /** Answers Hello with Welcome automatically. */
    bool greets = true;
    std::optional<protocol::Goodbye> refusal;
    int version = protocol::kVersion;
    transport::LocalListener listener;

private:
    void take();
    void handle(transport::Channel *channel, const protocol::Message &message);

    QTemporaryDir m_folder;
    bool m_listening = false;
    std::vector<std::unique_ptr<transport::Channel>> m_channels;
};

} // namespace lockkeeper::tests
