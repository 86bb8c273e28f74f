// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::app::session {

/**
 * With several agents, the console names a source AGENT/SOURCE, to distinguish sources with the same name.
 * The agents know nothing of this. With a single agent the name stays unchanged.
 */
struct SourceName
{
    QString agent; ///< as agentLabel() made it
    QString source;
};

/** An agent's name as the prefix of a source: without a slash. */
inline QString agentLabel(QString name)
{
    return name.replace(QLatin1Char('/'), QLatin1Char('-'));
}

inline QString joinedName(const QString &agent, const QString &source)
{
    return agent.isEmpty() ? source : agent + QLatin1Char('/') + source;
}

/** The parts of a joined name; without a slash the agent is empty. */
inline SourceName splitName(const QString &joined)
{
    const qsizetype slash = joined.indexOf(QLatin1Char('/'));
    return slash < 0 ? SourceName{{}, joined} : SourceName{joined.left(slash), joined.mid(slash + 1)};
}

} // namespace lockkeeper::app::session
