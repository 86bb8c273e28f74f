// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/catalogue.h"

#include <QTimeZone>

#include <array>
#include <optional>

namespace lockkeeper::stores::sql {

/**
 * A time as it is read: for timestamp columns microseconds since the epoch, for datetime columns the same
 * count of the calendar time as if it were UTC, for integers the column's own number. Where the server can't
 * count it (a zero or partial date) `raw` is empty and `odd` is its text; both are empty for NULL.
 */
struct RawTime
{
    std::optional<qint64> raw;
    QByteArray odd;

    bool isNull() const { return !raw && odd.isNull(); }
    bool operator==(const RawTime &) const = default;
};

/** Bounds of a time: at `fromUs` or later, at `toUs` or earlier. They differ in the hour that repeats. */
struct TimeSpan
{
    qint64 fromUs = 0;
    qint64 toUs = 0;

    bool operator==(const TimeSpan &) const = default;
};

/** Reads the values of one time column. Not thread-safe: caches its last results. */
class TimeColumn
{
public:
    /** `zone` matters to datetime columns only. */
    TimeColumn(Column column, QTimeZone zone, Dialect dialect = Dialect::MySql);

    /**
     * The value exactly as DialectSql::timeText() returns it, null for NULL. Guards consist of these. MySQL:
     * the time as CAST(column AS CHAR) has it; PostgreSQL: microseconds since the epoch; SQLite: what is
     * stored.
     */
    QByteArray text(const RawTime &time) const;
    using Space = std::array<char, 40>;
    /** The same, written into `space`, or pointing at what `time` has. */
    QByteArrayView textIn(Space &space, const RawTime &time) const;

    /**
     * The point in time; empty for NULL and for invalid values: zero dates, before 1971 in an integer, past
     * year 9000, a skipped hour.
     */
    std::optional<TimeSpan> span(const RawTime &time) const;

    /**
     * The resolution of the value, in microseconds. A whole second in a column of finer resolution counts as
     * a value whose writer cut the fraction off.
     */
    quint32 stepUs(const RawTime &time) const;

    /**
     * The offset to add to UTC when writing the time `utcUs` into the column. In the hour that repeats it is
     * the smaller offset, so that no reader takes a past time for a future one.
     */
    qint64 writeOffsetUs(qint64 utcUs) const;

    /** True where the offset is 0 for every time. */
    bool writesUtc() const { return m_column.kind != ColumnKind::DateTime || m_isUtc; }

    /** The earliest time that every server can store, as a value of the column; 0 for integers. */
    QByteArray epochText() const;
    /** True for the times by which schemes mark "free": 0, NULL's stand-in, or a moment after the epoch. */
    bool isEpoch(const RawTime &time) const;

private:
    std::optional<TimeSpan> textSpan(const QByteArray &text) const;
    std::optional<TimeSpan> wallSpan(qint64 us) const;
    std::optional<TimeSpan> zonedSpan(qint64 wallUs) const;
    std::array<qint64, 2> offsetsNear(qint64 wallUs) const;

    Column m_column;
    QTimeZone m_zone;
    Dialect m_dialect;
    bool m_isUtc;
    mutable qint64 m_day = -1; ///< of m_dayText
    mutable QByteArray m_dayText;
    mutable qint64 m_quarter = -1; ///< the quarter of an hour of m_offsets
    mutable std::array<qint64, 2> m_offsets{};
};

/**
 * A time as applications write it into a text: "2026-11-18 11:06:40.123", with 'T' instead of the space,
 * without seconds, with 'Z' or an offset. `us` counts microseconds as if it were UTC; `offsetUs` is the
 * offset, if any.
 */
struct WallTime
{
    qint64 us = 0;
    std::optional<qint64> offsetUs;

    bool operator==(const WallTime &) const = default;
};
std::optional<WallTime> parseWallTime(QByteArrayView text);

} // namespace lockkeeper::stores::sql
