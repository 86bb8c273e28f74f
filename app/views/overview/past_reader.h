// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/past.h"
#include "app/session/agent_group.h"

namespace lockkeeper::app::views {

/**
 * Reads the last hour, the same hour a day and a week ago, and the last day's force-releases from the agent's
 * journal. Results stay until new results replace them, even if a reading fails. GUI thread.
 */
class PastReader : public QObject
{
    Q_OBJECT

public:
    explicit PastReader(session::AgentGroup &session, QObject *parent = nullptr);

    /** Cancels an earlier request. */
    void ask(qint64 nowUs);
    /** Forgets the results: they say nothing about another agent. */
    void clear();
    bool isReading() const { return !m_requests.isEmpty(); }
    qint64 askedAtUs() const { return m_askedAtUs; }     ///< 0: never
    const base::Error &error() const { return m_error; } ///< of the last reading; no cause: none

    const std::optional<protocol::ContentionPage> &costs(std::size_t hour) const { return m_costs.at(hour); }
    const std::optional<session::WaitingRead> &seen(std::size_t hour) const { return m_seen.at(hour); }
    std::optional<overview::Hour> hour(std::size_t hour) const;
    const std::optional<overview::Breaks> &breaks() const { return m_breaks; }

Q_SIGNALS:
    void changed();

private:
    void took(quint64 id, const base::Error *error);

    session::AgentGroup &m_session;
    std::array<std::optional<protocol::ContentionPage>, overview::kHours> m_costs;
    std::array<std::optional<session::WaitingRead>, overview::kHours> m_seen;
    std::optional<overview::Breaks> m_breaks;
    QList<quint64> m_requests;
    quint64 m_round = 0; ///< answers to an older round are ignored
    qint64 m_askedAtUs = 0;
    base::Error m_error;
};

} // namespace lockkeeper::app::views
