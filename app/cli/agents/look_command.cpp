// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"

namespace lockkeeper::app::cli {

std::unique_ptr<Task> LookSpec::task(std::vector<NamedAgent> &agents) const
{
    if (agents.size() == 1 && printsAlone(agents.front().context))
        return make(agents.front().context);
    return std::make_unique<LookCommand>(*this, agents);
}

LookCommand::LookCommand(const LookSpec &spec, const std::vector<NamedAgent> &agents, bool asTheyCome)
    : m_spec(spec), m_context(agents.front().context), m_agents(agents, m_context.out, asTheyCome)
{
    connect(&m_agents, &FanOut::ended, this, [this](qsizetype agent) { ended(agent); });
    connect(&m_agents, &FanOut::finished, this, [this] { conclude(); });
}

void LookCommand::start()
{
    m_agents.ask(m_spec);
}

void LookCommand::conclude()
{
    Listing listing(m_agents, m_context);
    m_spec.print(listing);
    tellFinished(int(m_agents.status()));
}

} // namespace lockkeeper::app::cli
