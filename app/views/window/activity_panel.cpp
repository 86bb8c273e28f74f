// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/activity_panel.h"

#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/views/table/data_table.h"
#include "app/views/table/gap_delegate.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"

#include <QStackedWidget>

#include <utility>

namespace lockkeeper::app::views {

ActivityPanel::ActivityPanel(const ConsoleContext &context, models::CommandsModel *commands, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_eventFormatter(context.times),
      m_commandFormatter(context.times),
      m_commands(commands)
{
    m_events.setFormatter(&m_eventFormatter);
    m_commands->setFormatter(&m_commandFormatter);
    m_eventTable = new DataTable(context, &m_events, QStringLiteral("events"), models::EventLockColumn, this);
    m_eventTable->setDefaultWidths({{models::TimeColumn, kFineTimeWidth},
                                    {models::WindowColumn, 64},
                                    {models::EventKindColumn, 140},
                                    {models::EventHolderColumn, 150},
                                    {models::EventWaiterColumn, 0},
                                    {models::EventTtlColumn, 80},
                                    {models::EventSourceColumn, 110},
                                    {models::SeqColumn, 80},
                                    {models::EventCommandColumn, 0},
                                    {models::EventByColumn, 0}});
    m_eventTable->setItemDelegate(new GapDelegate(
        context.theme, &m_eventFormatter, [this](int row) { return m_events.at(row); }, m_eventTable));
    m_commandTable =
        new DataTable(context, m_commands, QStringLiteral("commands"), models::CommandReasonColumn, this);
    m_commandTable->setDefaultWidths({{models::CommandTimeColumn, kTimeWidth},
                                      {models::CommandLockColumn, 220},
                                      {models::CommandSourceColumn, 110},
                                      {models::CommandOutcomeColumn, 120},
                                      {models::CommandDetailColumn, 220},
                                      {models::CommandIdColumn, 120}});
    setDocumentMode(true);
    m_noEvents = addTable(m_eventTable, &m_events);
    m_noCommands = addTable(m_commandTable, m_commands);
    connect(context.replica, &replica::Replica::events, this, &ActivityPanel::takeEvents);
    connect(context.replica, &replica::Replica::reset, this, [this] {
        m_unseen.clear();
        m_unseenEvents = 0;
        m_events.clear();
    });
    connect(m_commands, &models::CommandsModel::pendingCountChanged, this, &ActivityPanel::countCommands);
    connect(m_eventTable, &DataTable::activatedRow, this, [this](int row) {
        if (const auto *event = m_events.at(row); event && !event->isSourceEvent())
            Q_EMIT m_context.requests->lockAsked(event->key);
    });
    connect(m_commandTable, &DataTable::activatedRow, this, [this](int row) {
        if (const auto *command = m_commands->at(row))
            Q_EMIT m_context.requests->lockAsked(command->key);
    });
    connect(context.times, &words::TimeFormat::changed, this, [this] {
        m_events.reword();
        m_commands->reword();
    });
    retranslate();
}

ActivityPanel::~ActivityPanel()
{
    m_events.setFormatter(nullptr);
    m_commands->setFormatter(nullptr);
}

/** A tab with the table, and with the page that is returned while the table has no rows. */
StatePage *ActivityPanel::addTable(DataTable *table, const models::RawModel *model)
{
    auto *page = new StatePage;
    auto *stack = new QStackedWidget;
    stack->addWidget(page);
    stack->addWidget(table);
    const auto choose = [=] {
        stack->setCurrentWidget(model->rowCount() > 0 ? static_cast<QWidget *>(table) : page);
    };
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, changed, stack, choose);
    connect(model, &QAbstractItemModel::modelReset, stack, choose);
    choose();
    addTab(stack, QString());
    return page;
}

void ActivityPanel::takeEvents(const QList<events::LockEvent> &events)
{
    if (isVisible()) {
        m_events.add(events);
        return;
    }
    m_unseen.append(events);
    m_unseenEvents += events.size();
    while (m_unseenEvents - m_unseen.first().size() >= models::EventsModel::kLimit)
        m_unseenEvents -= m_unseen.takeFirst().size();
}

void ActivityPanel::showEvent(QShowEvent *event)
{
    QTabWidget::showEvent(event);
    m_unseenEvents = 0;
    for (const QList<events::LockEvent> &came : std::exchange(m_unseen, {}))
        m_events.add(came);
}

void ActivityPanel::retranslate()
{
    m_events.reword();
    m_commands->reword();
    setTabText(0, tr("Events"));
    m_eventTable->setAccessibleName(tr("Events"));
    m_commandTable->setAccessibleName(tr("Commands"));
    m_noEvents->showEmpty(tr("No events yet"),
                          tr("Changes of locks from now on are listed here; History has the earlier ones."));
    m_noCommands->showEmpty(tr("No commands yet"),
                            tr("Force-releases by this console are listed here, each with its outcome."));
    countCommands();
}

void ActivityPanel::countCommands()
{
    const int pending = m_commands->pendingCount();
    setTabText(1, pending > 0 ? tr("Commands (%1)").arg(pending) : tr("Commands"));
}

void ActivityPanel::showCommands()
{
    setCurrentIndex(1);
}

} // namespace lockkeeper::app::views
