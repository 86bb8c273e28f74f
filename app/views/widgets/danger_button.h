// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"

#include <QPushButton>

namespace lockkeeper::app::views {

/**
 * A button that breaks something: flat, in the exact colours of Stuck (the style's gradient would take their
 * contrast away), and plainly off when disabled.
 */
class DangerButton : public QPushButton
{
    Q_OBJECT

public:
    /** `theme` isn't owned. */
    explicit DangerButton(const presentation::Theme *theme, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const presentation::Theme *m_theme;
};

} // namespace lockkeeper::app::views
