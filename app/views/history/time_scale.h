// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QtGlobal>

namespace lockkeeper::app::views {

/** Time ↔ height of a bar with the newest time at its top. Pure; times in microseconds. */
struct TimeScale
{
    qint64 oldestUs = 0;
    qint64 newestUs = 0;
    int height = 0; ///< pixels

    bool isValid() const { return height > 0 && newestUs > oldestUs; }
    /** From 0 (newest) to height − 1 (oldest); times outside are put on the edge. */
    int yOf(qint64 timeUs) const;
    /** The time in the middle of the pixel. */
    qint64 timeOf(int y) const;
    /** How many of `times` fall on each `step` pixels, from the top. Times outside don't count. */
    QList<int> density(const QList<qint64> &times, int step) const;
};

} // namespace lockkeeper::app::views
