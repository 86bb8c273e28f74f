// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores {

/**
 * Whether a number that applications store for a time can be one, in microseconds since the epoch: from 1971
 * to the year 9000. A number in a larger unit than the mapping's lands in January 1970, one in a smaller unit
 * past the year 9000.
 */
constexpr bool isSaneTime(qint64 us)
{
    constexpr qint64 kSecondUs = 1'000'000;
    return us >= 31'536'000 * kSecondUs && us < 221'845'392'000 * kSecondUs;
}

} // namespace lockkeeper::stores
