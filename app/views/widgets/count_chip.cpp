// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/count_chip.h"

#include "app/presentation/icons.h"

#include <QLocale>
#include <QPainter>

namespace lockkeeper::app::views {

CountChip::CountChip(const presentation::Theme *theme, QWidget *parent)
    : QAbstractButton(parent), m_theme(theme)
{
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void CountChip::setFace(const QString &icon, const QString &word, const QString &toolTip)
{
    m_icon = icon;
    m_word = word;
    setToolTip(toolTip);
    reword();
}

void CountChip::setCount(qint64 count)
{
    if (count == m_count)
        return;
    m_count = count;
    reword();
}

void CountChip::reword()
{
    setText(tr("%1 %2", "state, count").arg(m_word, QLocale(QLocale::English).toString(m_count)));
    setAccessibleName(text());
    updateGeometry();
    update();
}

void CountChip::setBrief(bool brief)
{
    if (brief == m_brief)
        return;
    m_brief = brief;
    updateGeometry();
    update();
}

QString CountChip::shown(bool brief) const
{
    return brief ? QLocale(QLocale::English).toString(m_count) : text();
}

QSize CountChip::sizeOf(bool brief) const
{
    return {fontMetrics().horizontalAdvance(shown(brief)) + 8 + 14 + 4 + 8, 24};
}

void CountChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette colours = palette();
    const bool on = isChecked();
    const QColor accent = colours.color(QPalette::Highlight);
    QColor ground = colours.color(on ? QPalette::Base : QPalette::Window);
    if (on) {
        const float share = m_theme->isDark() ? 0.30F : 0.12F;
        ground = QColor::fromRgbF(ground.redF() + (accent.redF() - ground.redF()) * share,
                                  ground.greenF() + (accent.greenF() - ground.greenF()) * share,
                                  ground.blueF() + (accent.blueF() - ground.blueF()) * share);
    }
    if (isDown() || underMouse())
        ground = m_theme->isDark() ? ground.lighter(115) : ground.darker(104);
    painter.setPen(on ? accent : presentation::fieldLine(colours));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QColor ink = on ? colours.color(QPalette::WindowText) : m_theme->muted();
    painter.drawPixmap(8, (height() - 14) / 2,
                       presentation::iconPixmap(m_icon, ink, 14, devicePixelRatioF()));
    painter.setPen(ink);
    painter.drawText(rect().adjusted(26, 0, -6, 0), int(Qt::AlignVCenter | Qt::AlignLeft), shown(m_brief));
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours.color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
    }
}

} // namespace lockkeeper::app::views
