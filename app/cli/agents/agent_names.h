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
    QString configured; ///< empty: it wasn't reached
    QByteArray journal = {};
};

struct AgentName
{
    QString label;         ///< how it is told from the others
    qsizetype sameAs = -1; ///< an earlier one that is this very agent
};

/**
 * Agents are called as they call themselves; those that weren't reached, and those whose name for themselves
 * is another one's as well, as the user calls them. The same name and the same journal are the same agent.
 */
QList<AgentName> nameAgents(const QList<AgentIdentity> &agents);

/** "AGENT/REST", taken apart. */
struct Addressed
{
    qsizetype agent = 0;
    QString rest;
};

/** Each agent that `text` may name before a slash: `names` are those of one agent after the other. */
QList<Addressed> addressedTo(const QString &text, const QList<QString> &names);

} // namespace lockkeeper::app::cli
