// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/durations.h"

namespace lockkeeper::app::words {

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;

QString twoDigits(qint64 number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

QString positive(qint64 us)
{
    // Rounded down to the tenth: a countdown shows 0.0 s only if less than 0.1 s is left.
    if (us < kMinute)
        return QStringLiteral("%1.%2 s").arg(us / kSecond).arg(us % kSecond / 100'000);
    if (us < kDay)
        return twoDigits(us / kHour) + QLatin1Char(':') + twoDigits(us % kHour / kMinute) + QLatin1Char(':') +
               twoDigits(us % kMinute / kSecond);
    return QStringLiteral("%1d %2:%3")
        .arg(us / kDay)
        .arg(twoDigits(us % kDay / kHour), twoDigits(us % kHour / kMinute));
}

} // namespace

QString Durations::text(qint64 us, Mark mark)
{
    QString result;
    if (mark == Mark::About)
        result = QStringLiteral("~ ");
    else if (mark == Mark::AtLeast)
        result = QStringLiteral("≥ ");
    if (us < 0)
        result += QStringLiteral("−");
    return result + positive(qAbs(us));
}

QString Durations::shortText(qint64 us)
{
    const qint64 size = qAbs(us);
    if (size >= kSecond)
        return text(us);
    if (size < 50)
        return QStringLiteral("0 ms");
    const QString sign = us < 0 ? QStringLiteral("−") : QString();
    if (size > 0 && size < 10'000)
        return QStringLiteral("%1%2.%3 ms").arg(sign).arg((size + 50) / 1000).arg((size + 50) % 1000 / 100);
    return QStringLiteral("%1%2 ms").arg(sign).arg(size / 1000);
}

QString Durations::inSentence(qint64 us)
{
    const qint64 size = qAbs(us);
    if (size < kMinute) {
        const QString number = shortText(size).section(QLatin1Char(' '), 0, 0);
        return size < kSecond ? tr("%1 ms").arg(number) : tr("%1 s").arg(number);
    }
    if (size < kHour)
        return tr("%1 min %2 s").arg(size / kMinute).arg(size % kMinute / kSecond);
    if (size < kDay)
        return tr("%1 h %2 min").arg(size / kHour).arg(size % kHour / kMinute);
    return tr("%1 d %2 h").arg(size / kDay).arg(size % kDay / kHour);
}

QString Durations::spoken(qint64 us)
{
    const qint64 whole = std::max<qint64>(us, 0);
    if (whole < kMinute)
        return tr("%n second(s)", nullptr, int(whole / kSecond));
    const QString minutes = tr("%n minute(s)", nullptr, int(whole % kHour / kMinute));
    if (whole < kHour)
        return minutes;
    const QString hours = tr("%n hour(s)", nullptr, int(whole % kDay / kHour));
    if (whole < kDay)
        return tr("%1 %2", "hours, minutes").arg(hours, minutes);
    return tr("%1 %2", "days, hours").arg(tr("%n day(s)", nullptr, int(whole / kDay)), hours);
}

QString Durations::notApplicable()
{
    return QStringLiteral("—");
}

QString Durations::unknown()
{
    return QStringLiteral("?");
}

QString Durations::noExpiry()
{
    return tr("no expiry");
}

Mark Durations::heldMark(const domain::LockState &state)
{
    if (state.acquiredBy == domain::Evidence::FirstSeen)
        return Mark::AtLeast;
    return state.windowUs > 0 ? Mark::About : Mark::None;
}

QString Durations::heldFor(const domain::LockState &state, qint64 nowUs)
{
    if (state.phase == domain::Phase::Unknown)
        return unknown();
    if (!state.isHeld())
        return notApplicable();
    if (!state.acquiredUs)
        return unknown();
    return text(std::max<qint64>(0, nowUs - *state.acquiredUs), heldMark(state));
}

QString Durations::remaining(const domain::LockState &state, qint64 nowUs)
{
    if (state.phase == domain::Phase::Unknown)
        return unknown();
    if (!state.isHeld())
        return notApplicable();
    if (state.expiry == domain::ExpiryKind::None)
        return noExpiry();
    if (state.expiry != domain::ExpiryKind::At || !state.expiresUs)
        return unknown();
    const qint64 left = *state.expiresUs - nowUs;
    return state.phase == domain::Phase::Expired ? text(std::min<qint64>(left, 0))
                                                 : text(std::max<qint64>(left, 0));
}

QString Durations::longestWait(const domain::LockState &state, qint64 nowUs)
{
    if (!state.waitersVisible || state.waiters.isEmpty())
        return notApplicable();
    const auto wait = domain::longestWaitUs(state, nowUs);
    return wait ? text(*wait) : unknown();
}

QString Durations::window(qint64 windowUs)
{
    if (windowUs <= 0)
        return tr("exact");
    return QStringLiteral("±%1").arg(shortText(windowUs));
}

} // namespace lockkeeper::app::words
