// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/view.h"

#include <QListWidget>

namespace lockkeeper::app::views {

/**
 * The list of views at the left: icon, word and the number of rows that need attention as a badge. Below a
 * view, indented, its saved filters with the number of their rows. A view that the agent doesn't offer isn't
 * shown. GUI thread.
 */
class Navigation : public QListWidget
{
    Q_OBJECT

public:
    static constexpr int kWidth = 140;

    explicit Navigation(const presentation::Theme *theme, QWidget *parent = nullptr);

    /** Not owned; entries stand in the order of the calls. */
    void addView(View *view);
    /** Without emitting chosen(); null: none. */
    void setCurrent(const View *view);

Q_SIGNALS:
    void chosen(lockkeeper::app::views::View *view);

private:
    /** A line: a view, or one of its sub-entries. */
    struct NavigationEntry
    {
        View *view = nullptr;
        int sub = -1;
    };
    void rebuild();
    void refresh(View *view);
    void choose(int row);
    void mark();

    QList<View *> m_views;
    QList<NavigationEntry> m_entries; ///< by row
    const View *m_current = nullptr;
    bool m_choosing = false;
};

} // namespace lockkeeper::app::views
