// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QList>
#include <QTime>

#include <optional>
#include <utility>

namespace lockkeeper::agent::config {

/**
 * Hours of each day, on the clocks of one place: "22:00-06:00 Europe/Berlin". With `from` after `to` they
 * span midnight. On a day of a change to or from summer time they begin and end when that place's clocks
 * show these times. A time that the clocks skip counts as the moment of the change. A value.
 */
struct QuietHours
{
    QByteArray zone; ///< IANA name
    QTime from;
    QTime to;
    bool operator==(const QuietHours &) const = default;

    /** The end of the window that contains `wallUs`; empty: no window contains it. */
    std::optional<qint64> endOf(qint64 wallUs) const;
    /** The next `count` windows that end after `wallUs`, as [begin, end) in microseconds since the epoch. */
    QList<std::pair<qint64, qint64>> next(qint64 wallUs, int count) const;
};

/** Reads "HH:MM-HH:MM ZONE". The error names the part that is wrong. */
base::Result<QuietHours> parseQuietHours(const QString &text);

} // namespace lockkeeper::agent::config
