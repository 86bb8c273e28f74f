// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/request_deadlines.h"

#include <algorithm>

namespace lockkeeper::agent::application {

RequestDeadlines::RequestDeadlines()
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { fire(); });
}

quint64 RequestDeadlines::add(std::chrono::milliseconds within, std::function<void()> late)
{
    const Clock::time_point when = Clock::now() + within;
    m_due.emplace(std::pair(when, ++m_last), std::move(late));
    m_when.insert(m_last, when);
    if (!m_timer.isActive() || when < m_armedFor)
        arm();
    return m_last;
}

void RequestDeadlines::remove(quint64 number)
{
    if (const auto it = m_when.constFind(number); it != m_when.constEnd()) {
        m_due.erase({*it, number});
        m_when.erase(it); // the timer may fire needlessly
    }
}

void RequestDeadlines::arm()
{
    m_timer.stop();
    if (m_due.empty())
        return;
    m_armedFor = m_due.begin()->first.first;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_armedFor - Clock::now());
    m_timer.start(std::max(wait, std::chrono::milliseconds(0)));
}

void RequestDeadlines::fire()
{
    // Take each limit out before calling it: it may add and remove others.
    while (!m_due.empty() && m_due.begin()->first.first <= Clock::now()) {
        auto due = m_due.extract(m_due.begin());
        m_when.remove(due.key().second);
        due.mapped()();
    }
    arm();
}

} // namespace lockkeeper::agent::application
