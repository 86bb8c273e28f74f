// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSocketNotifier>

#include <chrono>
#include <functional>
#include <memory>

namespace lockkeeper::stores::redis::push {

/**
 * A one-shot timer of microseconds, where QTimer counts milliseconds: a descriptor of the system (timerfd)
 * on the event loop of the thread that made it. Where there is none it is over at once.
 */
class Rest
{
public:
    explicit Rest(std::function<void()> over);
    ~Rest();
    Q_DISABLE_COPY_MOVE(Rest)

    /** Calls `over` after `pause`; begins anew where it is running. */
    void start(std::chrono::microseconds pause);
    /** No call any more. */
    void stop();
    bool isRunning() const { return m_running; }

private:
    void end();

    std::function<void()> m_over;
    int m_timer;
    std::unique_ptr<QSocketNotifier> m_notifier;
    bool m_running = false;
};

} // namespace lockkeeper::stores::redis::push
