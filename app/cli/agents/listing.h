// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/fan_out.h"
#include "app/cli/agents/merge.h"
#include "app/cli/table.h"

#include <QJsonObject>

namespace lockkeeper::app::cli {

/**
 * The answers of the agents as one listing. With several agents, tables get a column AGENT and objects a
 * member "agent". Agents that haven't answered in full are left out.
 */
class Listing
{
public:
    Listing(const FanOut &agents, Context &context) : m_agents(agents), m_context(context) {}

    const FanOut &agents() const { return m_agents; }
    Context &context() const { return m_context; }
    bool isJson() const { return m_context.json; }
    bool isOfSeveral() const { return m_agents.count() > 1; }
    const AgentPart &part(qsizetype agent) const { return m_agents.part(agent); }
    QList<qsizetype> answered() const;
    QString label(qsizetype agent) const { return part(agent).label; }
    /** The agent's name with a separator; empty for a lone agent, which isn't named. */
    QString prefix(qsizetype agent, QLatin1String separator) const;

    /** Writes one object; with several agents it names its agent. */
    void write(const QJsonObject &object, qsizetype agent);
    /** Adds rows to the table; all have the same columns. */
    void add(Table rows, const QString &agent);
    /** The table so far; the next rows begin a new one. */
    QByteArray takeTable();
    /** Writes the table. `nothing` is said if it is empty and every agent has answered. */
    void show(const QString &nothing);
    /** Writes output that isn't merged, one agent after the other, with `between` between two of them. */
    void showUnmerged(const QByteArray &between = {});

    /** Merges the agents' lists, each in its agent's order; see mergeInOrder(). */
    template <typename T, typename ListOf, typename Before>
    MergedList<T> merge(const QList<qsizetype> &agents, ListOf listOf, Before before, qsizetype limit) const
    {
        QList<Answers<T>> answers;
        for (const qsizetype agent : agents)
            answers.append(listOf(part(agent)));
        MergedList<T> merged = mergeInOrder(answers, before, limit);
        for (Merged<T> &one : merged.list)
            one.agent = agents.at(one.agent);
        return merged;
    }

private:
    const FanOut &m_agents;
    Context &m_context;
    std::optional<Table> m_table;
};

} // namespace lockkeeper::app::cli
