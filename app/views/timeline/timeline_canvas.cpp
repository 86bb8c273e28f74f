// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/timeline/timeline_canvas.h"

#include "app/presentation/icons.h"
#include "app/words/lock_text.h"

#include <QAccessible>
#include <QDateTime>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockkeeper::app::views {

using timeline::Hit;
using timeline::LaneBox;
using timeline::LaneId;
using timeline::TimeAxis;
using timeline::TimeRange;

namespace {

constexpr int kHeader = charts::TimelinePainter::kHeaderHeight;
constexpr int kPadding = 8;
constexpr int kPin = 14;

qint64 idOfBar(const timeline::Chart &chart, const Hit &hit)
{
    if (hit.on == Hit::On::Hold)
        return chart.lanes.at(hit.lane).holds.at(hit.index).id;
    return hit.on == Hit::On::Wait ? chart.lanes.at(hit.lane).waits.at(hit.index).id : 0;
}

} // namespace

TimelineCanvas::TimelineCanvas(const presentation::Theme *theme, const presentation::TimelineFormatter *words,
                               QWidget *parent)
    : QAbstractScrollArea(parent), m_theme(theme), m_words(words)
{
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(theme, &presentation::Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

int TimelineCanvas::axisWidth() const
{
    return std::max(0, viewport()->width() - kNames);
}

TimeAxis TimelineCanvas::axis() const
{
    return {m_range, double(axisWidth())};
}

QRect TimelineCanvas::lanesRect() const
{
    return viewport()->rect().adjusted(kNames, kHeader, 0, 0);
}

qint64 TimelineCanvas::timeAt(double x) const
{
    return axis().timeAt(x - kNames);
}

std::optional<LaneId> TimelineCanvas::idAt(qsizetype lane) const
{
    return lane >= 0 && lane < m_chart.lanes.size() ? std::optional(timeline::idOf(m_chart.lanes.at(lane)))
                                                    : std::nullopt;
}

/** −1: this chart hasn't got it. */
qsizetype TimelineCanvas::laneOf(const std::optional<LaneId> &id) const
{
    qsizetype lane = id ? m_chart.lanes.size() - 1 : -1;
    while (lane >= 0 && timeline::idOf(m_chart.lanes.at(lane)) != *id)
        --lane;
    return lane;
}

void TimelineCanvas::setChart(const timeline::Chart &chart, const QList<LaneId> &pinned)
{
    // Keep the lane at the top in place, and let a drag continue with its own lanes.
    const int top = verticalScrollBar()->value();
    const qsizetype first = m_layout.laneAt(top);
    const std::optional<LaneId> anchor = first > 0 ? idAt(first) : std::nullopt;
    const int offset = anchor ? top - m_layout.boxes().at(first).top : 0;
    const std::optional<LaneId> dragged = idAt(m_dragLane);
    const std::optional<LaneId> target = idAt(m_dropLane);
    m_chart = chart;
    m_pinned = pinned;
    m_layout.arrange(m_chart);
    placeBar();
    if (const qsizetype lane = laneOf(anchor); lane >= 0)
        verticalScrollBar()->setValue(m_layout.boxes().at(lane).top + offset);
    m_dragLane = laneOf(dragged);
    m_dropLane = laneOf(target);
    if (m_drag == Drag::Lane && m_dragLane < 0)
        m_drag = Drag::None;
    keepCurrent();
    build();
}

void TimelineCanvas::setSeen(const timeline::SeenUntil &seen)
{
    m_seen = seen;
    build();
}

void TimelineCanvas::setRange(const TimeRange &range)
{
    if (range == m_range)
        return;
    m_range = range;
    build();
}

void TimelineCanvas::build()
{
    const TimeAxis time = axis();
    m_scenes.clear();
    for (qsizetype i = 0; i < m_chart.lanes.size(); ++i)
        m_scenes.append(
            timeline::sceneOf(m_chart.lanes.at(i), m_layout.boxes().at(i), time, m_seen, m_chart.sliceUs));
    const charts::TimelinePainter painter(m_theme->scheme(), font());
    m_ticks = timeline::ticksOf(time, m_words->zone(), painter.leastTickPx());
    viewport()->update();
}

void TimelineCanvas::placeBar()
{
    verticalScrollBar()->setPageStep(std::max(1, lanesRect().height()));
    verticalScrollBar()->setSingleStep(LaneBox::kHold + 2 * LaneBox::kPad);
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height() - lanesRect().height()));
}

