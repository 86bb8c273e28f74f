// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/agents.h"

namespace lockkeeper::app::cli {

/**
 * A command that does something, where several agents are given: looks which one is meant, and does it there
 * alone. AGENT/SOURCE and AGENT/ID name it; else all have to be asked, and exactly one may be meant.
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
    /** "AGENT/REST", as it is typed. */
    QString pathTo(qsizetype agent, const QString &rest) const;
    Context &context() { return m_named.front().context; }

    CommandOptions m_options;
    std::vector<NamedAgent> m_named;
    Agents m_agents;
    AgentPart m_part; ///< of the one that it is done at
    std::optional<Context> m_chosen;
    std::unique_ptr<Command> m_command;
};

/** What the options ask for of these agents, of which there is at least one; they outlive it. */
std::unique_ptr<Task> makeTask(const CommandOptions &options, std::vector<NamedAgent> &agents);

} // namespace lockkeeper::app::cli
