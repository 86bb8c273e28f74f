// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/time_axis.h"

#include <QList>
#include <QTimeZone>

namespace lockkeeper::app::timeline {

enum class TickUnit : quint8 { Millisecond = 0, Second, Minute, Hour, Day, Month, Year };

struct Tick
{
    qint64 us = 0;
    bool dayBegins = false; ///< in the zone
    bool clockSet = false;  ///< the zone's offset differs from that of the previous tick
    bool operator==(const Tick &) const = default;
};

struct Ticks
{
    TickUnit unit = TickUnit::Hour;
    QList<Tick> list; ///< ascending
};

/**
 * Round times of a zone within the axis, at least `leastPx` pixels apart. An hour that the zone's clock skips
 * has no tick, and a repeated hour has two. A day has its real length: 23 or 25 hours when the clocks change.
 * Pure.
 */
Ticks ticksOf(const TimeAxis &axis, const QTimeZone &zone, int leastPx);

} // namespace lockkeeper::app::timeline
