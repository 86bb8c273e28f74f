// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/time_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kPad = 4;
constexpr int kLeastFrame = 6;
} // namespace

TimeBar::TimeBar(const presentation::Theme *theme, const words::TimeFormat *times, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_times(times)
{
    setFixedWidth(kWidth);
    setCursor(Qt::PointingHandCursor);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

void TimeBar::setRange(qint64 oldestUs, qint64 newestUs)
{
    if (oldestUs == m_oldestUs && newestUs == m_newestUs)
        return;
    m_oldestUs = oldestUs;
    m_newestUs = newestUs;
    update();
}

void TimeBar::setEvents(const QList<qint64> &timesUs)
{
    m_events = timesUs;
    update();
}

void TimeBar::setWindow(qint64 newestUs, qint64 oldestUs)
{
    m_windowNewestUs = newestUs;
    m_windowOldestUs = oldestUs;
    update();
}

TimeScale TimeBar::scale() const
{
    return {m_oldestUs, m_newestUs, height()};
}

void TimeBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect track = rect().adjusted(kPad, 0, -kPad, 0);
    painter.fillRect(track, presentation::barTrack(m_theme->scheme()));
    const TimeScale time = scale();
    const QList<int> counts = time.density(m_events, kStep);
    const int most = counts.isEmpty() ? 0 : *std::max_element(counts.cbegin(), counts.cend());
    const QColor ink = presentation::barColour(m_theme->scheme(), false);
    for (int i = 0; i < counts.size() && most > 0; ++i) {
        if (counts.at(i) == 0)
            continue;
        const int length = std::max(2, track.width() * counts.at(i) / most);
        painter.fillRect(QRect(track.left(), i * kStep, length, kStep - 1), ink);
    }
    if (!time.isValid() || m_windowNewestUs <= m_windowOldestUs)
        return;
    const int top = time.yOf(m_windowNewestUs);
    const int bottom = std::max(time.yOf(m_windowOldestUs), top + kLeastFrame);
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawRect(QRect(QPoint(1, top), QPoint(width() - 2, std::min(bottom, height() - 1))));
}

void TimeBar::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && scale().isValid())
        Q_EMIT timeAsked(scale().timeOf(event->position().toPoint().y()));
}

bool TimeBar::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && scale().isValid()) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const qint64 at = scale().timeOf(help->pos().y());
        QToolTip::showText(help->globalPos(),
                           tr("Go to %1 %2").arg(m_times->dateTime(at), m_times->zoneText(at)), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace lockkeeper::app::views
