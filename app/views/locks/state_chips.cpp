// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/state_chips.h"

#include "app/presentation/icons.h"
#include "app/presentation/words.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QStyleOptionFocusRect>

#include <array>

namespace lockkeeper::app::views {

namespace {

using state::Badge;

// In the order of urgency. Releasing has no chip: the operator's own releases are always shown.
constexpr std::array kChips{Badge::Unknown,  Badge::Stuck, Badge::Expired,    Badge::Contended,
                            Badge::Expiring, Badge::Held,  Badge::Optimistic, Badge::Free};

constexpr int kBetween = 4; ///< chips

bool isRare(Badge badge)
{
    return badge == Badge::Unknown || badge == Badge::Optimistic;
}

} // namespace

StateChip::StateChip(Badge badge, const presentation::Theme *theme, QWidget *parent)
    : QAbstractButton(parent), m_badge(badge), m_theme(theme)
{
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    reword();
}

void StateChip::setCount(qint64 count)
{
    if (count == m_count)
        return;
    m_count = count;
    reword();
}

void StateChip::reword()
{
    setText(tr("%1 %2", "state, count")
                .arg(state::badgeText(m_badge), QLocale(QLocale::English).toString(m_count)));
    setAccessibleName(text());
    setToolTip(tr("%1: show or hide locks in this state", "a state").arg(state::badgeText(m_badge)));
    updateGeometry();
    update();
}

void StateChip::setBrief(bool brief)
{
    if (brief == m_brief)
        return;
    m_brief = brief;
    updateGeometry();
    update();
}

QString StateChip::shown(bool brief) const
{
    return brief ? QLocale(QLocale::English).toString(m_count) : text();
}

QSize StateChip::sizeOf(bool brief) const
{
    return {fontMetrics().horizontalAdvance(shown(brief)) + 8 + 14 + 4 + 8, 24};
}

void StateChip::paintEvent(QPaintEvent *)
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
    painter.drawPixmap(
        8, (height() - 14) / 2,
        presentation::iconPixmap(presentation::badgeIconName(m_badge), ink, 14, devicePixelRatioF()));
    painter.setPen(ink);
    painter.drawText(rect().adjusted(26, 0, -6, 0), int(Qt::AlignVCenter | Qt::AlignLeft), shown(m_brief));
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours.color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
    }
}

StateChips::StateChips(const presentation::Theme *theme, QWidget *parent) : Translated(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kBetween);
    for (const Badge badge : kChips) {
        auto *chip = new StateChip(badge, theme, this);
        chip->setVisible(!isRare(badge));
        m_chips.insert(int(badge), chip);
        layout->addWidget(chip);
        connect(chip, &QAbstractButton::clicked, this, [this, badge](bool on) { Q_EMIT toggled(badge, on); });
    }
    layout->addStretch();
}

void StateChips::setCounts(const state::BadgeCounts &counts)
{
    for (const Badge badge : kChips) {
        StateChip *one = chip(badge);
        const qint64 count = counts.at(std::size_t(badge));
        one->setCount(count);
        if (count > 0 && one->isHidden())
            one->setVisible(true);
    }
    fit();
}

void StateChips::fit()
{
    int room = width() + kBetween;
    for (const StateChip *one : std::as_const(m_chips))
        room -= one->isHidden() ? 0 : one->sizeOf(false).width() + kBetween;
    for (StateChip *one : std::as_const(m_chips))
        one->setBrief(room < 0);
}

void StateChips::resizeEvent(QResizeEvent *event)
{
    Translated::resizeEvent(event);
    fit();
}

void StateChips::setShown(Badge badge, bool shown)
{
    if (StateChip *one = chip(badge))
        one->setChecked(shown);
}

bool StateChips::isShown(Badge badge) const
{
    const StateChip *one = chip(badge);
    return !one || one->isChecked();
}

void StateChips::retranslate()
{
    for (StateChip *one : std::as_const(m_chips))
        one->reword();
    fit();
}

} // namespace lockkeeper::app::views
