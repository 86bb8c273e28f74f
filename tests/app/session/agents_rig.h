// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"
#include "tests/app/session/replay_agent.h"

namespace lockkeeper::tests {

/** Several agents within the test, and what asks them as one. */
class AgentsRig
{
public:
    /** All started; none connected to yet. */
    explicit AgentsRig(const QStringList &names)
    {
        agents.setTiming({5000, 20, 60, 20});
        for (const QString &name : names)
            add(name);
    }
    ReplayAgent &add(const QString &name)
    {
        fakes.push_back(std::make_unique<ReplayAgent>());
        ReplayAgent &fake = *fakes.back();
        fake.name = name;
        fake.journalId = "journal of " + name.toUtf8();
        fake.start();
        return fake;
    }
    QList<transport::Address> addresses() const
    {
        QList<transport::Address> list;
        for (const auto &fake : fakes)
            list.append(fake->address());
        return list;
    }
    void open() { agents.open(addresses()); }
    int live() const
    {
        int count = 0;
        for (const app::session::AgentSession *session : agents.sessions())
            count += session->link() == app::session::LinkState::Live;
        return count;
    }
    ReplayAgent &operator[](std::size_t i) { return *fakes[i]; }

    std::vector<std::unique_ptr<ReplayAgent>> fakes;
    app::session::AgentGroup agents{QStringLiteral("test")};
};

} // namespace lockkeeper::tests
