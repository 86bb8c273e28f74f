// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/blockers_panel.h"

#include "app/presentation/contention_formatter.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/requests.h"

#include <QMenu>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {
const QHash<int, int> kBlockerWidths{
    {models::BlockerNameColumn, 260},    {models::BlockerWaitingColumn, 112},
    {models::BlockerShareColumn, 72},    {models::BlockerLongestColumn, 88},
    {models::BlockerWaitsColumn, 64},    {models::BlockerWaitersColumn, 72},
    {models::BlockerLocksColumn, 64},    {models::BlockerSourceColumn, 112},
    {models::BlockerObservedColumn, 80},
};
} // namespace

BlockersPanel::BlockersPanel(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent), m_context(context), m_model(*context.session)
{
    m_model.setFormatter(&m_formatter);
    auto *table = new DataTable(context, &m_model, QStringLiteral("blockers"), models::BlockerNameColumn);
    table->setDefaultWidths(kBlockerWidths);
    table->setSpareColumns({models::BlockerObservedColumn, models::BlockerLocksColumn});
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setSortable();
    m_list = new ListPage(context, table);
    m_list->setExport(QStringLiteral("lockkeeper-blockers"));
    m_list->setMenu([this](QMenu *menu, int row) { fillMenu(menu, row); });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(m_list);
    connect(table, &DataTable::activatedRow, this, &BlockersPanel::open);
}

BlockersPanel::~BlockersPanel()
{
    delete m_list; // before its model
}

DataTable *BlockersPanel::table() const
{
    return m_list->table();
}

void BlockersPanel::open(int row)
{
    const domain::BlockerCost *cost = m_model.at(row);
    if (cost && !cost->holder.isEmpty())
        Q_EMIT m_context.requests->holderAsked(cost->source, cost->holder);
}

void BlockersPanel::fillMenu(QMenu *menu, int row)
{
    if (!m_model.at(row)->holder.isEmpty())
        menu->addAction(tr("Show everything of this &holder"), this, [this, row] { open(row); });
}

QStringList BlockersPanel::notes() const
{
    QStringList notes;
    const qint64 restUs = m_model.unattributedUs();
    if (m_model.hasRead() && restUs > 0) {
        const QString rest = presentation::ContentionFormatter::length(restUs);
        notes.append(
            m_model.isForStatements()
                ? tr("%1 of waiting isn't attributed: no client certainly held the lock then, its "
                     "holder isn't known or may share it, or the hold began without a statement.")
                      .arg(rest)
                : tr("%1 of waiting isn't attributed: no client certainly held the lock then, or its "
                     "holder isn't known or may share it.")
                      .arg(rest));
    }
    if (m_model.filterIsCut())
        notes.append(tr("By holder and statement, one name in the filter counts alone: its other terms are "
                        "left out."));
    if (m_model.hasMore())
        notes.append(tr("These are the %n that caused the most waiting; there are more.", nullptr,
                        m_model.rowCount()));
    return notes;
}

void BlockersPanel::retranslate()
{
    table()->setAccessibleName(m_model.isForStatements() ? tr("Statements by the waiting that they caused")
                                                         : tr("Holders by the waiting that they caused"));
    m_model.reword();
}

} // namespace lockkeeper::app::views
