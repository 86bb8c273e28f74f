// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::agent::alerts {

/** The longest wait between two attempts. */
inline constexpr qint64 kMostRetryUs = 300'000'000;

/**
 * How long to wait after `failures` attempts in a row that failed: from 1 s, doubled each time, to 5 min.
 * `random` in [0, 1) spreads it over the upper half, so that agents don't return together.
 */
qint64 retryDelayUs(qint64 failures, double random);

} // namespace lockkeeper::agent::alerts
