// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::base {

inline constexpr qint64 kSecondUs = 1'000'000;
inline constexpr qint64 kHourUs = 3'600 * kSecondUs;
inline constexpr qint64 kYearUs = 366 * 24 * kHourUs; ///< no year is longer

/**
 * The interface through which code reads time, so that tests can control it. Both readings are in
 * microseconds. Monotonic time measures intervals of this process. Wall time (UTC since the epoch) is only
 * for logs and for the offset to a store's clock. Never use either to decide whether a lease has expired:
 * only the store's clock decides that.
 */
class Clock
{
public:
    virtual ~Clock() = default;
    virtual qint64 monotonicUs() const = 0;
    virtual qint64 wallUs() const = 0;
};

/** The machine's clocks. Stateless and safe from any thread. */
class SystemClock final : public Clock
{
public:
    qint64 monotonicUs() const override;
    qint64 wallUs() const override;
};

/**
 * The machine's clocks. Here the monotonic clock continues while the machine sleeps (CLOCK_BOOTTIME on Linux;
 * elsewhere as SystemClock). Use it for leases, which expire during sleep. Stateless and safe from any
 * thread.
 */
class SleeplessClock final : public Clock
{
public:
    qint64 monotonicUs() const override;
    qint64 wallUs() const override;
};

} // namespace lockkeeper::base
