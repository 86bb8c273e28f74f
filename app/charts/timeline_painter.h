// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"
#include "app/timeline/scene.h"
#include "app/timeline/ticks.h"

#include <QFont>
#include <QPalette>

class QPainter;

namespace lockkeeper::app::charts {

/** The parts of a picture of the timeline; none are owned. */
struct TimelinePicture
{
    const timeline::Chart *chart = nullptr;
    const timeline::LaneLayout *layout = nullptr;
    const QList<timeline::LaneScene> *scenes = nullptr;
    timeline::TimeAxis axis;
    timeline::SeenUntil seen;
    timeline::Hit current;
};

/**
 * Paints the timeline into a widget, a picture or a file: the lanes with their observations, the header with
 * its times. Handles no input.
 */
class TimelinePainter
{
public:
    static constexpr int kHeaderHeight = 38;

    TimelinePainter(presentation::Scheme scheme, const QFont &font);

    /**
     * Paints the lanes from `first` to `last`. The origin is the start of the axis at the top of the very
     * first lane.
     */
    void paintLanes(QPainter &painter, const TimelinePicture &picture, qsizetype first, qsizetype last) const;
    /** Paints times above the axis, and their lines down to `bottom`. The origin is the start of the axis. */
    void paintGrid(QPainter &painter, const timeline::Ticks &ticks, const timeline::TimeAxis &axis, int top,
                   int bottom) const;
    void paintHeader(QPainter &painter, const timeline::Ticks &ticks, const timeline::TimeAxis &axis,
                     const QTimeZone &zone, const QString &zoneText) const;
    /** The least distance between the header's times. */
    int leastTickPx() const;
    /** Also used behind the name of a lane. */
    void paintLaneGround(QPainter &painter, const QRect &rect, bool odd, bool current) const;

    /** The shapes that a legend explains. */
    enum class LegendSample : quint8 { Hold = 0, Wait, Whisker, Unseen, Expired, TakenOver, Forced, Lost };
    static constexpr int kSampleWidth = 20;
    /** Paints a shape as the lanes have it, kSampleWidth wide and as high as a hold. */
    void paintSample(QPainter &painter, const QPointF &topLeft, LegendSample sample) const;

private:
    void paintBlank(QPainter &painter, const TimelinePicture &picture, qsizetype lane) const;
    void paintUnseen(QPainter &painter, const TimelinePicture &picture, qsizetype lane) const;
    void paintDense(QPainter &painter, const timeline::DenseShape &shape) const;
    void paintRenewal(QPainter &painter, double x, double bottom) const;
    void paintHold(QPainter &painter, const timeline::BarShape &shape, bool current) const;
    void paintWait(QPainter &painter, const timeline::BarShape &shape, bool current) const;
    void paintEnd(QPainter &painter, const timeline::BarShape &shape) const;
    void paintDiamond(QPainter &painter, const QPointF &centre, double radius) const;
    void paintOpenSide(QPainter &painter, const QRectF &bar, bool left) const;

    presentation::Scheme m_scheme;
    QPalette m_palette;
    QFont m_font;
    QColor m_hold;
    QColor m_soft;
    QColor m_wait;
    QColor m_waitGround;
    QBrush m_waitFill;
    QColor m_gapGround;
    QBrush m_gapFill;
};

} // namespace lockkeeper::app::charts