/** Finds the current lane and bar in another chart. */
void TimelineCanvas::keepCurrent()
{
    m_current = {};
    const qsizetype i = laneOf(m_currentLane);
    if (i < 0)
        return;
    const protocol::TimelineLane &lane = m_chart.lanes.at(i);
    m_current = {Hit::On::Lane, i, -1};
    for (qsizetype k = 0; m_currentBar != 0 && k < lane.holds.size(); ++k) {
        if (lane.holds.at(k).id == m_currentBar)
            m_current = {Hit::On::Hold, i, k};
    }
    for (qsizetype k = 0; m_currentBar != 0 && k < lane.waits.size(); ++k) {
        if (lane.waits.at(k).id == m_currentBar && m_current.on != Hit::On::Hold)
            m_current = {Hit::On::Wait, i, k};
    }
}

void TimelineCanvas::chooseLane(const LaneId &lane)
{
    if (m_currentLane == lane)
        return;
    m_currentLane = lane;
    m_currentBar = 0;
    keepCurrent();
    if (m_current.lane >= 0)
        ensureVisible(m_current.lane);
    viewport()->update();
}

void TimelineCanvas::tellCurrent()
{
    m_currentLane = idAt(m_current.lane);
    m_currentBar = m_current.index >= 0 ? idOfBar(m_chart, m_current) : 0;
    setAccessibleDescription(sentence(m_current));
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
    viewport()->update();
    Q_EMIT currentChanged();
}

void TimelineCanvas::setBrush(const std::optional<TimeRange> &brush)
{
    if (brush == m_brush)
        return;
    m_brush = brush;
    viewport()->update();
    Q_EMIT brushChanged();
}

void TimelineCanvas::setMark(const std::optional<qint64> &us)
{
    if (us == m_mark)
        return;
    m_mark = us;
    viewport()->update();
    Q_EMIT markChanged();
}

bool TimelineCanvas::isPinned(qsizetype lane) const
{
    return m_pinned.contains(timeline::idOf(m_chart.lanes.at(lane)));
}

Hit TimelineCanvas::hitAt(const QPointF &at) const
{
    const QPointF inLanes(at.x() - kNames, at.y() - kHeader + verticalScrollBar()->value());
    if (at.y() < kHeader)
        return {};
    if (at.x() < kNames) {
        const qsizetype lane = m_layout.laneAt(int(inLanes.y()));
        return lane < 0 ? Hit() : Hit{Hit::On::Lane, lane, -1};
    }
    return timeline::hitAt(inLanes, m_chart, m_layout, m_scenes, axis(), m_seen);
}

QString TimelineCanvas::sentence(const Hit &hit) const
{
    if (hit.lane < 0 || hit.lane >= m_chart.lanes.size())
        return {};
    const protocol::TimelineLane &lane = m_chart.lanes.at(hit.lane);
    switch (hit.on) {
    case Hit::On::Hold: {
        const protocol::Hold &hold = lane.holds.at(hit.index);
        const TimeRange span = timeline::spanOf(hold, m_seen);
        const auto waits =
            std::count_if(lane.waits.cbegin(), lane.waits.cend(), [&](const protocol::Wait &wait) {
                const TimeRange of = timeline::spanOf(wait, m_seen);
                return wait.key == hold.key && of.fromUs < span.toUs && of.toUs > span.fromUs;
            });
        return m_words->hold(hold) +
               (waits > 0 ? QLatin1Char('\n') + tr("Waits meanwhile: %1").arg(waits) : QString());
    }
    case Hit::On::Wait:
        return m_words->wait(lane.waits.at(hit.index));
    case Hit::On::Gap:
        return m_words->gap(m_chart.gaps.at(hit.index));
    case Hit::On::Dense: {
        const timeline::DenseShape &shape = m_scenes.at(hit.lane).dense.at(hit.index);
        for (const protocol::TimelineSlice &slice : lane.slices) {
            if (slice.fromUs == shape.fromUs)
                return m_words->slice(slice, m_chart.sliceUs);
        }
        return m_words->dense(shape.fromUs, shape.toUs, shape.bars, shape.wait);
    }
    case Hit::On::Lane:
    case Hit::On::Nothing:
        break;
    }
    QStringList lines{presentation::TimelineFormatter::lane(lane)};
    if (lane.key)
        lines.append(words::LockText::whereabouts(*lane.key));
    lines.append(presentation::TimelineFormatter::sums(sumsOf(hit.lane)));
    return lines.join(QLatin1Char('\n'));
}

