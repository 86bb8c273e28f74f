// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/phase_chips.h"

#include "app/presentation/alert_formatter.h"
#include "app/words/alert_description.h"

#include <QHBoxLayout>

namespace lockkeeper::app::views {

namespace {
constexpr std::array<const char *, models::kAlertPhaseCount> kPhaseIcons{"view-alerts", "pin",
                                                                         "media-playback-pause", "dialog-ok"};
}

PhaseChips::PhaseChips(const presentation::Theme *theme, QWidget *parent) : Translated(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(4);
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        m_chips.at(i) = new CountChip(theme, this);
        row->addWidget(m_chips.at(i));
        connect(m_chips.at(i), &QAbstractButton::clicked, this,
                [this, i](bool on) { Q_EMIT toggled(domain::AlertPhase(i), on); });
    }
    retranslate();
}

void PhaseChips::setCounts(const models::PhaseCounts &counts)
{
    for (std::size_t i = 0; i < m_chips.size(); ++i)
        m_chips.at(i)->setCount(counts.at(i));
}

void PhaseChips::setShown(const models::PhaseSet &shown)
{
    for (std::size_t i = 0; i < m_chips.size(); ++i)
        m_chips.at(i)->setChecked(shown.at(i));
}

void PhaseChips::retranslate()
{
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const QString word = words::AlertDescription::phase(domain::AlertPhase(i));
        m_chips.at(i)->setFace(QString::fromLatin1(kPhaseIcons.at(i)), word,
                               tr("%1: show or hide alerts in this state", "a state").arg(word));
    }
}

} // namespace lockkeeper::app::views
