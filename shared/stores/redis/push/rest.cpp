// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/rest.h"

#include <sys/timerfd.h>
#include <unistd.h>
#include <utility>

namespace lockkeeper::stores::redis::push {

namespace {

bool arm(int timer, std::chrono::microseconds pause)
{
    itimerspec when{};
    when.it_value.tv_sec = time_t(pause.count() / 1'000'000);
    when.it_value.tv_nsec = long(pause.count() % 1'000'000 * 1'000);
    return timer >= 0 && timerfd_settime(timer, 0, &when, nullptr) == 0;
}

} // namespace

Rest::Rest(std::function<void()> over)
    : m_over(std::move(over)), m_timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))
{
    if (m_timer < 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(m_timer, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this] { end(); });
}

Rest::~Rest()
{
    m_notifier.reset();
    if (m_timer >= 0)
        ::close(m_timer);
}

void Rest::start(std::chrono::microseconds pause)
{
    m_running = arm(m_timer, pause);
    if (!m_running)
        m_over();
}

void Rest::stop()
{
    if (std::exchange(m_running, false))
        arm(m_timer, {});
}

void Rest::end()
{
    quint64 times = 0;
    if (::read(m_timer, &times, sizeof times) == ssize_t(sizeof times) && std::exchange(m_running, false))
        m_over();
}

} // namespace lockkeeper::stores::redis::push
