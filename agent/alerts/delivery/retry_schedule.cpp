// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/retry_schedule.h"

#include "shared/base/clock.h"

#include <algorithm>

namespace lockkeeper::agent::alerts {

qint64 retryDelayUs(qint64 failures, double random)
{
    const int doublings = int(std::clamp<qint64>(failures - 1, 0, 16));
    const qint64 wholeUs = std::min(kMostRetryUs, base::kSecondUs << doublings);
    return wholeUs / 2 + qint64(double(wholeUs) / 2 * std::clamp(random, 0.0, 1.0));
}

} // namespace lockkeeper::agent::alerts
