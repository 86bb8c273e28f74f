// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/state_chips.h"

#include "app/presentation/icons.h"
#include "app/words/words.h"

#include <QHBoxLayout>

#include <array>

namespace lockkeeper::app::views {

namespace {

using replica::Badge;

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
    : CountChip(theme, parent), m_badge(badge)
{
    reword();
}

void StateChip::reword()
{
    const QString word = replica::badgeText(m_badge);
    setFace(presentation::badgeIconName(m_badge), word,
            tr("%1: show or hide locks in this state", "a state").arg(word));
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

void StateChips::setCounts(const replica::BadgeCounts &counts)
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
