// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"

#include <memory>

namespace lockkeeper::tests {

/** A private Redis server, an agent that watches it as source "s", and a client of that agent. */
struct RedisAgentRig
{
    bool startServer(const QStringList &options = {}, bool tcp = false)
    {
        redis = std::make_unique<RedisServer>();
        agent = std::make_unique<AgentProcess>();
        client = std::make_unique<TestClient>();
        return redis->start(options, tcp);
    }
    /** Starts the agent with one lock set of these lines, and waits until it sees the server. */
    bool begin(const QByteArray &lockSet, const QByteArray &source = "poll_ms = 50\n")
    {
        agent->configure("[[source]]\nname = \"s\"\nurl = \"" + redis->url().toEncoded() + "\"\n" + source +
                         "  [[source.locks]]\n" + lockSet + '\n');
        return agent->start() && client->watch(agent->socket());
    }
    /** The agent's state of a key of database 0. */
    domain::LockState state(const QByteArray &name, const QByteArray &scheme = "redis.token") const
    {
        return client->table.locks.value({QStringLiteral("s"), scheme, "db0", name});
    }
    void stop()
    {
        client.reset();
        agent.reset();
        redis.reset();
    }

    std::unique_ptr<RedisServer> redis;
    std::unique_ptr<AgentProcess> agent;
    std::unique_ptr<TestClient> client;
};

} // namespace lockkeeper::tests
