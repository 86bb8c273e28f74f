// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/agent_names.h"

namespace lockkeeper::app::cli {

QList<AgentName> nameAgents(const QList<AgentIdentity> &agents)
{
    QList<AgentName> names(agents.size());
    for (qsizetype i = 0; i < agents.size(); ++i) {
        const AgentIdentity &one = agents.at(i);
        for (qsizetype j = 0; j < i && names.at(i).sameAs < 0 && !one.journal.isEmpty(); ++j) {
            if (agents.at(j).configured == one.configured && agents.at(j).journal == one.journal)
                names[i].sameAs = j;
        }
    }
    for (qsizetype i = 0; i < agents.size(); ++i) {
        const QString &own = agents.at(i).configured;
        bool unique = !own.isEmpty();
        for (qsizetype j = 0; j < agents.size(); ++j) {
            const bool other = j != i && names.at(j).sameAs < 0;
            unique = unique && !(other && (agents.at(j).configured == own || agents.at(j).typed == own));
        }
        names[i].label = unique ? own : agents.at(i).typed;
    }
    return names;
}

QList<Addressed> addressedTo(const QString &text, const QList<QString> &names)
{
    QList<Addressed> found;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QString &name = names.at(i);
        if (!name.isEmpty() && text.size() > name.size() + 1 && text.startsWith(name) &&
            text.at(name.size()) == QLatin1Char('/'))
            found.append({i, text.mid(name.size() + 1)});
    }
    return found;
}

} // namespace lockkeeper::app::cli
