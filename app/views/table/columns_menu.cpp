// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/columns_menu.h"

#include "app/views/table/columns_dialog.h"

#include <QAbstractItemModel>
#include <QHeaderView>
#include <QMenu>

namespace lockkeeper::app::views {

void ColumnsMenu::popup(const TableColumns &columns, const QPoint &at)
{
    const QHeaderView *header = columns.header;
    auto *menu = new QMenu(columns.header);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < header->count(); ++column) {
        QAction *action = menu->addAction(header->model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(columns.isOptional(column));
        QObject::connect(action, &QAction::toggled, menu,
                         [columns, column](bool shown) { columns.setShown(column, shown); });
    }
    menu->addSeparator();
    menu->addAction(tr("C&olumns…"), columns.header,
                    [columns] { (new ColumnsDialog(columns, columns.header->window()))->open(); });
    if (header->isSortIndicatorShown())
        menu->addAction(tr("&Default order"), columns.header,
                        [columns] { columns.header->setSortIndicator(-1, Qt::AscendingOrder); });
    menu->addAction(tr("Default &columns"), columns.header, columns.reset);
    menu->popup(header->mapToGlobal(at));
}

void ColumnsMenu::fillSortMenu(QMenu *menu, const TableColumns &columns)
{
    menu->clear();
    QHeaderView *header = columns.header;
    if (!header || !header->isSortIndicatorShown())
        return;
    const int sorted = header->sortIndicatorSection();
    const Qt::SortOrder order = header->sortIndicatorOrder();
    const auto add = [&](const QString &title, bool isChecked, int column, Qt::SortOrder wanted) {
        QAction *action = menu->addAction(
            title, header, [header, column, wanted] { header->setSortIndicator(column, wanted); });
        action->setCheckable(true);
        action->setChecked(isChecked);
        return action;
    };
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (!header->isSectionHidden(column) || column == sorted)
            add(header->model()->headerData(column, Qt::Horizontal).toString(), column == sorted, column,
                sorted < 0 ? Qt::AscendingOrder : order);
    }
    menu->addSeparator();
    add(tr("&Ascending"), sorted >= 0 && order == Qt::AscendingOrder, sorted, Qt::AscendingOrder)
        ->setEnabled(sorted >= 0);
    add(tr("D&escending"), sorted >= 0 && order == Qt::DescendingOrder, sorted, Qt::DescendingOrder)
        ->setEnabled(sorted >= 0);
    menu->addSeparator();
    add(tr("&Default order"), sorted < 0, -1, Qt::AscendingOrder);
}

} // namespace lockkeeper::app::views
