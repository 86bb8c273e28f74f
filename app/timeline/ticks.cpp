// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/ticks.h"

#include <QDateTime>

#include <algorithm>
#include <array>

namespace lockkeeper::app::timeline {

namespace {

constexpr qint64 kMilli = 1'000;
constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

struct TickStep
{
    TickUnit unit;
    int count;
    qint64 us; ///< about, from a month on
};
constexpr std::array<TickStep, 36> kSteps{{
    {TickUnit::Millisecond, 1, kMilli},
    {TickUnit::Millisecond, 2, 2 * kMilli},
    {TickUnit::Millisecond, 5, 5 * kMilli},
    {TickUnit::Millisecond, 10, 10 * kMilli},
    {TickUnit::Millisecond, 20, 20 * kMilli},
    {TickUnit::Millisecond, 50, 50 * kMilli},
    {TickUnit::Millisecond, 100, 100 * kMilli},
    {TickUnit::Millisecond, 200, 200 * kMilli},
    {TickUnit::Millisecond, 500, 500 * kMilli},
    {TickUnit::Second, 1, kSecond},
    {TickUnit::Second, 2, 2 * kSecond},
    {TickUnit::Second, 5, 5 * kSecond},
    {TickUnit::Second, 10, 10 * kSecond},
    {TickUnit::Second, 15, 15 * kSecond},
    {TickUnit::Second, 30, 30 * kSecond},
    {TickUnit::Minute, 1, kMinute},
    {TickUnit::Minute, 2, 2 * kMinute},
    {TickUnit::Minute, 5, 5 * kMinute},
    {TickUnit::Minute, 10, 10 * kMinute},
    {TickUnit::Minute, 15, 15 * kMinute},
    {TickUnit::Minute, 30, 30 * kMinute},
    {TickUnit::Hour, 1, kHour},
    {TickUnit::Hour, 2, 2 * kHour},
    {TickUnit::Hour, 3, 3 * kHour},
    {TickUnit::Hour, 6, 6 * kHour},
    {TickUnit::Hour, 12, 12 * kHour},
    {TickUnit::Day, 1, kDay},
    {TickUnit::Day, 2, 2 * kDay},
    {TickUnit::Day, 7, 7 * kDay},
    {TickUnit::Day, 14, 14 * kDay},
    {TickUnit::Month, 1, 30 * kDay},
    {TickUnit::Month, 2, 61 * kDay},
    {TickUnit::Month, 3, 91 * kDay},
    {TickUnit::Month, 6, 182 * kDay},
    {TickUnit::Year, 1, 365 * kDay},
    {TickUnit::Year, 2, 730 * kDay},
}};

QDateTime dateTimeOf(qint64 us, const QTimeZone &zone)
{
    return QDateTime::fromMSecsSinceEpoch(us >= 0 ? us / 1000 : (us - 999) / 1000, zone);
}

qint64 offsetUs(qint64 us, const QTimeZone &zone)
{
    return qint64(dateTimeOf(us, zone).offsetFromUtc()) * kSecond;
}

qint64 floorTo(qint64 us, qint64 step)
{
    const qint64 rest = us % step;
    return us - (rest < 0 ? rest + step : rest);
}

/** Up to half a day: steps in real time, with ticks where the zone's clock is round. */
void clockTicks(Ticks &ticks, const TimeRange &range, const QTimeZone &zone, qint64 step)
{
    const qint64 stride = std::min(step, kHour);
    qint64 offset = offsetUs(range.fromUs, zone);
    qint64 at = floorTo(range.fromUs + offset, stride) - offset;
    for (; at < range.toUs; at += stride) {
        const qint64 now = offsetUs(at, zone);
        if (now != offset) { // a clock change by less than the stride breaks its rhythm
            at = floorTo(at + now + stride - 1, stride) - now;
            offset = now;
        }
        const qint64 local = at + now;
        if (at >= range.fromUs && floorTo(local, step) == local)
            ticks.list.append({at, floorTo(local, kDay) == local, false});
    }
}

/** From a day on: ticks where a date of the zone begins. */
void dateTicks(Ticks &ticks, const TimeRange &range, const QTimeZone &zone, const TickStep &step)
{
    QDate date = dateTimeOf(range.fromUs, zone).date();
    const auto next = [&step](const QDate &from) {
        return step.unit == TickUnit::Day     ? from.addDays(step.count)
               : step.unit == TickUnit::Month ? from.addMonths(step.count)
                                              : from.addYears(step.count);
    };
    if (step.unit == TickUnit::Day) // weeks begin on Mondays; two-day steps cross a month's end
        date = date.addDays(-((date.toJulianDay()) % step.count));
    else if (step.unit == TickUnit::Month)
        date = QDate(date.year(), (date.month() - 1) / step.count * step.count + 1, 1);
    else
        date = QDate(date.year() / step.count * step.count, 1, 1);
    for (; date.isValid(); date = next(date)) {
        const qint64 at = date.startOfDay(zone).toMSecsSinceEpoch() * 1000;
        if (at >= range.toUs)
            return;
        if (at >= range.fromUs)
            ticks.list.append({at, true, false});
    }
}

} // namespace

Ticks ticksOf(const TimeAxis &axis, const QTimeZone &zone, int leastPx)
{
    Ticks ticks;
    if (!axis.isValid())
        return ticks;
    const double least = axis.usPerPixel() * leastPx;
    const auto *step = std::find_if(kSteps.cbegin(), kSteps.cend(),
                                    [least](const TickStep &one) { return double(one.us) >= least; });
    if (step == kSteps.cend())
        step = std::prev(kSteps.cend());
    ticks.unit = step->unit;
    if (step->us < kDay)
        clockTicks(ticks, axis.range(), zone, step->us);
    else
        dateTicks(ticks, axis.range(), zone, *step);
    qint64 before = offsetUs(axis.range().fromUs, zone);
    for (Tick &tick : ticks.list) {
        const qint64 offset = offsetUs(tick.us, zone);
        tick.clockSet = offset != before;
        before = offset;
    }
    return ticks;
}

} // namespace lockkeeper::app::timeline
