// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/checker.h"

#include <QByteArray>
#include <QObject>
#include <QRandomGenerator>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

namespace lockkeeper::tests {

class RedisServer;

/**
 * Clients of a JSON lock in Redis as applications write them: look whether it is free, write oneself in, wait
 * 500 ms, look again whether that lasted. Some take a while from the reading to the writing, as a process
 * does that has to wait for its turn; they overwrite the holder that has it by then.
 */
class RecheckClients final : public QObject
{
    Q_OBJECT

public:
    RecheckClients(RedisServer &server, QByteArray lock, int clients);
    ~RecheckClients() override;

    void start();
    QList<Hold> holds() const { return m_holds; }

private:
    struct Client
    {
        QByteArray owner;
        std::chrono::milliseconds thinks{0}; ///< from the reading to the writing
        QTimer timer;
        int step = 0;
        qint64 heldSinceUs = 0;
    };

    void go(Client &client);
    QByteArray value(const Client &client, const char *state) const;

    RedisServer &m_server;
    QByteArray m_lock;
    QRandomGenerator m_random{1};
    std::vector<std::unique_ptr<Client>> m_clients;
    QList<Hold> m_holds;
};

} // namespace lockkeeper::tests
