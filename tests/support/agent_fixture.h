// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/test_client.h"

#include <QTest>

#include <memory>

namespace lockkeeper::tests {

/** Tests of a real agent, with a client that must see all promises of the protocol kept. */
class AgentFixture : public QObject
{
    Q_OBJECT

protected:
    void makeAgent()
    {
        m_agent = std::make_unique<AgentProcess>();
        m_client = std::make_unique<TestClient>();
    }
    void endAgent()
    {
        if (m_client)
            QCOMPARE(m_client->faults, QStringList());
        m_client.reset();
        m_agent.reset();
    }
    /** Starts the agent and waits until its client knows of a source. */
    bool startWatched(bool renewals = false, int timeoutMs = 60'000)
    {
        return m_agent->start() && m_client->watch(m_agent->socket(), renewals, timeoutMs);
    }

    /** Runs lockkeeperctl against the agent. */
    Output ctl(const QStringList &arguments) const
    {
        const QString address = QLatin1String("local:") + m_agent->socket();
        return run("lockkeeperctl", QStringList{QStringLiteral("--agent"), address} + arguments);
    }

    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;

private Q_SLOTS:
    void init() { makeAgent(); }
    void cleanup() { endAgent(); }
};

} // namespace lockkeeper::tests
