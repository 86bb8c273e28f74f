// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recheck_clients.h"

#include "shared/base/clock.h"
#include "tests/support/redis_server.h"

#include <chrono>

namespace lockkeeper::tests {

using std::chrono::milliseconds;

namespace {
constexpr milliseconds kSettle{500};
constexpr milliseconds kSlower{800};
} // namespace

RecheckClients::RecheckClients(RedisServer &server, QByteArray lock, int clients)
    : m_server(server), m_lock(std::move(lock))
{
    for (int i = 0; i < clients; ++i) {
        auto client = std::make_unique<Client>();
        client->owner = "recheck-" + QByteArray::number(i);
        client->thinks = i * kSlower;
        client->timer.setSingleShot(true);
        connect(&client->timer, &QTimer::timeout, this, [this, one = client.get()] { go(*one); });
        m_clients.push_back(std::move(client));
    }
}

RecheckClients::~RecheckClients() = default;

void RecheckClients::start()
{
    for (const auto &client : m_clients)
        client->timer.start(0);
}

QByteArray RecheckClients::value(const Client &client, const char *state) const
{
    return "{\"owner\":\"" + client.owner + "\",\"state\":\"" + state + "\",\"lastSync\":0}";
}

void RecheckClients::go(Client &client)
{
    const auto next = [&client](int step, milliseconds after) {
        client.step = step;
        client.timer.start(after);
    };
    const QByteArray seen = m_server.command({"GET", m_lock}).bytes;
    switch (client.step) {
    case 0:
        if (seen.isEmpty() || seen.contains("\"wait\""))
            next(1, client.thinks);
        else
            next(0, milliseconds(10));
        break;
    case 1:
        m_server.command({"SETEX", m_lock, "60", value(client, "execute")});
        next(2, kSettle);
        break;
    case 2:
        client.heldSinceUs = base::SleeplessClock().monotonicUs();
        if (seen == value(client, "execute"))
            next(3, milliseconds(1'500));
        else
            next(0, milliseconds(10));
        break;
    default:
        m_holds.append({m_lock, client.owner, client.heldSinceUs, base::SleeplessClock().monotonicUs(), {}});
        m_server.command({"SETEX", m_lock, "60", value(client, "wait")});
        next(0, milliseconds(m_random.bounded(100)));
        break;
    }
}

} // namespace lockkeeper::tests
