// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockkeeper::app::cli {

/** An agent as the user named it, and as it named itself. */
struct AgentIdentity
{
    QString typed;      ///< a name in agents.toml, or an address
    QString configured; ///< empty: not reached
    QByteArray journal = {};
};

struct AgentName
{
    QString label;         ///< distinguishes it from the other agents
    qsizetype sameAs = -1; ///< index of an earlier entry for the same agent
};

/**
 * Labels the agents by their configured names. An agent that wasn't reached, or whose configured name another
 * agent also has, gets the name that the user typed. Two entries with the same configured name and the same
 * journal are the same agent.
 */
QList<AgentName> nameAgents(const QList<AgentIdentity> &agents);

/** "AGENT/REST", split. */
struct Addressed
{
    qsizetype agent = 0;
    QString rest;
};

/** Each agent that `text` may name before a slash. `names` holds the names of each agent in turn. */
QList<Addressed> addressedTo(const QString &text, const QList<QString> &names);

} // namespace lockkeeper::app::cli
