// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"

#include <chrono>

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

} // namespace lockkeeper::base
