// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/lease_range.h"

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::stores {

LeaseRange leaseRangeOf(qint64 nowMs, qint64 endsMs, qint64 newestMs)
{
    return {std::max<qint64>(0, endsMs - nowMs), endsMs - newestMs};
}

LeaseRange narrowed(const LeaseRange &one, const LeaseRange &other)
{
    return {std::max(one.leastMs, other.leastMs), std::min(one.mostMs, other.mostMs)};
}

qint64 longestLeaseMs(const LeaseRange &range)
{
    constexpr qint64 kSecondMs = 1'000;
    constexpr qint64 kStepMs = 5 * kSecondMs;
    const qint64 longest = std::max(range.leastMs, range.mostMs);
    const qint64 round = (longest + kStepMs / 2) / kStepMs * kStepMs;
    const bool isRound = std::abs(round - longest) <= kSecondMs && round >= range.leastMs;
    return isRound ? round : (longest + kSecondMs - 1) / kSecondMs * kSecondMs;
}

} // namespace lockkeeper::stores
