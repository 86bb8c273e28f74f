// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/fan_out.h"

namespace lockkeeper::app::cli {

/**
 * A command that changes something at one agent. With several agents given, AGENT/SOURCE or AGENT/ID names
 * the agent that is meant. Otherwise all agents are asked a question, and exactly one may match.
 */
class ActSpec : public CommandSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    struct Choice
    {
        std::optional<qsizetype> agent;
        QString cause; ///< why no agent could be chosen
        QString remedy;
    };

    /** The text that may begin with the agent's name, before a slash; empty: it names no agent. */
    virtual QString target() const = 0;
    /** True if the text names an agent in any case, so that even a lone agent is checked. */
    virtual bool namesAgent() const { return false; }
    /** The command whose answers show which agent is meant. */
    virtual std::unique_ptr<CommandSpec> question() const = 0;
    virtual Choice choose(const FanOut &agents) const = 0;
    /** The command at the chosen agent. `target`: without the agent's name. */
    virtual std::unique_ptr<Command> makeAt(Context &context, const QString &target) const = 0;

    std::unique_ptr<Command> make(Context &context) const override { return makeAt(context, target()); }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override;

protected:
    /** "AGENT/REST", as the user types it. */
    static QString pathTo(const FanOut &agents, qsizetype agent, const QString &rest);
    /** The remedy that lists what the user may have meant. */
    static QString oneOf(const QStringList &candidates);
    static Choice noSource(const QString &source, const QStringList &known);
};

/** Finds the agent that is meant, and runs the command there only. */
class ActCommand final : public Task
{
    Q_OBJECT

public:
    /** Both outlive it. */
    ActCommand(const ActSpec &spec, const std::vector<NamedAgent> &agents);
    void start() override;

private:
    QList<Addressed> named(const QList<QString> &names) const;
    void choose();
    void runAt(qsizetype agent, const QString &rest);
    void refuse(Exit status, const QString &cause, const QString &remedy);

    const ActSpec &m_spec;
    const std::vector<NamedAgent> &m_named;
    std::unique_ptr<CommandSpec> m_question;
    Context m_context;
    FanOut m_agents;
    AgentPart m_part; ///< of the chosen agent
    std::optional<Context> m_chosen;
    std::unique_ptr<Command> m_command;
};

} // namespace lockkeeper::app::cli
