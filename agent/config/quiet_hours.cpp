// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/quiet_hours.h"

#include "shared/base/nearest.h"
#include "shared/base/text.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QTimeZone>

namespace lockkeeper::agent::config {

namespace {

/** The moment at which the zone's clocks show this time, in microseconds. Where they skip it, Qt counts on
 * from the time before the change. */
qint64 momentUs(QDate day, QTime time, const QTimeZone &zone)
{
    return QDateTime(day, time, zone).toMSecsSinceEpoch() * 1'000;
}

} // namespace

QList<std::pair<qint64, qint64>> QuietHours::next(qint64 wallUs, int count) const
{
    const QTimeZone place(zone);
    QDate day = QDateTime::fromMSecsSinceEpoch(wallUs / 1'000, place).date().addDays(-1);
    QList<std::pair<qint64, qint64>> windows;
    while (windows.size() < count) {
        const qint64 begin = momentUs(day, from, place);
        const qint64 end = momentUs(from < to ? day : day.addDays(1), to, place);
        if (end > wallUs && end > begin)
            windows.append({begin, end});
        day = day.addDays(1);
    }
    return windows;
}

std::optional<qint64> QuietHours::endOf(qint64 wallUs) const
{
    const auto window = next(wallUs, 1).constFirst();
    return window.first <= wallUs ? std::optional(window.second) : std::nullopt;
}

base::Result<QuietHours> parseQuietHours(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d\\d:\\d\\d)-(\\d\\d:\\d\\d) (\\S+)$"));
    const auto match = form.match(text);
    const QTime from = QTime::fromString(match.captured(1), QStringLiteral("HH:mm"));
    const QTime to = QTime::fromString(match.captured(2), QStringLiteral("HH:mm"));
    if (!from.isValid() || !to.isValid() || from == to)
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("\"%1\" isn't a daily time").arg(base::displayText(text)),
                             QStringLiteral("Write for example \"22:00-06:00 Europe/Berlin\"."));
    const QByteArray zone = match.captured(3).toLatin1();
    if (!QTimeZone::isTimeZoneIdAvailable(zone)) {
        QStringList known;
        for (const QByteArray &id : QTimeZone::availableTimeZoneIds())
            known.append(QString::fromLatin1(id));
        const QString near = base::nearestName(match.captured(3), known);
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("there is no time zone \"%1\"").arg(base::displayText(zone)),
                             near.isEmpty() ? QStringLiteral("Write an IANA name such as Europe/Berlin.")
                                            : QStringLiteral("Did you mean \"%1\"?").arg(near));
    }
    return QuietHours{zone, from, to};
}

} // namespace lockkeeper::agent::config
