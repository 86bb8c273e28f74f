// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/times.h"

#include "app/cli/command.h"
#include "app/filter/query_time.h"

#include <QDateTime>

namespace lockkeeper::app::cli {

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

QString unknown()
{
    return QStringLiteral("?");
}

} // namespace

QString dash()
{
    return QStringLiteral("—");
}

base::Result<qint64> parseTime(const QString &text, qint64 nowUs)
{
    if (const auto us = filter::parseQueryTime(text, {nowUs, QTimeZone::systemTimeZone()}))
        return *us;
    return base::failure(base::ErrorCode::Usage, tr("'%1' isn't a time").arg(base::displayText(text)),
                         tr("Write 2026-11-21T02:51:13Z, 02:51, \"yesterday 22:00\", 2026-11-20, or "
                            "-15m for fifteen minutes ago"));
}

QString timeText(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1000).toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzz"));
}

QString timeText(const domain::TimeUs &us)
{
    return us ? timeText(*us) : dash();
}

QString zoneName(qint64 us)
{
    const int offset = QDateTime::fromMSecsSinceEpoch(us / 1000).offsetFromUtc();
    if (offset == 0)
        return QStringLiteral("UTC");
    const int minutes = qAbs(offset) / 60;
    return QStringLiteral("UTC%1%2:%3")
        .arg(offset < 0 ? QLatin1Char('-') : QLatin1Char('+'))
        .arg(minutes / 60, 2, 10, QLatin1Char('0'))
        .arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

QString durationText(qint64 us)
{
    const QLatin1Char zero('0');
    const QString sign = us <= -kSecond / 10 ? QStringLiteral("−") : QString();
    const qint64 length = us < 0 ? -us : us;
    if (length < kMinute)
        return sign + QStringLiteral("%1.%2s").arg(length / kSecond).arg(length % kSecond / 100'000);
    const QString minutes = QStringLiteral("%1").arg(length / kMinute % 60, 2, 10, zero);
    if (length < kDay)
        return sign + QStringLiteral("%1:%2:%3")
                          .arg(length / kHour, 2, 10, zero)
                          .arg(minutes)
                          .arg(length / kSecond % 60, 2, 10, zero);
    return sign +
           QStringLiteral("%1d%2:%3").arg(length / kDay).arg(length / kHour % 24, 2, 10, zero).arg(minutes);
}

QString durationInSentence(qint64 us)
{
    const qint64 length = std::max<qint64>(us, 0);
    if (length < kMinute)
        return tr("%1 s").arg(QStringLiteral("%1.%2").arg(length / kSecond).arg(length % kSecond / 100'000));
    if (length < kHour)
        return tr("%1 min %2 s").arg(length / kMinute).arg(length % kMinute / kSecond);
    if (length < kDay)
        return tr("%1 h %2 min").arg(length / kHour).arg(length % kHour / kMinute);
    return tr("%1 d %2 h").arg(length / kDay).arg(length % kDay / kHour);
}

QString windowText(qint64 windowUs)
{
    if (windowUs == 0)
        return QStringLiteral("0");
    // A window is rounded up, never down.
    return QLatin1Char('~') + (windowUs < kSecond ? QStringLiteral("%1ms").arg((windowUs + 999) / 1000)
                                                  : durationText((windowUs + 99'999) / 100'000 * 100'000));
}

QString heldText(const domain::LockState &state, qint64 nowUs)
{
    if (!state.isHeld())
        return state.phase == domain::Phase::Unknown ? unknown() : dash();
    return state.acquiredUs ? durationText(std::max<qint64>(0, nowUs - *state.acquiredUs)) : unknown();
}

QString heldWindowText(const domain::LockState &state)
{
    if (!state.isHeld() || !state.acquiredUs)
        return dash();
    return state.acquiredBy == domain::Evidence::FirstSeen ? QStringLiteral("≥") : windowText(state.windowUs);
}

QString remainingText(const domain::LockState &state, qint64 nowUs)
{
    if (!state.isHeld())
        return state.phase == domain::Phase::Unknown ? unknown() : dash();
    if (state.expiry == domain::ExpiryKind::None)
        return QStringLiteral("no-expiry");
    const auto left = domain::remainingUs(state, nowUs);
    if (!left)
        return unknown();
    return durationText(state.phase == domain::Phase::Expired ? *left : std::max<qint64>(0, *left));
}

} // namespace lockkeeper::app::cli
