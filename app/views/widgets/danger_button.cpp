// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/danger_button.h"

#include <QPainter>
#include <QStyleOptionButton>

namespace lockkeeper::app::views {

DangerButton::DangerButton(const presentation::Theme *theme, QWidget *parent)
    : QPushButton(parent), m_theme(theme)
{
    setAttribute(Qt::WA_Hover);
    setAutoDefault(false); // Enter in a field of its dialog never releases
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

void DangerButton::paintEvent(QPaintEvent *event)
{
    if (!isEnabled()) {
        QPushButton::paintEvent(event);
        return;
    }
    const presentation::BadgeColours colours = m_theme->danger();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = colours.fill;
    if (isDown())
        fill = m_theme->isDark() ? fill.lighter(115) : fill.darker(115);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (hasFocus() || underMouse()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours.ink, 1, hasFocus() ? Qt::SolidLine : Qt::DotLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    }
    QStyleOptionButton option;
    initStyleOption(&option);
    option.palette.setColor(QPalette::ButtonText, colours.ink);
    style()->drawControl(QStyle::CE_PushButtonLabel, &option, &painter, this);
}

} // namespace lockkeeper::app::views
