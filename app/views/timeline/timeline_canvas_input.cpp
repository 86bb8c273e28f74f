// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Handles the operator's input on the canvas.
#include "app/timeline/moments.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/widgets/plain_label.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockkeeper::app::views {

using timeline::Hit;
using timeline::LaneBox;
using timeline::Range;

namespace {
constexpr double kZoomStep = 0.8;
constexpr int kHead = charts::TimelinePainter::kHeaderHeight;
constexpr int kPanPart = 10; ///< a key pans by 1/kPanPart of the shown range
} // namespace

void TimelineCanvas::setHover(const std::optional<double> &x, qsizetype lane)
{
    const QRect lanes = lanesRect();
    for (const std::optional<double> &at : {m_hoverX, x}) {
        if (at)
            viewport()->update(QRect(int(*at) - 1, lanes.top(), 3, lanes.height()));
    }
    m_hoverX = x;
    Q_EMIT hovered(x ? std::optional(timeAt(*x)) : std::nullopt, lane);
}

bool TimelineCanvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        setHover(std::nullopt, -1);
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString text = sentence(hitAt(help->pos()));
        QToolTip::showText(help->globalPos(), text.isEmpty() ? QString() : plainToolTip(text), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineCanvas::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->position();
    m_pressedUs = timeAt(m_pressed.x());
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (m_pressed.y() < kHead && m_pressed.x() >= kNames) {
        m_drag = Drag::Mark;
        setMark(m_pressedUs);
        return;
    }
    m_drag = Drag::Press;
    m_dragLane = m_pressed.x() < kNames ? hitAt(m_pressed).lane : -1;
}

void TimelineCanvas::drag(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (m_drag == Drag::Press && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance() / 2)
        m_drag = m_dragLane >= 0 ? Drag::Lane : m_pressed.x() < kNames ? Drag::None : Drag::Brush;
    switch (m_drag) {
    case Drag::Brush: {
        const qint64 us = timeAt(std::clamp(at.x(), double(kNames), double(viewport()->width())));
        setBrush(TimeRange{std::min(us, m_pressedUs), std::max(us, m_pressedUs)});
        break;
    }
    case Drag::Pan:
        Q_EMIT panAsked(m_pressedUs - timeAt(at.x()));
        break;
    case Drag::Mark:
        setMark(timeAt(std::clamp(at.x(), double(kNames), double(viewport()->width()))));
        break;
    case Drag::Lane: {
        const int y = int(at.y()) - kHead + verticalScrollBar()->value();
        const qsizetype over = m_layout.laneAt(std::clamp(y, 0, std::max(0, m_layout.height() - 1)));
        if (over != m_dropLane) {
            m_dropLane = over;
            viewport()->update();
        }
        break;
    }
    case Drag::None:
    case Drag::Press:
        break;
    }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent *event)
{
    drag(event);
    const QPointF at = event->position();
    if (m_drag == Drag::None)
        viewport()->setCursor(at.y() < kHead && at.x() >= kNames ? Qt::SplitHCursor : Qt::ArrowCursor);
    setHover(at.x() >= kNames ? std::optional(at.x()) : std::nullopt, hitAt(at).lane);
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag what = std::exchange(m_drag, Drag::None);
    viewport()->unsetCursor();
    if (what == Drag::Lane && m_dropLane >= 0 && m_dropLane != m_dragLane)
        Q_EMIT laneMoved(m_dragLane, m_dropLane);
    m_dragLane = m_dropLane = -1;
    if (what != Drag::Press) {
        viewport()->update();
        return;
    }
    setBrush(std::nullopt);
    if (m_pressed.x() >= kNames)
        setMark(m_pressedUs);
    m_current = hitAt(event->position());
    tellCurrent();
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && event->position().x() >= kNames)
        Q_EMIT zoomAsked(kZoomStep * kZoomStep * kZoomStep, timeAt(event->position().x()));
}

