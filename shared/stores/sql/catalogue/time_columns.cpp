// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/time_columns.h"

#include "shared/base/clock.h"
#include "shared/stores/sane_time.h"

#include <QDate>
#include <QDateTime>

#include <algorithm>
#include <charconv>

namespace lockkeeper::stores::sql {

using base::kSecondUs;

namespace {
constexpr qint64 kDayUs = 86'400 * kSecondUs;
constexpr qint64 kQuarterUs = 900 * kSecondUs;
constexpr qint64 kYear9000Us = 221'845'392'000 * kSecondUs;
constexpr qint64 kEpochJulianDay = 2'440'588;

constexpr qint64 floorDiv(qint64 a, qint64 b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

void putPair(char *at, quint32 value)
{
    at[0] = char('0' + value / 10);
    at[1] = char('0' + value % 10);
}

/** " 23:59:59.123456". */
void putTimeOfDay(char *at, qint64 us)
{
    const auto seconds = quint32(us / kSecondUs);
    const auto fraction = quint32(us % kSecondUs);
    at[0] = ' ';
    putPair(at + 1, seconds / 3600);
    at[3] = ':';
    putPair(at + 4, seconds / 60 % 60);
    at[6] = ':';
    putPair(at + 7, seconds % 60);
    at[9] = '.';
    putPair(at + 10, fraction / 10'000);
    putPair(at + 12, fraction / 100 % 100);
    putPair(at + 14, fraction % 100);
}
} // namespace

TimeColumn::TimeColumn(Column column, QTimeZone zone, Dialect dialect)
    : m_column(std::move(column)),
      m_zone(std::move(zone)),
      m_dialect(dialect),
      m_isUtc(m_zone == QTimeZone::utc() || m_zone.id() == "UTC")
{
}

QByteArray TimeColumn::text(const RawTime &time) const
{
    Space space;
    return time.raw ? textIn(space, time).toByteArray() : time.odd;
}

QByteArrayView TimeColumn::textIn(Space &space, const RawTime &time) const
{
    if (!time.raw)
        return time.odd;
    char *const begin = space.data();
    if (m_column.kind == ColumnKind::Epoch || m_dialect != Dialect::MySql)
        return {begin, std::to_chars(begin, begin + space.size(), *time.raw).ptr};
    const int digits = std::clamp(m_column.precision, 0, 6);
    const int fraction = digits > 0 ? digits + 1 : 0;
    if (m_column.kind == ColumnKind::Timestamp && *time.raw == 0) // UNIX_TIMESTAMP() of the zero date
        return QByteArrayView("0000-00-00 00:00:00.000000").first(19 + fraction);
    const qint64 day = floorDiv(*time.raw, kDayUs);
    if (day != m_day || m_dayText.isEmpty()) {
        m_dayText = QDate::fromJulianDay(day + kEpochJulianDay).toString(u"yyyy-MM-dd").toLatin1();
        m_day = day;
    }
    char *const at = std::copy(m_dayText.cbegin(), m_dayText.cend(), begin);
    putTimeOfDay(at, *time.raw - day * kDayUs);
    return {begin, at + 9 + fraction};
}

std::optional<TimeSpan> TimeColumn::span(const RawTime &time) const
{
    if (!time.raw)
        return m_dialect == Dialect::Sqlite ? textSpan(time.odd) : std::nullopt;
    if (m_column.kind == ColumnKind::Epoch || m_dialect == Dialect::Sqlite) {
        qint64 us = 0;
        if (__builtin_mul_overflow(*time.raw, m_column.unitUs, &us) || !isSaneTime(us))
            return std::nullopt;
        return TimeSpan{us, us};
    }
    return m_column.kind == ColumnKind::DateTime ? wallSpan(*time.raw)
           : *time.raw <= 0 || *time.raw >= kYear9000Us
               ? std::nullopt
               : std::optional<TimeSpan>(TimeSpan{*time.raw, *time.raw});
}

quint32 TimeColumn::stepUs(const RawTime &time) const
{
    static constexpr std::array<quint32, 7> kSteps{1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
    if (!time.raw) {
        const qsizetype point = time.odd.indexOf('.');
        qsizetype digits = 0;
        while (point >= 0 && point + 1 + digits < time.odd.size() &&
               QByteArrayView("0123456789").contains(time.odd.at(point + 1 + digits)))
            ++digits;
        return kSteps[size_t(std::min<qsizetype>(digits, 6))];
    }
    if (m_column.kind == ColumnKind::Epoch || m_dialect == Dialect::Sqlite)
        return quint32(std::clamp<qint64>(m_column.unitUs, 1, kSecondUs));
    const int digits = std::clamp(m_column.precision, 0, 6);
    return kSteps[digits > 3 && *time.raw % kSecondUs == 0 ? 0 : size_t(digits)];
}

std::optional<TimeSpan> TimeColumn::wallSpan(qint64 us) const
{
    if (us <= 0 || us >= kYear9000Us)
        return std::nullopt;
    return m_isUtc ? TimeSpan{us, us} : zonedSpan(us);
}

std::optional<TimeSpan> TimeColumn::textSpan(const QByteArray &text) const
{
    const auto wall = parseWallTime(text);
    if (!wall || wall->us <= 0 || wall->us >= kYear9000Us)
        return std::nullopt;
    if (wall->offsetUs)
        return TimeSpan{wall->us - *wall->offsetUs, wall->us - *wall->offsetUs};
    return wallSpan(wall->us);
}

QByteArray TimeColumn::epochText() const
{
    if (m_column.kind == ColumnKind::Epoch)
        return "0";
    const bool zoned = m_dialect == Dialect::PostgreSql && m_column.kind == ColumnKind::Timestamp;
    return zoned ? "1970-01-01 00:00:01+00" : "1970-01-01 00:00:01";
}

bool TimeColumn::isEpoch(const RawTime &time) const
{
    qint64 us = 0;
    if (time.raw) {
        const bool counted = m_column.kind == ColumnKind::Epoch || m_dialect == Dialect::Sqlite;
        const qint64 most = 2 * kDayUs / m_column.unitUs;
        if (counted && (*time.raw > most || *time.raw < -most))
            return false;
        us = counted ? *time.raw * m_column.unitUs : *time.raw;
    } else {
        // MySQL returns its zero date as a text; SQLite returns everything but integers as a text.
        if (time.odd.startsWith("0000-00-00"))
            return true;
        const auto wall = parseWallTime(time.odd);
        if (!wall)
            return false;
        us = wall->us;
    }
    // A number of seconds that is read as milliseconds is in January 1970 too, but weeks later.
    return us <= 2 * kDayUs && us >= -2 * kDayUs;
}

std::array<qint64, 2> TimeColumn::offsetsNear(qint64 wallUs) const
{
    // Zones change their offset at whole quarters of an hour: one result is valid for the whole quarter.
    const qint64 quarter = floorDiv(wallUs, kQuarterUs);
    if (quarter != m_quarter) {
        const auto offsetAt = [&](qint64 us) {
            return m_zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC)) * kSecondUs;
        };
        m_offsets = {offsetAt(quarter * kQuarterUs - kDayUs), offsetAt(quarter * kQuarterUs + kDayUs)};
        m_quarter = quarter;
    }
    return m_offsets;
}

std::optional<TimeSpan> TimeColumn::zonedSpan(qint64 wallUs) const
{
    const auto [before, after] = offsetsNear(wallUs);
    if (before == after)
        return TimeSpan{wallUs - before, wallUs - before};
    std::optional<TimeSpan> found;
    for (const qint64 offset : {before, after}) {
        const qint64 utc = wallUs - offset;
        if (m_zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(utc / 1000, Qt::UTC)) * kSecondUs != offset)
            continue;
        found =
            found ? TimeSpan{std::min(found->fromUs, utc), std::max(found->toUs, utc)} : TimeSpan{utc, utc};
    }
    return found;
}

qint64 TimeColumn::writeOffsetUs(qint64 utcUs) const
{
    if (m_column.kind != ColumnKind::DateTime || m_isUtc)
        return 0;
    const qint64 offset =
        m_zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(utcUs / 1000, Qt::UTC)) * kSecondUs;
    const auto span = zonedSpan(utcUs + offset);
    return span && span->fromUs != span->toUs ? utcUs + offset - span->toUs : offset;
}

