// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/models/events_model.h"
#include "app/presentation/command_formatter.h"
#include "app/presentation/event_formatter.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QTabWidget>

namespace lockkeeper::app::views {

class DataTable;
class StatePage;

/** The bottom dock: the newest events, and this console's commands. GUI thread. */
class ActivityPanel : public Translated<QTabWidget>
{
    Q_OBJECT

public:
    /** `commands` isn't owned. */
    ActivityPanel(const ConsoleContext &context, models::CommandsModel *commands, QWidget *parent = nullptr);
    ~ActivityPanel() override;

    void showCommands();
    QSize sizeHint() const override { return {600, 180}; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    StatePage *addTable(DataTable *table, const models::RawModel *model);
    void takeEvents(const QList<events::LockEvent> &events);
    void retranslate() final;
    void countCommands();

    ConsoleContext m_context;
    presentation::EventFormatter m_eventFormatter;
    presentation::CommandFormatter m_commandFormatter;
    models::EventsModel m_events;
    QList<QList<events::LockEvent>> m_unseen; ///< received while hidden: kept unchanged, to avoid copies
    qsizetype m_unseenEvents = 0;
    models::CommandsModel *m_commands;
    DataTable *m_eventTable;
    DataTable *m_commandTable;
    StatePage *m_noEvents;
    StatePage *m_noCommands;
};

} // namespace lockkeeper::app::views