/** Sums over the shown range: the chart reaches further on both sides. */
timeline::LaneSums TimelineCanvas::sumsOf(qsizetype lane) const
{
    return timeline::sumsOf(m_chart.lanes.at(lane), m_range, m_seen, m_chart.sliceUs);
}

charts::TimelinePicture TimelineCanvas::picture() const
{
    return {&m_chart, &m_layout, &m_scenes, axis(), m_seen, m_current};
}

void TimelineCanvas::paintNames(QPainter &painter, qsizetype first, qsizetype last) const
{
    const QFontMetrics metrics(font());
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    for (qsizetype i = std::max<qsizetype>(first, 0); i <= last && i < m_chart.lanes.size(); ++i) {
        const LaneBox &box = m_layout.boxes().at(i);
        const protocol::TimelineLane &lane = m_chart.lanes.at(i);
        const bool pinned = isPinned(i);
        const int width = kNames - 2 * kPadding - (pinned ? kPin + 4 : 0);
        const QRect name(kPadding, box.top + LaneBox::kPad - 3, width, LaneBox::kHold + 6);
        painter.setPen(colours.color(QPalette::Text));
        painter.drawText(
            name, Qt::AlignVCenter | Qt::AlignLeft,
            metrics.elidedText(presentation::TimelineFormatter::lane(lane), Qt::ElideMiddle, width));
        if (pinned)
            painter.drawPixmap(
                kNames - kPadding - kPin, box.top + LaneBox::kPad,
                presentation::iconPixmap(QStringLiteral("pin"), m_theme->muted(), kPin, devicePixelRatioF()));
        const int below = box.height - (name.bottom() - box.top) - 2;
        if (below < metrics.ascent())
            continue;
        painter.setPen(m_theme->muted());
        if (!lane.key) {
            painter.drawText(QRect(kPadding, name.bottom(), width, below + 1), Qt::AlignTop | Qt::AlignLeft,
                             presentation::TimelineFormatter::briefSums(sumsOf(i)));
            continue;
        }
        painter.drawText(QRect(kPadding + 12, name.bottom(), width - 12, below + 1),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(presentation::TimelineFormatter::waiting(box, lane),
                                            Qt::ElideRight, width - 12));
    }
}

