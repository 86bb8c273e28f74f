// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agent_part.h"
#include "app/cli/agents/agent_names.h"
#include "app/cli/command_spec.h"

namespace lockkeeper::app::cli {

/**
 * Sends the same request to several agents. It waits until each agent was reached or has failed, so that an
 * agent named twice is queried once and every agent has a distinct label before anything is printed. A
 * failure at one agent is a line on standard error that names it.
 */
class FanOut : public QObject
{
    Q_OBJECT

public:
    /** `out` receives notes, and with `asTheyCome` also the rows. */
    FanOut(const std::vector<NamedAgent> &agents, Output &out, bool asTheyCome);
    ~FanOut() override;

    /** `command` outlives this object. */
    void ask(const CommandSpec &command);
    /** Ends all running commands as done. */
    void end();

    qsizetype count() const;
    AgentPart &part(qsizetype agent);
    const AgentPart &part(qsizetype agent) const;
    QString typed(qsizetype agent) const;
    /** The output of a command that isn't merged. */
    QByteArray written(qsizetype agent) const;
    /** True if the agent has answered in full; false for a duplicate of another entry. */
    bool hasAnswered(qsizetype agent) const;
    /** Unreachable if any agent wasn't reached, otherwise the status of the first agent that failed. */
    Exit status() const;
    /** The context of an agent that was queried, for its next request. It writes to the output directly. */
    Context contextOf(qsizetype agent, AgentPart *part) const;

Q_SIGNALS:
    /** This agent's command has ended, successfully or not. */
    void ended(qsizetype agent);
    /** All commands have ended. */
    void finished();

private:
    class Leg;
    void connectNext();
    void admit();

    Output &m_out;
    std::vector<std::unique_ptr<Leg>> m_legs;
    bool m_admitted = false;
};

} // namespace lockkeeper::app::cli
