// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/palette/palette_model.h"

#include <QCoreApplication>

class QMenu;
class QMenuBar;

namespace lockkeeper::app::views {

class View;
class WindowActions;

/** The lines of the command palette besides locks: views, saved filters, and the actions of the menus. */
class PaletteCommands
{
    Q_DECLARE_TR_FUNCTIONS(PaletteCommands)

public:
    PaletteCommands(const WindowActions &actions, const QMenuBar &menus) : m_actions(actions), m_menus(menus)
    {
    }

    /** `open` brings a view to the front. */
    QList<PaletteEntry> entries(const QList<View *> &views, const std::function<void(View *)> &open) const;

private:
    void addActions(const QMenu *menu, const QString &group, QList<PaletteEntry> &entries) const;

    const WindowActions &m_actions;
    const QMenuBar &m_menus;
};

} // namespace lockkeeper::app::views
