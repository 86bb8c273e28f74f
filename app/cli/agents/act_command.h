// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/fan_out.h"

namespace lockkeeper::app::cli {

/**
 * A command that changes something, with several agents given: finds the agent that is meant and runs there
 * only. AGENT/SOURCE or AGENT/ID names it. Otherwise all agents are queried, and exactly one may match.
 */
class ActCommand final : public Task
{
    Q_OBJECT

public:
    ActCommand(CommandOptions options, std::vector<NamedAgent> agents);
    void start() override;

private:
    QList<Addressed> named(const QList<QString> &names) const;
    void choose();
    void chooseForRelease(const ReleaseOptions &options);
    void chooseForDecision(const DecideOptions &options);
    void chooseForProbe(const ProbeOptions &options);
    void runAt(qsizetype agent, const QString &rest);
    void runVia(qsizetype agent, const QString &rest);
    void refuse(Exit status, const QString &cause, const QString &remedy);
    /** "AGENT/REST", as the user types it. */
    QString pathTo(qsizetype agent, const QString &rest) const;
    Context &context() { return m_named.front().context; }

    CommandOptions m_options;
    std::vector<NamedAgent> m_named;
    FanOut m_agents;
    AgentPart m_part; ///< of the chosen agent
    std::optional<Context> m_chosen;
    std::unique_ptr<Command> m_command;
};

/**
 * The task that the options request from these agents. `agents` has at least one entry and outlives the task.
 */
std::unique_ptr<Task> makeTask(const CommandOptions &options, std::vector<NamedAgent> &agents);

} // namespace lockkeeper::app::cli
