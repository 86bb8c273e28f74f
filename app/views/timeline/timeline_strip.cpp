// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/timeline/timeline_strip.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockkeeper::app::views {

namespace {
constexpr int kHeight = 34;
constexpr int kLeastWindow = 6;
constexpr int kSide = 8;
} // namespace

TimelineStrip::TimelineStrip(const presentation::Theme *theme, int left, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_left(left)
{
    setFixedHeight(kHeight);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

timeline::TimeAxis TimelineStrip::axis() const
{
    return {m_range, double(width() - m_left - kSide)};
}

void TimelineStrip::setDensity(const timeline::TimeRange &range, const QList<qint64> &counts,
                               const QString &words)
{
    m_range = range;
    m_counts = counts;
    m_words = words;
    setCursor(range.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void TimelineStrip::setWindow(const timeline::TimeRange &window)
{
    if (window == m_window)
        return;
    m_window = window;
    update();
}

void TimelineStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    const QRect track(m_left, 0, width() - m_left - kSide, height());
    painter.setPen(m_theme->muted());
    painter.drawText(QRect(kSide, 0, m_left - 2 * kSide, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(m_words, Qt::ElideRight, m_left - 2 * kSide));
    painter.fillRect(track, colours.color(QPalette::Base));
    painter.setPen(colours.color(QPalette::Mid));
    painter.drawRect(track.adjusted(0, 0, -1, -1));
    const qint64 most = m_counts.isEmpty() ? 0 : *std::max_element(m_counts.cbegin(), m_counts.cend());
    const double step = m_counts.isEmpty() ? 0 : double(track.width()) / double(m_counts.size());
    const QColor ink = presentation::barColour(m_theme->scheme(), false);
    for (qsizetype i = 0; most > 0 && i < m_counts.size(); ++i) {
        if (m_counts.at(i) == 0)
            continue;
        // Scale by the square root, so that a burst of events doesn't flatten all others to nothing.
        const double part = std::sqrt(double(m_counts.at(i)) / double(most));
        const double tall = std::max(2.0, part * (track.height() - 4));
        painter.fillRect(
            QRectF(track.left() + double(i) * step, track.bottom() - 1 - tall, std::max(1.0, step), tall),
            ink);
    }
    if (!axis().isValid() || m_window.isEmpty())
        return;
    double from = track.left() + std::clamp(axis().xOf(m_window.fromUs), 0.0, axis().width());
    double to = track.left() + std::clamp(axis().xOf(m_window.toUs), 0.0, axis().width());
    if (to - from < kLeastWindow) {
        const double middle = (from + to) / 2;
        from = std::max(double(track.left()), middle - kLeastWindow / 2.0);
        to = from + kLeastWindow;
    }
    QColor fill = colours.color(QPalette::Highlight);
    fill.setAlphaF(0.18F);
    painter.fillRect(QRectF(from, 1, to - from, height() - 2), fill);
    painter.setPen(QPen(colours.color(QPalette::Highlight), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(from, 1, to - from, height() - 2));
}

void TimelineStrip::ask(QMouseEvent *event)
{
    if (axis().isValid() && event->position().x() >= m_left)
        Q_EMIT centreAsked(axis().timeAt(event->position().x() - m_left));
}

void TimelineStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        ask(event);
}

void TimelineStrip::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        ask(event);
}

} // namespace lockkeeper::app::views
