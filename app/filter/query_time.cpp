// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query_time.h"

#include "shared/base/text.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lockkeeper::app::filter {

namespace {

std::optional<QTime> timeOfDay(const QString &text)
{
    const QString ascii =
        QString(text).replace(u'\uFF1A', u':'); // as an input method for Chinese may write it
    for (const QLatin1String format :
         {QLatin1String("H:mm"), QLatin1String("H:mm:ss"), QLatin1String("H:mm:ss.zzz")}) {
        const QTime time = QTime::fromString(ascii, QString(format));
        if (time.isValid())
            return time;
    }
    return std::nullopt;
}

} // namespace

std::optional<qint64> parseQueryTime(const QString &text, const QueryClock &clock)
{
    if (text.startsWith(u'-')) {
        const auto ago = base::parseDuration(QStringView(text).mid(1));
        return ago ? std::optional(clock.nowUs - *ago) : std::nullopt;
    }
    const QDateTime now = QDateTime::fromMSecsSinceEpoch(clock.nowUs / 1000, clock.zone);
    if (const auto time = timeOfDay(text)) {
        QDateTime at(now.date(), *time, clock.zone);
        if (at > now)
            at = QDateTime(now.date().addDays(-1), *time, clock.zone);
        return at.toMSecsSinceEpoch() * 1000;
    }
    for (const QString &yesterday :
         {QStringLiteral("yesterday"),
          QCoreApplication::translate("QueryTime", "yesterday", "as typed: yesterday 22:00")}) {
        if (!text.startsWith(yesterday, Qt::CaseInsensitive))
            continue;
        const QString rest = text.mid(yesterday.size()).trimmed();
        const auto time = rest.isEmpty() ? std::optional(QTime(0, 0)) : timeOfDay(rest);
        if (!time)
            return std::nullopt;
        return QDateTime(now.date().addDays(-1), *time, clock.zone).toMSecsSinceEpoch() * 1000;
    }
    const QDate date = QDate::fromString(text, Qt::ISODate);
    if (date.isValid() && text.size() == 10)
        return QDateTime(date, QTime(0, 0), clock.zone).toMSecsSinceEpoch() * 1000;
    const QDateTime stated = QDateTime::fromString(text, Qt::ISODateWithMs); // a space will do for the T
    if (!stated.isValid())
        return std::nullopt;
    if (stated.timeSpec() != Qt::LocalTime)
        return stated.toMSecsSinceEpoch() * 1000;
    return QDateTime(stated.date(), stated.time(), clock.zone).toMSecsSinceEpoch() * 1000;
}

QString queryTime(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace lockkeeper::app::filter
