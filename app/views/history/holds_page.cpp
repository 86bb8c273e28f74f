// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/history/holds_page.h"

#include "app/filter/history_filter.h"
#include "app/presentation/icons.h"
#include "app/views/history/journal_pages.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"

#include <QItemSelectionModel>
#include <QMenu>
#include <QStackedWidget>
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
    m_table = new DataTable(context, &m_model, QStringLiteral("holds"), models::HoldLockColumn);
    m_table->setDefaultWidths(kHoldWidths);
    m_table->setSpareColumns({models::HoldLongestGapColumn, models::HoldRenewalsColumn,
                              models::HoldSourceColumn, models::HoldToColumn});
    m_table->setGrowingColumns({models::HoldOwnerColumn, models::HoldByColumn});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_page = new StatePage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_page);
    m_note = new WrappedLabel;
    m_note->setMuted(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addWidget(m_stack, 1);
    column->addWidget(m_note);
    connect(m_table, &QWidget::customContextMenuRequested, this, &HoldsPage::showMenu);
    connect(m_table, &DataTable::activatedRow, this, [this](int row) {
        if (const protocol::Hold *hold = m_model.at(row))
            Q_EMIT m_context.requests->lockAsked(hold->key);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HoldsPage::rowsChanged);
    connect(&m_model, &models::HoldsModel::stateChanged, this, &HoldsPage::showState);
    connect(context.times, &words::TimeFormat::changed, &m_model, &models::RawModel::reword);
    connect(context.session, &session::AgentGroup::agentChanged, this, [this] {
        m_stale = true; // the rows are the previous agent's
        isVisible() ? refresh() : m_model.setLock(std::nullopt);
    });
    retranslate();
}

HoldsPage::~HoldsPage()
{
    m_table->selectionModel()->disconnect(this);
    m_model.disconnect(this);
    m_model.setFormatter(nullptr);
}

std::unique_ptr<ExportSource> HoldsPage::exportSource(records::FileFormat::Syntax kind) const
{
    return holdPages(m_context, m_query, kind);
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
    const base::Error error = m_model.error();
    if (m_model.rowCount() > 0)
        m_stack->setCurrentWidget(m_table);
    else
        m_stack->setCurrentWidget(m_page);
    if (m_model.rowCount() > 0 && !error.cause.isEmpty())
        m_note->setText(tr("Not read again: %1").arg(words::ErrorWords::line(error)));
    else if (filter::holdsFilter(m_query).leftOut)
        m_note->setText(
            tr("Holds can be filtered by lock, place, source, holder and time; other terms are ignored."));
    else
        m_note->setText({});
    if (m_model.isLoading())
        m_page->showLoading(tr("Reading…"), {tr("Cancel"), [this] { m_model.cancel(); }});
    else if (error.code == base::ErrorCode::Cancelled)
        m_page->showEmpty(tr("Nothing was read"), tr("Reading was cancelled."),
                          {{tr("Try again"), [this] { refresh(); }}});
    else if (!error.cause.isEmpty())
        m_page->showError(error, [this] { refresh(); });
    else
        m_page->showEmpty(m_query.isEmpty() ? tr("No holds yet") : tr("No hold matches this filter"),
                          m_query.isEmpty() ? tr("The agent has journalled none so far.")
                                            : tr("The filter hides the others."),
                          m_query.isEmpty() ? QList<StatePage::Action>()
                                            : QList<StatePage::Action>{
                                                  {tr("Show all holds"), [this] { Q_EMIT allAsked(); }}});
    Q_EMIT rowsChanged();
}

void HoldsPage::showMenu(const QPoint &at)
{
    const protocol::Hold *hold = m_model.at(m_table->indexAt(at).row());
    if (!hold)
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show in &Locks"), this,
                    [this, key = hold->key] { Q_EMIT m_context.requests->lockAsked(key); });
    menu->addAction(tr("&History of this lock"), this,
                    [this, key = hold->key] { Q_EMIT m_context.requests->historyAsked(key); });
    menu->addAction(tr("&Report…"), this, [this, hold = *hold] {
        Q_EMIT m_context.requests->reportAsked(hold.key, hold.fromUs - kReportMarginUs,
                                               hold.toUs.value_or(m_context.nowUs()) + kReportMarginUs);
    });
    menu->addSeparator();
    menu->addAction(presentation::icon(QLatin1String("edit-copy")), tr("&Copy"), m_table,
                    &DataTable::copyTsv);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void HoldsPage::retranslate()
{
    m_table->setAccessibleName(tr("Holds, newest first"));
    m_model.reword();
    showState();
}

} // namespace lockkeeper::app::views
