// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/table_columns.h"

#include <QDialog>

class QListWidget;
class QPushButton;

namespace lockkeeper::app::views {

/** Shows, hides and moves a table's columns by keyboard; the table follows at once. Deletes itself. */
class ColumnsDialog : public QDialog
{
    Q_OBJECT

public:
    ColumnsDialog(TableColumns columns, QWidget *parent);

private:
    void fill();
    void move(int by);
    void refresh();

    TableColumns m_columns;
    QListWidget *m_list; ///< by visual index
    QPushButton *m_up;
    QPushButton *m_down;
    bool m_filling = false;
};

} // namespace lockkeeper::app::views