/** The brush, the mark, the pointer's moment, and now. */
void TimelineCanvas::paintOverlay(QPainter &painter, const QRect &lanes) const
{
    const TimeAxis time = axis();
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    const auto x = [&](qint64 us) { return lanes.left() + time.xOf(us); };
    if (m_brush) {
        const double from = std::max(double(lanes.left()), x(m_brush->fromUs));
        const double to = std::min(double(lanes.right() + 1), x(m_brush->toUs));
        QColor fill = colours.color(QPalette::Highlight);
        fill.setAlphaF(0.18F);
        if (to >= from) {
            painter.fillRect(QRectF(from, lanes.top(), to - from, lanes.height()), fill);
            for (const double edge : {from, to - 1})
                painter.fillRect(QRectF(edge, lanes.top(), 1, lanes.height()),
                                 colours.color(QPalette::Highlight));
        }
    }
    if (m_range.contains(m_seen.nowUs))
        painter.fillRect(QRectF(x(m_seen.nowUs), kHeader - 5, 1, lanes.height() + 5),
                         colours.color(QPalette::Link));
    if (m_hoverX && m_drag != Drag::Pan) {
        painter.setPen(QPen(colours.color(QPalette::Text), 1, Qt::DashLine));
        painter.drawLine(QPointF(*m_hoverX, lanes.top()), QPointF(*m_hoverX, lanes.bottom()));
    }
    if (m_mark && m_range.contains(*m_mark)) {
        const double at = x(*m_mark);
        painter.fillRect(QRectF(at, lanes.top(), 1, lanes.height()), colours.color(QPalette::Text));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.color(QPalette::Text));
        const QPointF points[]{{at - 5, kHeader - 8.0}, {at + 6, kHeader - 8.0}, {at + 0.5, double(kHeader)}};
        painter.drawPolygon(points, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (m_drag == Drag::Lane && m_dropLane >= 0) {
        const LaneBox &box = m_layout.boxes().at(m_dropLane);
        const int y = lanes.top() - verticalScrollBar()->value() +
                      (m_dropLane > m_dragLane ? box.top + box.height : box.top);
        painter.fillRect(QRect(0, y - 1, viewport()->width(), 2), colours.color(QPalette::Highlight));
    }
}

void TimelineCanvas::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const charts::TimelinePainter paint(m_theme->scheme(), font());
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    const QRect lanes = lanesRect();
    const int scrolled = verticalScrollBar()->value();
    painter.fillRect(event->rect(), colours.color(QPalette::Base));
    const auto &boxes = m_layout.boxes();
    const qsizetype first = std::max<qsizetype>(0, m_layout.laneAt(scrolled));
    qsizetype last = m_layout.laneAt(scrolled + lanes.height());
    last = last < 0 ? boxes.size() - 1 : last;
    painter.save();
    painter.setClipRect(QRect(0, kHeader, viewport()->width(), lanes.height()));
    painter.translate(0, kHeader - scrolled);
    for (qsizetype i = first; i <= last && i < boxes.size(); ++i)
        paint.paintLaneGround(painter, {0, boxes.at(i).top, viewport()->width(), boxes.at(i).height},
                              i % 2 != 0, i == m_current.lane);
    paintNames(painter, first, last);
    painter.setClipRect(QRect(kNames, scrolled, axisWidth(), lanes.height()));
    painter.translate(kNames, 0);
    paint.paintGrid(painter, m_ticks, axis(), scrolled, scrolled + lanes.height());
    paint.paintLanes(painter, picture(), first, last);
    painter.restore();
    painter.save();
    painter.fillRect(QRect(0, 0, viewport()->width(), kHeader), colours.color(QPalette::Window));
    painter.translate(kNames, 0);
    paint.paintHeader(painter, m_ticks, axis(), m_words->zone(), m_words->zoneOf(m_range.toUs));
    painter.restore();
    painter.fillRect(QRect(0, kHeader - 1, viewport()->width(), 1), colours.color(QPalette::Mid));
    painter.fillRect(QRect(kNames - 1, 0, 1, viewport()->height()), colours.color(QPalette::Mid));
    paintOverlay(painter, lanes);
    if (hasFocus()) {
        painter.setPen(QPen(colours.color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

QSize TimelineCanvas::wholeSize() const
{
    return {viewport()->width(), kHeader + std::max(LaneBox::kHold, m_layout.height())};
}

void TimelineCanvas::paintAll(QPainter &painter) const
{
    const charts::TimelinePainter paint(m_theme->scheme(), font());
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    const QSize size = wholeSize();
    painter.setFont(font());
    painter.fillRect(QRect(QPoint(), size), colours.color(QPalette::Base));
    painter.save();
    painter.translate(kNames, 0);
    paint.paintHeader(painter, m_ticks, axis(), m_words->zone(), m_words->zoneOf(m_range.toUs));
    painter.restore();
    painter.translate(0, kHeader);
    const qsizetype last = m_layout.boxes().size() - 1;
    for (qsizetype i = 0; i <= last; ++i)
        paint.paintLaneGround(painter,
                              {0, m_layout.boxes().at(i).top, size.width(), m_layout.boxes().at(i).height},
                              i % 2 != 0, false);
    paintNames(painter, 0, last);
    painter.setClipRect(QRect(kNames, 0, axisWidth(), m_layout.height()));
    painter.translate(kNames, 0);
    paint.paintGrid(painter, m_ticks, axis(), 0, m_layout.height());
    paint.paintLanes(painter, picture(), 0, last);
}

void TimelineCanvas::resizeEvent(QResizeEvent *)
{
    placeBar();
    build();
    Q_EMIT resized();
}

void TimelineCanvas::scrollContentsBy(int, int)
{
    viewport()->update();
}

} // namespace lockkeeper::app::views
