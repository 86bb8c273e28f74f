// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/settings.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimeZone>

namespace lockkeeper::app::words {

using Zone = settings::Zone;

/**
 * Times in the console's format: ISO, in the zone that the user chose. Takes microseconds since the epoch.
 */
class TimeFormat : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void setZone(Zone zone);
    Zone zone() const { return m_zone; }
    void setMilliseconds(bool shown);
    bool milliseconds() const { return m_milliseconds; }

    QTimeZone timeZone() const;
    /** In that zone. */
    QDateTime at(qint64 us) const;

    /** "UTC" or "UTC+8" at `us` (a local zone has summer and winter). */
    QString zoneText(qint64 us) const;
    /**
     * The suffix of a time in a column whose title names the current zone: a space and the time's own zone if
     * that differs, as it may half a year ago.
     */
    QString zoneBeside(qint64 us) const;
    /** The longest text of such a column in any season, for the column's width; `fine`: of fineDateTime(). */
    QString longest(bool fine = false) const;
    /** "02:51:13", with ".402" if milliseconds are on. */
    QString time(qint64 us) const;
    /** "2026-11-21 02:51:13". */
    QString dateTime(qint64 us) const;
    /** The same with milliseconds in any case: for events. */
    QString fineDateTime(qint64 us) const;
    /** Likewise; today without the date, this year without the year. */
    QString fineNearTime(qint64 us, qint64 nowUs) const;
    /** Only the time if `us` is on the same day as `nowUs`, otherwise with the date. */
    QString nearTime(qint64 us, qint64 nowUs) const;
    /** Both ends with their dates, and the zone: for what leaves the window. */
    QString wholeRange(qint64 fromUs, qint64 toUs) const;
    /**
     * A shorter form of the same: for another day the date and the minute, for a distant day only the date.
     */
    QString shortTime(qint64 us, qint64 nowUs) const;
    /** To the microsecond and with its zone: for tooltips and copies. */
    QString exact(qint64 us) const;
    /** RFC 3339 in UTC with microseconds, for exports. */
    static QString rfc3339(qint64 us);

Q_SIGNALS:
    void changed();

private:
    Zone m_zone = Zone::Local;
    bool m_milliseconds = false;
};

} // namespace lockkeeper::app::words
