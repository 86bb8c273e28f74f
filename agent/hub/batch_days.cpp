// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/batch_days.h"

#include "agent/hub/utc_day.h"

#include <QDate>

namespace lockkeeper::agent::hub {

namespace {

/** A batch of more days is none of a sane clock; the default partition takes its rows. */
constexpr qsizetype kMostDays = 400;

void addDay(QSet<qint64> &days, qint64 us)
{
    const qint64 day = utcDayOf(us);
    if (day >= 0 && day <= kLastDay && days.size() < kMostDays)
        days.insert(day);
}

} // namespace

QSet<qint64> daysOf(const HubBatch &batch)
{
    QSet<qint64> days;
    for (const journal::EventRow &row : batch.events)
        addDay(days, row.event.timeUs);
    for (const journal::HoldRow &row : batch.holds)
        addDay(days, row.hold.toUs.value_or(row.hold.fromUs));
    for (const HubWait &wait : batch.waits)
        addDay(days, wait.toUs);
    return days;
}

QByteArray dateArray(const QSet<qint64> &days)
{
    QByteArrayList dates;
    for (const qint64 day : days)
        dates.append(QDate(1970, 1, 1).addDays(day).toString(Qt::ISODate).toLatin1());
    return '{' + dates.join(',') + '}';
}

} // namespace lockkeeper::agent::hub
