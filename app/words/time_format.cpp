// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/time_format.h"

#include "shared/base/clock.h"

namespace lockkeeper::app::words {

namespace {

qint64 floorMs(qint64 us)
{
    return us >= 0 ? us / 1000 : (us - 999) / 1000;
}

} // namespace

void TimeFormat::setZone(Zone zone)
{
    if (zone == m_zone)
        return;
    m_zone = zone;
    Q_EMIT changed();
}

void TimeFormat::setMilliseconds(bool shown)
{
    if (shown == m_milliseconds)
        return;
    m_milliseconds = shown;
    Q_EMIT changed();
}

QTimeZone TimeFormat::timeZone() const
{
    return m_zone == Zone::Local ? QTimeZone::systemTimeZone() : QTimeZone::utc();
}

QDateTime TimeFormat::at(qint64 us) const
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(floorMs(us), QTimeZone::utc());
    return m_zone == Zone::Local ? utc.toLocalTime() : utc;
}

QString TimeFormat::zoneText(qint64 us) const
{
    const int offset = at(us).offsetFromUtc();
    if (offset == 0)
        return QStringLiteral("UTC");
    const QString sign = offset < 0 ? QStringLiteral("−") : QStringLiteral("+");
    const int minutes = qAbs(offset) / 60;
    if (minutes % 60 == 0)
        return QStringLiteral("UTC%1%2").arg(sign).arg(minutes / 60);
    return QStringLiteral("UTC%1%2:%3")
        .arg(sign)
        .arg(minutes / 60)
        .arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

QString TimeFormat::zoneBeside(qint64 us) const
{
    const QString zone = zoneText(us);
    return zone == zoneText(base::SystemClock().wallUs()) ? QString() : QLatin1Char(' ') + zone;
}

QString TimeFormat::longest(bool fine) const
{
    constexpr qint64 kQuarterUs = 91ll * 24 * 3'600'000'000;
    const qint64 nowUs = base::SystemClock().wallUs();
    QString longest;
    for (const qint64 us : {nowUs, nowUs - kQuarterUs, nowUs - 2 * kQuarterUs, nowUs - 3 * kQuarterUs}) {
        const QString text = (fine ? fineDateTime(us) : dateTime(us)) + zoneBeside(us);
        longest = text.size() > longest.size() ? text : longest;
    }
    return longest;
}

QString TimeFormat::time(qint64 us) const
{
    return at(us).toString(m_milliseconds ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("HH:mm:ss"));
}

QString TimeFormat::dateTime(qint64 us) const
{
    return at(us).toString(QStringLiteral("yyyy-MM-dd ")) + time(us);
}

QString TimeFormat::wholeRange(qint64 fromUs, qint64 toUs) const
{
    return QStringLiteral("%1 – %2 %3").arg(dateTime(fromUs), dateTime(toUs), zoneText(toUs));
}

QString TimeFormat::fineDateTime(qint64 us) const
{
    return at(us).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QString TimeFormat::fineNearTime(qint64 us, qint64 nowUs) const
{
    const QDate date = at(us).date();
    const QDate today = at(nowUs).date();
    return date.year() != today.year()
               ? fineDateTime(us)
               : at(us).toString(date == today ? QStringLiteral("HH:mm:ss.zzz")
                                               : QStringLiteral("MM-dd HH:mm:ss.zzz"));
}

QString TimeFormat::nearTime(qint64 us, qint64 nowUs) const
{
    return at(us).date() == at(nowUs).date() ? time(us) : dateTime(us);
}

QString TimeFormat::shortTime(qint64 us, qint64 nowUs) const
{
    constexpr int kSameYearDays = 300;
    const qint64 days = at(us).date().daysTo(at(nowUs).date());
    if (days == 0)
        return time(us);
    return at(us).toString(days > 0 && days < kSameYearDays ? QStringLiteral("MM-dd HH:mm")
                                                            : QStringLiteral("yyyy-MM-dd"));
}

QString TimeFormat::exact(qint64 us) const
{
    const qint64 part = us - floorMs(us) * 1000 + at(us).time().msec() * 1000;
    return at(us).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
           QStringLiteral(".%1 %2").arg(part, 6, 10, QLatin1Char('0')).arg(zoneText(us));
}

QString TimeFormat::rfc3339(qint64 us)
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(floorMs(us), QTimeZone::utc());
    const qint64 part = us - floorMs(us) * 1000 + utc.time().msec() * 1000;
    return utc.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")) +
           QStringLiteral(".%1Z").arg(part, 6, 10, QLatin1Char('0'));
}

} // namespace lockkeeper::app::words
