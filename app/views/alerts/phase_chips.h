// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/alerts_model.h"
#include "app/views/widgets/count_chip.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

namespace lockkeeper::app::views {

/** The phases of alerts, each with the number of its alerts; a click shows or hides them. GUI thread. */
class PhaseChips : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit PhaseChips(const presentation::Theme *theme, QWidget *parent = nullptr);

    void setCounts(const models::PhaseCounts &counts);
    void setShown(const models::PhaseSet &shown);
    CountChip *chip(domain::AlertPhase phase) const { return m_chips.at(std::size_t(phase)); }

Q_SIGNALS:
    void toggled(lockkeeper::domain::AlertPhase phase, bool shown);

private:
    void retranslate() final;

    std::array<CountChip *, models::kAlertPhaseCount> m_chips{};
};

} // namespace lockkeeper::app::views
