// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/slice_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockkeeper::app::charts {

namespace {
constexpr int kAxisGap = 4;
constexpr int kLeastPlot = 48;
} // namespace

SliceChart::SliceChart(const presentation::Theme *theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize SliceChart::minimumSizeHint() const
{
    return {160, fontMetrics().lineSpacing() * 3 + 2 * kAxisGap + kLeastPlot};
}

void SliceChart::show(const QString &title, const QList<Slice> &slices,
                      const std::function<QString(double)> &value, const QString &first, const QString &last)
{
    m_title = title;
    m_why.clear();
    m_slices = slices;
    m_current = std::min(m_current, int(slices.size()) - 1);
    m_first = first;
    m_last = last;
    m_top = 0;
    for (const Slice &slice : slices)
        m_top = std::max({m_top, slice.low.value_or(0), slice.high.value_or(0)});
    m_topText = m_top > 0 ? value(m_top) : QString();
    describe();
    update();
}

void SliceChart::showNothing(const QString &title, const QString &why)
{
    m_title = title;
    m_why = why;
    m_slices.clear();
    m_top = 0;
    describe();
    update();
}

/** The same in words, for those who don't see the bars. */
void SliceChart::describe()
{
    const auto most =
        std::max_element(m_slices.cbegin(), m_slices.cend(), [](const Slice &a, const Slice &b) {
            return std::max(a.low.value_or(0), a.high.value_or(0)) <
                   std::max(b.low.value_or(0), b.high.value_or(0));
        });
    setAccessibleName(m_title);
    setAccessibleDescription(m_top > 0 ? tr("Most: %1, %2", "time, figures").arg(most->label, most->text)
                                       : m_why);
}

QRect SliceChart::plot() const
{
    const int line = fontMetrics().lineSpacing();
    return rect().adjusted(0, 2 * line + kAxisGap, -1, -line - kAxisGap);
}

QRect SliceChart::placeOf(qsizetype slice) const
{
    const QRect area = plot();
    const double step = double(area.width()) / double(std::max<qsizetype>(1, m_slices.size()));
    const int left = area.left() + int(step * double(slice));
    const int right = area.left() + int(step * double(slice + 1));
    return {left, area.top(), std::max(1, right - left - (step >= 4 ? 1 : 0)), area.height()};
}

void SliceChart::paintSlice(QPainter &painter, qsizetype slice) const
{
    const Slice &one = m_slices.at(slice);
    const QRect place = placeOf(slice);
    if (one.observed < 1) {
        QRect blind = place;
        blind.setWidth(std::max(1, int(double(place.width()) * (1 - one.observed))));
        painter.fillRect(blind, QBrush(presentation::gapColour(m_theme->scheme()), Qt::BDiagPattern));
    }
    if (!one.low || m_top <= 0)
        return;
    const auto heightOf = [this, &place](double value) {
        return value <= 0 ? 0 : std::max(1, int(value / m_top * double(place.height())));
    };
    const QColor ink = presentation::barColour(m_theme->scheme(), false);
    const int low = heightOf(*one.low);
    const int high = std::max(low, heightOf(one.high.value_or(*one.low)));
    QColor pale = ink;
    pale.setAlphaF(0.4F);
    painter.fillRect(QRect(place.left(), place.bottom() - high + 1, place.width(), high - low), pale);
    painter.fillRect(QRect(place.left(), place.bottom() - low + 1, place.width(), low), ink);
}

void SliceChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    const int line = fontMetrics().lineSpacing();
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colours.color(QPalette::WindowText));
    painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(m_title, Qt::ElideRight, width()));
    painter.setFont(font());
    painter.setPen(m_theme->muted());
    const QRect area = plot();
    if (m_slices.isEmpty()) {
        painter.drawText(rect().adjusted(0, line + kAxisGap, 0, 0),
                         int(Qt::AlignTop | Qt::AlignLeft) | int(Qt::TextWordWrap), m_why);
        return;
    }
    painter.fillRect(area, colours.color(QPalette::Base));
    for (qsizetype slice = 0; slice < m_slices.size(); ++slice)
        paintSlice(painter, slice);
    painter.drawText(QRect(0, line, width(), line + kAxisGap), Qt::AlignLeft | Qt::AlignVCenter, m_topText);
    const QRect times(0, area.bottom() + 1, width(), line + kAxisGap);
    painter.drawText(times, Qt::AlignLeft | Qt::AlignVCenter, m_first);
    painter.drawText(times, Qt::AlignRight | Qt::AlignVCenter, m_last);
    painter.setPen(colours.color(QPalette::Mid));
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    if (hasFocus()) {
        painter.setPen(colours.color(QPalette::Highlight));
        painter.drawRect(area.adjusted(0, 0, -1, -1));
        if (m_current >= 0) {
            painter.setPen(QPen(colours.color(QPalette::WindowText), 2)); // told from any bar
            painter.drawRect(placeOf(m_current).adjusted(0, 1, 0, -2));
        }
    }
}

int SliceChart::sliceAt(int x) const
{
    for (int slice = 0; slice < m_slices.size(); ++slice) {
        const QRect place = placeOf(slice);
        if (x >= place.left() && x <= place.right() + 1)
            return slice;
    }
    return -1;
}

void SliceChart::showTip(int slice, const QPoint &at)
{
    const Slice &one = m_slices.at(slice);
    QToolTip::showText(at, one.label + QLatin1Char('\n') + one.text, this, placeOf(slice));
}

/** What the pointer would be told in a tool tip, the keyboard is told likewise. */
void SliceChart::goTo(int slice)
{
    if (m_slices.isEmpty())
        return;
    m_current = std::clamp(slice, 0, int(m_slices.size()) - 1);
    setAccessibleDescription(m_slices.at(m_current).label + QLatin1Char('\n') + m_slices.at(m_current).text);
    showTip(m_current, mapToGlobal(placeOf(m_current).center()));
    update();
}

void SliceChart::mouseReleaseEvent(QMouseEvent *event)
{
    const int slice = sliceAt(event->pos().x());
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && slice >= 0)
        Q_EMIT activated(slice);
}

void SliceChart::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return goTo(m_current < 0 ? int(m_slices.size()) - 1 : m_current - 1);
    case Qt::Key_Right:
        return goTo(m_current + 1);
    case Qt::Key_Home:
        return goTo(0);
    case Qt::Key_End:
        return goTo(int(m_slices.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0)
            Q_EMIT activated(m_current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool SliceChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const int slice = sliceAt(help->pos().x()); slice >= 0)
        showTip(slice, help->globalPos());
    else
        QToolTip::hideText();
    return true;
}

} // namespace lockkeeper::app::charts
