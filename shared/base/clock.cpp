// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"

#include <chrono>
#include <ctime>

namespace lockkeeper::base {

namespace {
template <typename C> qint64 readUs()
{
    return std::chrono::duration_cast<std::chrono::microseconds>(C::now().time_since_epoch()).count();
}
} // namespace

qint64 SystemClock::monotonicUs() const
{
    return readUs<std::chrono::steady_clock>();
}

qint64 SystemClock::wallUs() const
{
    return readUs<std::chrono::system_clock>();
}

qint64 SleeplessClock::monotonicUs() const
{
#ifdef Q_OS_LINUX
    timespec now = {};
    if (::clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        return qint64(now.tv_sec) * kSecondUs + now.tv_nsec / 1'000;
#endif
    return SystemClock().monotonicUs();
}

qint64 SleeplessClock::wallUs() const
{
    return SystemClock().wallUs();
}

} // namespace lockkeeper::base