void TimelineCanvas::wheelEvent(QWheelEvent *event)
{
    const double steps = event->angleDelta().y() / 120.0;
    const double aside = event->angleDelta().x() / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        Q_EMIT zoomAsked(std::pow(kZoomStep, steps), timeAt(std::max(double(kNames), event->position().x())));
    } else if ((event->modifiers() & Qt::ShiftModifier) || aside != 0) {
        const double by = aside != 0 ? aside : steps;
        Q_EMIT panAsked(-qint64(by * double(m_range.lengthUs()) / kPanPart));
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QPoint at = byKey ? QPoint(kNames, kHead) : event->pos();
    const Hit hit = byKey ? m_current : hitAt(at);
    Q_EMIT menuAsked(byKey ? viewport()->mapToGlobal(at) : event->globalPos(), hit,
                     byKey ? m_mark.value_or(m_range.fromUs) : timeAt(at.x()));
}

void TimelineCanvas::ensureVisible(qsizetype lane)
{
    const LaneBox &box = m_layout.boxes().at(lane);
    QScrollBar *bar = verticalScrollBar();
    if (box.top < bar->value())
        bar->setValue(box.top);
    else if (box.top + box.height > bar->value() + lanesRect().height())
        bar->setValue(box.top + box.height - lanesRect().height());
}

void TimelineCanvas::stepLane(int by, bool move)
{
    if (m_chart.lanes.isEmpty())
        return;
    const qsizetype last = m_chart.lanes.size() - 1;
    const qsizetype to = std::clamp<qsizetype>(m_current.lane + by, 0, last);
    if (move) {
        if (m_current.lane >= 0 && to != m_current.lane)
            Q_EMIT laneMoved(m_current.lane, to);
        return;
    }
    m_current = {Hit::On::Lane, to, -1};
    ensureVisible(to);
    tellCurrent();
}

/** Moves the mark to the next event of the current lane, or of any lane, and describes the event. */
void TimelineCanvas::stepEvent(bool forward)
{
    const qint64 from = m_mark.value_or(forward ? m_range.fromUs : m_range.toUs);
    const auto next = timeline::nextEvent(m_chart, m_current.lane, from, forward);
    if (!next)
        return;
    setMark(*next);
    if (!m_range.contains(*next))
        Q_EMIT panAsked(*next - (m_range.fromUs + m_range.lengthUs() / 2));
    if (m_current.lane < 0)
        return;
    const protocol::TimelineLane &lane = m_chart.lanes.at(m_current.lane);
    Hit hit{Hit::On::Lane, m_current.lane, -1};
    for (qsizetype i = 0; i < lane.waits.size(); ++i) {
        if (lane.waits.at(i).fromUs == *next || lane.waits.at(i).toUs == *next)
            hit = {Hit::On::Wait, m_current.lane, i};
    }
    for (qsizetype i = 0; i < lane.holds.size(); ++i) {
        if (lane.holds.at(i).fromUs == *next || lane.holds.at(i).toUs == *next)
            hit = {Hit::On::Hold, m_current.lane, i};
    }
    m_current = hit;
    tellCurrent();
}

void TimelineCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const qint64 around =
        m_mark && m_range.contains(*m_mark) ? *m_mark : m_range.fromUs + m_range.lengthUs() / 2;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        Q_EMIT zoomAsked(kZoomStep, around);
        return;
    case Qt::Key_Minus:
        Q_EMIT zoomAsked(1 / kZoomStep, around);
        return;
    case Qt::Key_0:
        if (!control)
            Q_EMIT fitAsked();
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool forward = event->key() == Qt::Key_Right;
        if (shift)
            stepEvent(forward);
        else
            Q_EMIT panAsked((forward ? 1 : -1) * m_range.lengthUs() / kPanPart);
        return;
    }
    case Qt::Key_Up:
        return stepLane(-1, control);
    case Qt::Key_Down:
        return stepLane(m_current.lane < 0 && !control ? 0 : 1, control);
    case Qt::Key_L:
        Q_EMIT followAsked();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT enterPressed();
        return;
    case Qt::Key_Backspace:
        Q_EMIT backAsked();
        return;
    case Qt::Key_Escape:
        if (m_brush)
            setBrush(std::nullopt);
        else if (m_mark)
            setMark(std::nullopt);
        else
            Q_EMIT backAsked();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace lockkeeper::app::views
