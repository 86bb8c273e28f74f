// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agent_part.h"
#include "app/cli/agents/agent_names.h"
#include "app/cli/command.h"

#include <vector>

namespace lockkeeper::app::cli {

/** An agent as the user named it, and all that it takes to ask it something. */
struct NamedAgent
{
    QString name; ///< in agents.toml, or an address
    Context context;
};

/**
 * Asks several agents the same. Nothing is asked before each of them has been reached or has failed, so that
 * one that was named twice is asked once, and each is told from the others by the time that something is
 * printed. What goes wrong at one is a line on standard error that names it.
 */
class Agents : public QObject
{
    Q_OBJECT

public:
    /** `out`: where notes go, and with `asTheyCome` also the rows. */
    Agents(const std::vector<NamedAgent> &agents, Output &out, bool asTheyCome);
    ~Agents() override;

    void ask(const CommandOptions &options);
    /** Ends what is still under way, as done. */
    void end();

    qsizetype count() const;
    AgentPart &part(qsizetype agent);
    const AgentPart &part(qsizetype agent) const;
    QString typed(qsizetype agent) const;
    /** What a command wrote that prints by itself. */
    QByteArray written(qsizetype agent) const;
    /** Whether it has answered in full; false also for one that is another one's double. */
    bool hasAnswered(qsizetype agent) const;
    /** Unreachable where one wasn't reached, else the first one's that failed. */
    Exit status() const;
    /** Of an agent that was asked; for the next thing that it is asked. Writes to the output itself. */
    Context contextOf(qsizetype agent, AgentPart *part) const;

Q_SIGNALS:
    /** This one has ended, in whichever way. */
    void ended(qsizetype agent);
    /** All have. */
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
