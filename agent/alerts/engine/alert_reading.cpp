// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/engine/alert_reading.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::agent::alerts {

using domain::AlertCondition;

namespace {

/** The waits of a lock as one growing value: of the longest wait, or of the sum of all. */
AlertReading waitReading(const domain::LockState &lock, qint64 offsetUs, bool isSum)
{
    if (lock.isHeld() && !lock.waitersVisible)
        return AlertReading::unknown();
    qint64 firstUs = 0;
    qint64 count = 0;
    double sum = 0; // of the beginnings, relative to the first: exact enough, and can't overflow
    for (const domain::Waiter &waiter : lock.waiters) {
        if (!waiter.sinceUs)
            continue;
        const qint64 sinceUs = *waiter.sinceUs - offsetUs;
        firstUs = count == 0 ? sinceUs : std::min(firstUs, sinceUs);
        ++count;
    }
    if (count == 0)
        return {};
    if (!isSum)
        return AlertReading::growing(firstUs);
    for (const domain::Waiter &waiter : lock.waiters) {
        if (waiter.sinceUs)
            sum += double(*waiter.sinceUs - offsetUs - firstUs);
    }
    return AlertReading::growing(firstUs + qint64(std::llround(sum / double(count))), count);
}

AlertReading waiterCount(const domain::LockState &lock)
{
    const auto count = lock.waiterCount();
    if (!count)
        return lock.isHeld() ? AlertReading::unknown() : AlertReading();
    return AlertReading::level(*count);
}

/** The smallest share of the lease that a renewal left, in thousandths. */
AlertReading leaseMargin(const domain::LockState &lock)
{
    if (!lock.isHeld() || lock.renewals < 2 || lock.ttlMs <= 0 || lock.longestRenewalGapUs <= 0)
        return {};
    return AlertReading::level(std::max<qint64>(0, 1'000 - lock.longestRenewalGapUs / lock.ttlMs));
}

} // namespace

qint64 AlertReading::valueAt(qint64 nowUs) const
{
    return growth == 0 ? constant : std::max<qint64>(0, nowUs - zeroUs) * growth / divisor;
}

std::optional<qint64> AlertReading::reachedUs(qint64 threshold) const
{
    if (!applies || growth == 0)
        return std::nullopt;
    return zeroUs + (threshold * divisor + growth - 1) / growth;
}

AlertReading readingOf(AlertCondition when, const domain::LockState &lock, qint64 offsetUs)
{
    if (lock.phase == domain::Phase::Unknown)
        return AlertReading::unknown();
    switch (when) {
    case AlertCondition::Stuck:
        return AlertReading::lasting(lock.stuck != domain::StuckReason::None);
    case AlertCondition::Expired:
        return AlertReading::lasting(lock.phase == domain::Phase::Expired,
                                     lock.expiresUs ? *lock.expiresUs - offsetUs : 0);
    case AlertCondition::LongestWait:
        return waitReading(lock, offsetUs, false);
    case AlertCondition::WaitingNow:
        return waitReading(lock, offsetUs, true);
    case AlertCondition::Waiters:
        return waiterCount(lock);
    case AlertCondition::HeldFor:
        if (!lock.isHeld() || !lock.acquiredUs)
            return {};
        return AlertReading::growing(*lock.acquiredUs - offsetUs);
    case AlertCondition::LeaseMargin:
        return leaseMargin(lock);
    default:
        return {};
    }
}

} // namespace lockkeeper::agent::alerts
