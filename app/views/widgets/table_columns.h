// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QHeaderView;

namespace lockkeeper::app::views {

/** The columns of a view's table, as its header's menu and the View menu offer them. */
struct TableColumns
{
    QHeaderView *header = nullptr; ///< not owned; null: the view shows no table
    std::function<bool(int column)> isOptional;
    std::function<void(int column, bool shown)> setShown;
    std::function<void()> reset; ///< to the columns of a first start
};

} // namespace lockkeeper::app::views
