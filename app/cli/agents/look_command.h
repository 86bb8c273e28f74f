// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/listing.h"

namespace lockkeeper::app::cli {

/** A command that only reads: it asks each agent and prints their answers as one listing. */
class LookSpec : public CommandSpec
{
public:
    /** Prints the answers, once all agents have ended. */
    virtual void print(Listing &listing) const = 0;
    /** True if a lone agent's Command prints its own output, as it comes. */
    virtual bool printsAlone(const Context &) const { return false; }

    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override;
};

/**
 * Asks one agent or several. Anything that an agent couldn't answer is reported on standard error and by the
 * exit status, never left out silently.
 */
class LookCommand : public Task
{
    Q_OBJECT

public:
    /** Both outlive it. `asTheyCome`: each agent's output is written at once. */
    LookCommand(const LookSpec &spec, const std::vector<NamedAgent> &agents, bool asTheyCome = false);
    void start() override;

protected:
    /** This agent's part has ended. */
    virtual void ended(qsizetype) {}
    /** All have ended. */
    virtual void conclude();
    FanOut &agents() { return m_agents; }
    Context &context() { return m_context; }

private:
    const LookSpec &m_spec;
    Context m_context;
    FanOut m_agents;
};

} // namespace lockkeeper::app::cli
