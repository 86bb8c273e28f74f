// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::agent::hub {

inline constexpr qint64 kUsPerDay = 86'400'000'000;

/** The number of whole UTC days from 1970 to a time in microseconds; negative before 1970. */
constexpr qint64 utcDayOf(qint64 us)
{
    return us >= 0 ? us / kUsPerDay : -1 - (-1 - us) / kUsPerDay;
}

} // namespace lockkeeper::agent::hub
