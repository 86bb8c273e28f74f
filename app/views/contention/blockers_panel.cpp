// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/blockers_panel.h"

#include "app/presentation/contention_formatter.h"
#include "app/presentation/icons.h"
#include "app/views/table/data_table.h"
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
    m_table = new DataTable(context, &m_model, QStringLiteral("blockers"), models::BlockerNameColumn);
    m_table->setDefaultWidths(kBlockerWidths);
    m_table->setSpareColumns({models::BlockerObservedColumn, models::BlockerLocksColumn});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortable();
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(m_table);
    setFocusProxy(m_table);
    connect(m_table, &DataTable::activatedRow, this, &BlockersPanel::open);
    connect(m_table, &QWidget::customContextMenuRequested, this, &BlockersPanel::showMenu);
}

BlockersPanel::~BlockersPanel()
{
    m_model.setFormatter(nullptr);
}

void BlockersPanel::open(int row)
{
    const domain::BlockerCost *cost = m_model.at(row);
    if (cost && !cost->holder.isEmpty())
        Q_EMIT m_context.requests->holderAsked(cost->source, cost->holder);
}

void BlockersPanel::showMenu(const QPoint &at)
{
    const int row = m_table->indexAt(at).row();
    const domain::BlockerCost *cost = m_model.at(row);
    if (!cost)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!cost->holder.isEmpty()) {
        menu->addAction(tr("Show everything of this &holder"), this,
                        [requests = m_context.requests, source = cost->source, holder = cost->holder] {
                            Q_EMIT requests->holderAsked(source, holder);
                        });
        menu->addSeparator();
    }
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), this,
                    &BlockersPanel::copyAsked);
    menu->popup(m_table->viewport()->mapToGlobal(at));
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
    m_table->setAccessibleName(m_model.isForStatements() ? tr("Statements by the waiting that they caused")
                                                         : tr("Holders by the waiting that they caused"));
    m_model.reword();
}

} // namespace lockkeeper::app::views
