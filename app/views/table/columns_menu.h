// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/table_columns.h"

#include <QCoreApplication>

class QMenu;

namespace lockkeeper::app::views {

/** Menus that choose a table's columns and its order. */
class ColumnsMenu
{
    Q_DECLARE_TR_FUNCTIONS(ColumnsMenu)

public:
    /** Shows the header's menu at this place in the header. */
    static void popup(const TableColumns &columns, const QPoint &at);
    /** Refills *Sort by*. */
    static void fillSortMenu(QMenu *menu, const TableColumns &columns);
};

} // namespace lockkeeper::app::views