std::optional<WallTime> parseWallTime(QByteArrayView text)
{
    const auto number = [&](qsizetype at, qsizetype width) -> int {
        if (at + width > text.size())
            return -1;
        int value = 0;
        for (qsizetype i = at; i < at + width; ++i) {
            if (text.at(i) < '0' || text.at(i) > '9')
                return -1;
            value = value * 10 + (text.at(i) - '0');
        }
        return value;
    };
    const auto is = [&](qsizetype at, const char *any) {
        return at < text.size() && QByteArrayView(any).contains(text.at(at));
    };
    const QDate date(number(0, 4), number(5, 2), number(8, 2));
    if (!is(4, "-") || !is(7, "-") || !date.isValid() || !is(10, " T") || !is(13, ":"))
        return std::nullopt;
    const int hour = number(11, 2);
    const int minute = number(14, 2);
    int second = 0;
    qint64 fraction = 0;
    qsizetype at = 16;
    if (is(at, ":")) {
        second = number(17, 2);
        at = 19;
    }
    if (at == 19 && is(at, ".")) {
        qint64 scale = kSecondUs / 10;
        for (++at; number(at, 1) >= 0; ++at, scale /= 10)
            fraction += number(at, 1) * scale;
    }
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
        return std::nullopt;
    WallTime wall{(date.toJulianDay() - kEpochJulianDay) * kDayUs +
                      ((hour * 60 + minute) * 60 + second) * kSecondUs + fraction,
                  std::nullopt};
    if (is(at, " ") && is(at + 1, "+-"))
        ++at;
    if (at == text.size())
        return wall;
    if (is(at, "Z") && at + 1 == text.size()) {
        wall.offsetUs = 0;
        return wall;
    }
    const qint64 sign = is(at, "-") ? -1 : 1;
    const int hours = number(at + 1, 2);
    const int minutes = number(at + (is(at + 3, ":") ? 4 : 3), 2);
    const qsizetype length = is(at + 3, ":") ? 6 : 5;
    if (!is(at, "+-") || hours < 0 || minutes < 0 || at + length != text.size())
        return std::nullopt;
    wall.offsetUs = sign * (hours * 60 + minutes) * 60 * kSecondUs;
    return wall;
}

} // namespace lockkeeper::stores::sql
