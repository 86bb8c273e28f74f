// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QTimer>

#include <chrono>
#include <functional>
#include <map>

namespace lockkeeper::agent::application {

/**
 * Any number of time limits behind one timer. Qt removes a timer in time proportional to the number of all
 * timers, and clients' requests must not determine that number. Lives in one thread.
 */
class RequestDeadlines final
{
public:
    RequestDeadlines();

    /** Calls `late` once, when `within` has passed; returns a number for remove(). */
    quint64 add(std::chrono::milliseconds within, std::function<void()> late);
    /** Does nothing if the limit has passed. */
    void remove(quint64 number);

private:
    using Clock = std::chrono::steady_clock;

    void arm();
    void fire();

    std::map<std::pair<Clock::time_point, quint64>, std::function<void()>> m_due;
    QHash<quint64, Clock::time_point> m_when;
    QTimer m_timer;
    Clock::time_point m_armedFor;
    quint64 m_last = 0;
};

} // namespace lockkeeper::agent::application
