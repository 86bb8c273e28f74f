// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/holds_page.h"

#include "app/filter/history_filter.h"
#include "app/views/history/journal_pages.h"
#include "app/views/table/data_table.h"
#include "app/views/table/list_page.h"
#include "app/views/widgets/requests.h"

#include <QVBoxLayout>

#include <utility>

namespace lockkeeper::app::views {

namespace {
// Without the spare columns, a window of 1280 px has room for these widths and a lock of 200 px. The end of a
// hold follows from its beginning and its duration; who ended the hold follows from nothing.
const QHash<int, int> kHoldWidths{
    {models::HoldOwnerColumn, 124},     {models::HoldFromColumn, kTimeWidth},
    {models::HoldToColumn, kTimeWidth}, {models::HoldDurationColumn, 80},
    {models::HoldWaitedColumn, 104},    {models::HoldEndColumn, 130},
    {models::HoldByColumn, 320},        {models::HoldRenewalsColumn, 80},
    {models::HoldSourceColumn, 104},    {models::HoldLongestGapColumn, 96},
    {models::HoldLockColumn, 240},
};
} // namespace

HoldsPage::HoldsPage(const ConsoleContext &context, QWidget *parent)
    : Translated(parent), m_context(context), m_model(*context.session), m_formatter(context.times)
{
    m_model.setFormatter(&m_formatter);
    auto *table = new DataTable(context, &m_model, QStringLiteral("holds"), models::HoldLockColumn);
    table->setDefaultWidths(kHoldWidths);
    table->setSpareColumns({models::HoldLongestGapColumn, models::HoldRenewalsColumn,
                            models::HoldSourceColumn, models::HoldToColumn});
    table->setGrowingColumns({models::HoldOwnerColumn, models::HoldByColumn});
    m_list = new ListPage(context, table);
    m_list->setReading([this] { m_model.cancel(); }, [this] { refresh(); });
    m_list->setExport(QStringLiteral("lockkeeper-holds"), [this](records::FileFormat::Syntax kind) {
        return holdPages(m_context, m_query, kind);
    });
    m_list->setSubject([this](int row) {
        const protocol::Hold &hold = *m_model.at(row);
        return RowSubject{{hold.key}, events::Interval{hold.fromUs, hold.toUs.value_or(m_context.nowUs())}};
    });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(m_list);
    connect(table, &DataTable::activatedRow, this, [this](int row) {
        if (const protocol::Hold *hold = m_model.at(row))
            Q_EMIT m_context.requests->lockAsked(hold->key);
    });
    connect(&m_model, &models::HoldsModel::stateChanged, this, &HoldsPage::showState);
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] {
        m_stale = true; // the rows are the previous agent's
        isVisible() ? refresh() : m_model.setLock(std::nullopt);
    });
    retranslate();
}

HoldsPage::~HoldsPage()
{
    m_model.disconnect(this);
    delete m_list; // before its model
}

DataTable *HoldsPage::table() const
{
    return m_list->table();
}

void HoldsPage::setQuery(const filter::Query &query)
{
    m_query = query;
    m_stale = true;
    if (isVisible())
        refresh();
}

void HoldsPage::refresh()
{
    if (std::exchange(m_stale, false))
        m_model.setFilter(filter::holdsFilter(m_query));
    else
        m_model.refresh(); // the rows stay until the answer arrives
}

void HoldsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void HoldsPage::showState()
{
    m_list->setNote(filter::holdsFilter(m_query).leftOut
                        ? QStringList{tr("Holds can be filtered by lock, place, source, holder and time; "
                                         "other terms are ignored.")}
                        : QStringList());
    EmptyList empty{tr("No holds yet"), tr("The agent has journalled none so far.")};
    if (!m_query.isEmpty())
        empty = {tr("No hold matches this filter"),
                 tr("The filter hides the others."),
                 {{tr("Show all holds"), [this] { Q_EMIT allAsked(); }}}};
    m_list->showState({m_model.isLoading(), m_model.error()}, empty);
}

void HoldsPage::retranslate()
{
    table()->setAccessibleName(tr("Holds, newest first"));
    showState();
}

} // namespace lockkeeper::app::views
