// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/past.h"
#include "app/session/agents.h"

namespace lockkeeper::app::views {

/**
 * What the agent's journal tells of the last hour, of the same hour a day and a week ago, and of the last
 * day's force-releases. What was read stays until it is read anew, also where that fails. GUI thread.
 */
class PastReader : public QObject
{
    Q_OBJECT

public:
    explicit PastReader(session::Agents &session, QObject *parent = nullptr);

    /** An earlier question is taken back. */
    void ask(qint64 nowUs);
    /** Of another agent nothing is known. */
    void clear();
    bool isReading() const { return !m_requests.isEmpty(); }
    qint64 askedAtUs() const { return m_askedAtUs; }     ///< 0: never
    const base::Error &error() const { return m_error; } ///< of the last reading; no cause: none

    bool tellsCosts() const;   ///< the agent ranks locks
    bool tellsWaiting() const; ///< and tells how many waited, and when nobody looked
    const std::optional<protocol::ContentionPage> &costs(std::size_t hour) const { return m_costs.at(hour); }
    const std::optional<protocol::WaitingPage> &seen(std::size_t hour) const { return m_seen.at(hour); }
    std::optional<overview::Hour> hour(std::size_t hour) const;
    const std::optional<overview::Breaks> &breaks() const { return m_breaks; }

Q_SIGNALS:
    void changed();

private:
    void took(quint64 id, const base::Error *error);

    session::Agents &m_session;
    std::array<std::optional<protocol::ContentionPage>, overview::kHours> m_costs;
    std::array<std::optional<protocol::WaitingPage>, overview::kHours> m_seen;
    std::optional<overview::Breaks> m_breaks;
    QList<quint64> m_requests;
    quint64 m_round = 0; ///< so that answers to an older question count for nothing
    qint64 m_askedAtUs = 0;
    base::Error m_error;
};

} // namespace lockkeeper::app::views
