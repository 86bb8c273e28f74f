// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/chart.h"

#include <QRectF>

namespace lockkeeper::app::timeline {

/** How a hold ended, as far as its shape shows it. */
enum class BarEnd : quint8 { Open = 0, Released, Expired, TakenOver, Forced, Lost, Gap };
BarEnd barEndOf(const QByteArray &code);

/** A hold or a wait that is at least 2 px wide. Heights are from the top of the lane. */
struct BarShape
{
    QRectF rect;
    double softFrom = 0; ///< x of the earliest beginning; rect.left() if exact
    double softTo = 0;   ///< x of the earliest end; rect.right() if exact
    int bar = 0;         ///< its index in the lane's holds or waits
    bool wait = false;
    bool startSeen = true;
    std::optional<double> renewed; ///< x of the last renewal, if the journal has one
    double leaseTo = 0;            ///< x of the end of the lease that it began
    BarEnd end = BarEnd::Open;
};

/** Bars too narrow to distinguish, and slices. */
struct DenseShape
{
    QRectF rect;
    double share = 0; ///< of the time: for holds 0 to 1, for waits the mean number of waiters
    qint64 bars = 0;  ///< that ended in it
    qint64 fromUs = 0;
    qint64 toUs = 0;
    bool wait = false;
    bool forced = false; ///< at least one was force-released
};

struct LaneScene
{
    QList<BarShape> bars;
    QList<DenseShape> dense;
    QList<QPointF> renewals; ///< at the top of their bars, those with a tick of their lease left out
};

/** The shapes of one lane. Pure. */
LaneScene sceneOf(const protocol::TimelineLane &lane, const LaneBox &box, const TimeAxis &axis,
                  const SeenUntil &seen, qint64 sliceUs);

/** The object at a point of the lanes. */
struct Hit
{
    enum class On : quint8 { Nothing = 0, Lane, Hold, Wait, Dense, Gap };
    On on = On::Nothing;
    qsizetype lane = -1;
    qsizetype index = -1; ///< of the hold, the wait, the scene's dense shape, or the chart's gap
    bool operator==(const Hit &) const = default;
};

/**
 * `at` is relative to the left of the axis and the top of the first lane; bars are also hit 2 px beside them.
 * Pure.
 */
Hit hitAt(const QPointF &at, const Chart &chart, const LaneLayout &layout, const QList<LaneScene> &scenes,
          const TimeAxis &axis, const SeenUntil &seen);

} // namespace lockkeeper::app::timeline
