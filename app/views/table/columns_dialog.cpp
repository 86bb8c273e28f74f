// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/columns_dialog.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

ColumnsDialog::ColumnsDialog(TableColumns columns, QWidget *parent)
    : QDialog(parent),
      m_columns(std::move(columns)),
      m_list(new QListWidget),
      m_up(new QPushButton(tr("Move up"))),
      m_down(new QPushButton(tr("Move down")))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("columns"));
    setWindowTitle(tr("Columns"));
    m_list->setAccessibleName(windowTitle());
    m_up->setToolTip(tr("Move the column to the left (Alt+Up)"));
    m_down->setToolTip(tr("Move the column to the right (Alt+Down)"));
    auto *reset = new QPushButton(tr("&Default columns"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    auto *grid = new QGridLayout(this);
    grid->addWidget(m_list, 0, 0, 4, 1);
    grid->addWidget(m_up, 0, 1);
    grid->addWidget(m_down, 1, 1);
    grid->addWidget(reset, 3, 1);
    grid->setRowStretch(2, 1);
    grid->addWidget(buttons, 4, 0, 1, 2);
    connect(m_columns.header, &QObject::destroyed, this, &QDialog::close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    // Not the buttons' own: while a button is off, the list would take its keys.
    new QShortcut(Qt::ALT | Qt::Key_Up, this, [this] { move(-1); });
    new QShortcut(Qt::ALT | Qt::Key_Down, this, [this] { move(1); });
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(reset, &QPushButton::clicked, this, [this] {
        m_columns.reset();
        fill();
    });
    connect(m_list, &QListWidget::currentRowChanged, this, &ColumnsDialog::refresh);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem *item) {
        if (!m_filling)
            m_columns.setShown(m_columns.header->logicalIndex(m_list->row(item)),
                               item->checkState() == Qt::Checked);
    });
    fill();
    m_list->setMinimumHeight(std::min(m_list->count(), 16) * m_list->sizeHintForRow(0) +
                             2 * m_list->frameWidth());
    m_list->setFocus();
}

void ColumnsDialog::fill()
{
    m_filling = true;
    const int current = std::max(0, m_list->currentRow());
    m_list->clear();
    for (int place = 0; place < m_columns.header->count(); ++place) {
        const int column = m_columns.header->logicalIndex(place);
        auto *item = new QListWidgetItem(
            m_columns.header->model()->headerData(column, Qt::Horizontal).toString(), m_list);
        item->setFlags(m_columns.isOptional(column)
                           ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                           : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setCheckState(m_columns.header->isSectionHidden(column) ? Qt::Unchecked : Qt::Checked);
    }
    m_list->setCurrentRow(current);
    m_filling = false;
    refresh();
}

void ColumnsDialog::move(int by)
{
    const int place = m_list->currentRow();
    if (!(by < 0 ? m_up : m_down)->isEnabled())
        return;
    m_columns.header->moveSection(place, place + by);
    fill();
    m_list->setCurrentRow(place + by);
}

void ColumnsDialog::refresh()
{
    const int place = m_list->currentRow();
    const int first = m_columns.header->isFirstSectionMovable() ? 0 : 1;
    m_up->setEnabled(place > first);
    m_down->setEnabled(place >= first && place + 1 < m_list->count());
}

} // namespace lockkeeper::app::views
