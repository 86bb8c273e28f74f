// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/timeline_painter.h"
#include "app/presentation/theme.h"
#include "app/presentation/timeline_formatter.h"

#include <QAbstractScrollArea>

namespace lockkeeper::app::views {

/**
 * The lanes of a timeline with their names and times. Shows the given chart and reports the operator's
 * actions; its owner decides on the shown range. The current lane and bar keep their identity from chart to
 * chart. GUI thread.
 */
class TimelineCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    static constexpr int kNames = 188; ///< the width of the lanes' names

    /** Neither is owned. */
    TimelineCanvas(const presentation::Theme *theme, const presentation::TimelineFormatter *words,
                   QWidget *parent = nullptr);

    /** The lanes in the order to show. */
    void setChart(const timeline::Chart &chart, const QList<timeline::LaneId> &pinned);
    void setSeen(const timeline::SeenUntil &seen);
    void setRange(const timeline::TimeRange &range);
    void setBrush(const std::optional<timeline::TimeRange> &brush);
    /** A moment that stays, with a handle in the header. */
    void setMark(const std::optional<qint64> &us);
    void chooseLane(const timeline::LaneId &lane);
    /** Paints all lanes, regardless of the scroll position; for files. */
    void paintAll(QPainter &painter) const;
    QSize wholeSize() const;

    const timeline::Chart &chart() const { return m_chart; }
    const timeline::LaneLayout &layoutOfLanes() const { return m_layout; }
    const QList<timeline::LaneScene> &scenes() const { return m_scenes; }
    timeline::TimeAxis axis() const;
    int axisWidth() const;
    const timeline::Hit &current() const { return m_current; }
    const std::optional<timeline::TimeRange> &brush() const { return m_brush; }
    const std::optional<qint64> &mark() const { return m_mark; }
    /** Describes `hit` in one sentence or a few. */
    QString sentence(const timeline::Hit &hit) const;
    /** `at` in the viewport. */
    timeline::Hit hitAt(const QPointF &at) const;
    QSize sizeHint() const override { return {800, 400}; }

Q_SIGNALS:
    void zoomAsked(double factor, qint64 aroundUs);
    void panAsked(qint64 byUs);
    void fitAsked();
    void followAsked();
    void backAsked();
    /** Zoom to the brush. */
    void enterPressed();
    void brushChanged();
    void markChanged();
    /** The operator chose another lane or bar. */
    void currentChanged();
    /** The pointer is over that moment; empty: nowhere. */
    void hovered(const std::optional<qint64> &us, qsizetype lane);
    void laneMoved(qsizetype from, qsizetype to);
    void menuAsked(const QPoint &global, const lockkeeper::app::timeline::Hit &hit, qint64 us);
    void resized();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    enum class Drag : quint8 { None = 0, Press, Brush, Pan, Mark, Lane };

    charts::TimelinePicture picture() const;
    void build();
    void placeBar();
    void keepCurrent();
    void tellCurrent();
    void paintNames(QPainter &painter, qsizetype first, qsizetype last) const;
    void paintOverlay(QPainter &painter, const QRect &lanes) const;
    QRect lanesRect() const;
    qint64 timeAt(double x) const;
    void setHover(const std::optional<double> &x, qsizetype lane);
    void stepLane(int by, bool move);
    void stepEvent(bool forward);
    void ensureVisible(qsizetype lane);
    void drag(QMouseEvent *event);
    bool isPinned(qsizetype lane) const;
    std::optional<timeline::LaneId> idAt(qsizetype lane) const;
    qsizetype laneOf(const std::optional<timeline::LaneId> &id) const;
    timeline::LaneSums sumsOf(qsizetype lane) const;

    const presentation::Theme *m_theme;
    const presentation::TimelineFormatter *m_words;
    timeline::Chart m_chart;
    QList<timeline::LaneId> m_pinned;
    timeline::SeenUntil m_seen;
    timeline::TimeRange m_range;
    timeline::LaneLayout m_layout;
    QList<timeline::LaneScene> m_scenes;
    timeline::Ticks m_ticks;
    timeline::Hit m_current;
    std::optional<timeline::LaneId> m_currentLane; ///< stays while a chart lacks it
    qint64 m_currentBar = 0;                       ///< the bar's id; 0: none
    std::optional<timeline::TimeRange> m_brush;
    std::optional<qint64> m_mark;
    std::optional<double> m_hoverX;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    qint64 m_pressedUs = 0;
    qsizetype m_dragLane = -1;
    qsizetype m_dropLane = -1;
};

} // namespace lockkeeper::app::views
