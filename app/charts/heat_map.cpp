// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/heat_map.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace lockkeeper::app::charts {

namespace {
constexpr int kLabelGap = 8;
constexpr int kLeastCell = 24;
} // namespace

HeatMap::HeatMap(const presentation::Theme *theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

QColor HeatMap::cividis(double share)
{
    // Supporting points of the map by Nuñez, Anderton and Renslow (2018), evenly spaced.
    static constexpr std::array<QRgb, 9> kPoints{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                                 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55};
    const double at = std::clamp(share, 0.0, 1.0) * double(kPoints.size() - 1);
    const size_t low = std::min(size_t(at), kPoints.size() - 2);
    const QColor a(kPoints.at(low));
    const QColor b(kPoints.at(low + 1));
    const double part = at - double(low);
    const auto mix = [part](int x, int y) { return int(double(x) + (double(y) - double(x)) * part + 0.5); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

void HeatMap::show(const QString &title, const QList<Day> &days)
{
    m_title = title;
    m_days = days;
    if (!isInRange(m_current))
        m_current = {};
    setAccessibleName(title);
    QStringList lines;
    for (const Day &day : days) {
        for (const HeatCell &cell : day.hours) {
            if (cell.value.value_or(0) > 0)
                lines.append(cell.tip);
        }
    }
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    setMinimumHeight(minimumSizeHint().height());
    updateGeometry();
    update();
}

int HeatMap::rowHeight() const
{
    return std::max(24, fontMetrics().height() + 4); // large enough to click
}

int HeatMap::labelWidth() const
{
    int most = 0;
    for (const Day &day : m_days)
        most = std::max(most, fontMetrics().horizontalAdvance(day.label));
    return most + kLabelGap;
}

QSize HeatMap::minimumSizeHint() const
{
    return {labelWidth() + kHours * kLeastCell, rowHeight() * (int(m_days.size()) + 2)};
}

QRect HeatMap::placeOf(int day, int hour) const
{
    const int left = labelWidth();
    const double step = double(width() - left) / kHours;
    const int from = left + int(step * hour);
    const int to = left + int(step * (hour + 1));
    return {from, rowHeight() * (day + 2), to - from - 1, rowHeight() - 1};
}

void HeatMap::paintCell(QPainter &painter, const QRect &place, const HeatCell &cell, double most) const
{
    if (!cell.inRange)
        return;
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    painter.fillRect(place, colours.color(QPalette::Base));
    if (!cell.observed)
        painter.fillRect(place, QBrush(presentation::gapColour(m_theme->scheme()), Qt::BDiagPattern));
    if (cell.value.value_or(0) <= 0)
        return;
    const QColor fill = cividis(*cell.value / most);
    painter.fillRect(place, fill);
    const QColor dark(0x1B1E21);
    const QColor light(0xFFFFFF);
    painter.setPen(
        presentation::contrastRatio(dark, fill) > presentation::contrastRatio(light, fill) ? dark : light);
    painter.drawText(place, Qt::AlignCenter,
                     fontMetrics().elidedText(cell.text, Qt::ElideRight, place.width()));
}

void HeatMap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colours.color(QPalette::WindowText));
    painter.drawText(QRect(0, 0, width(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, m_title);
    painter.setFont(font());
    double most = 0;
    for (const Day &day : m_days) {
        for (const HeatCell &cell : day.hours)
            most = std::max(most, cell.value.value_or(0));
    }
    for (int hour = 0; hour < kHours; ++hour) {
        painter.setPen(m_theme->muted());
        painter.drawText(placeOf(-1, hour), Qt::AlignCenter,
                         QStringLiteral("%1").arg(hour, 2, 10, QLatin1Char('0')));
    }
    for (int day = 0; day < m_days.size(); ++day) {
        painter.setPen(m_theme->muted());
        painter.drawText(QRect(0, placeOf(day, 0).top(), labelWidth(), rowHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_days.at(day).label);
        for (int hour = 0; hour < m_days.at(day).hours.size(); ++hour)
            paintCell(painter, placeOf(day, hour), m_days.at(day).hours.at(hour), most);
    }
    if (hasFocus() && isInRange(m_current)) {
        painter.setPen(QPen(colours.color(QPalette::WindowText), 2)); // visible on any fill
        painter.drawRect(placeOf(m_current.day, m_current.hour).adjusted(1, 1, -1, -1));
    }
}

bool HeatMap::isInRange(HeatSlot at) const
{
    return at.day >= 0 && at.day < m_days.size() && at.hour >= 0 &&
           at.hour < m_days.at(at.day).hours.size() && m_days.at(at.day).hours.at(at.hour).inRange;
}

HeatMap::HeatSlot HeatMap::cellAt(const QPoint &point) const
{
    for (int day = 0; day < m_days.size(); ++day) {
        for (int hour = 0; hour < m_days.at(day).hours.size(); ++hour) {
            if (placeOf(day, hour).contains(point))
                return {day, hour};
        }
    }
    return {};
}

void HeatMap::showTip(HeatSlot at, const QPoint &point)
{
    QToolTip::showText(point, m_days.at(at.day).hours.at(at.hour).tip, this, placeOf(at.day, at.hour));
}

/** Keyboard navigation shows the same tool tip as the pointer. */
void HeatMap::goTo(HeatSlot at)
{
    m_current = at;
    setAccessibleDescription(m_days.at(at.day).hours.at(at.hour).tip);
    showTip(at, mapToGlobal(placeOf(at.day, at.hour).center()));
    update();
}

/** Moves to the next hour of the range in that direction; the first step selects its last hour. */
void HeatMap::step(int days, int hours)
{
    HeatSlot at = m_current;
    if (!isInRange(at)) {
        at = {int(m_days.size()) - 1, kHours};
        days = 0;
        hours = -1;
    }
    do {
        at = {at.day + days, at.hour + hours};
        if (at.hour < 0 || at.hour >= kHours) // continues on the previous or next day
            at = {at.day + hours, at.hour < 0 ? kHours - 1 : 0};
        if (at.day < 0 || at.day >= m_days.size())
            return;
    } while (!isInRange(at));
    goTo(at);
}

void HeatMap::mouseReleaseEvent(QMouseEvent *event)
{
    const HeatSlot at = cellAt(event->pos());
    if (event->button() == Qt::LeftButton && isInRange(at))
        Q_EMIT activated(at.day, at.hour);
}

void HeatMap::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Up:
        return step(-1, 0);
    case Qt::Key_Down:
        return step(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (isInRange(m_current))
            Q_EMIT activated(m_current.day, m_current.hour);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool HeatMap::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const HeatSlot at = cellAt(help->pos()); isInRange(at))
        showTip(at, help->globalPos());
    else
        QToolTip::hideText();
    return true;
}

} // namespace lockkeeper::app::charts
