// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/palette_commands.h"

#include "app/presentation/icons.h"
#include "app/views/widgets/view.h"
#include "app/views/window/window_actions.h"
#include "shared/base/text.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <algorithm>

namespace lockkeeper::app::views {

QList<PaletteEntry> PaletteCommands::entries(const QList<View *> &views,
                                             const std::function<void(View *)> &open) const
{
    QList<PaletteEntry> entries;
    for (qsizetype i = 0; i < views.size(); ++i) {
        View *view = views.at(i);
        if (!view->isAvailable())
            continue;
        PaletteEntry entry;
        entry.text = view->title();
        entry.group = tr("View");
        entry.keys = m_actions.viewActions().at(i)->shortcut().toString(QKeySequence::NativeText);
        entry.icon = presentation::icon(view->iconName());
        entry.run = [open, view] { open(view); };
        entries.append(entry);
    }
    for (View *view : views) {
        const QStringList filters = view->isAvailable() ? view->subEntries() : QStringList();
        for (int i = 0; i < filters.size(); ++i) {
            PaletteEntry entry;
            entry.text = base::displayText(filters.at(i));
            entry.group = tr("Saved filter");
            entry.icon = presentation::icon(QStringLiteral("bookmarks"));
            entry.run = [open, view, i] {
                view->openSubEntry(i);
                open(view);
            };
            entries.append(entry);
        }
    }
    for (const QAction *top : m_menus.actions()) {
        if (top->menu())
            addActions(top->menu(), WindowActions::plainText(top->text()), entries);
    }
    return entries;
}

void PaletteCommands::addActions(const QMenu *menu, const QString &group, QList<PaletteEntry> &entries) const
{
    for (QAction *action : menu->actions()) {
        if (action->menu())
            addActions(action->menu(), WindowActions::plainText(action->text()), entries);
        if (action->menu() || action->isSeparator() || !action->isVisible() ||
            !m_actions.isForPalette(action))
            continue;
        PaletteEntry entry;
        entry.text = WindowActions::plainText(action->text());
        entry.group = group;
        entry.keys = action->shortcut().toString(QKeySequence::NativeText);
        entry.icon = action->icon();
        if (!action->isEnabled())
            entry.reason = m_actions.reason(action);
        entry.run = [action = QPointer(action)] {
            if (action)
                action->trigger(); // nothing if it was switched off in the meantime
        };
        const bool known = std::any_of(entries.cbegin(), entries.cend(), [&entry](const PaletteEntry &other) {
            return other.text == entry.text && other.keys == entry.keys; // in two menus
        });
        if (!known)
            entries.append(entry);
    }
}

} // namespace lockkeeper::app::views
