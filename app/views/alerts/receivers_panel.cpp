// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/alerts/receivers_panel.h"

#include "app/session/agent_group.h"
#include "app/session/source_names.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using models::ReceiverRow;

namespace {
const QHash<int, int> kReceiverWidths{
    {models::ReceiverNameColumn, 104},   {models::ReceiverTypeColumn, 100},
    {models::ReceiverStateColumn, 128},  {models::ReceiverDeliveredColumn, kTimeWidth},
    {models::ReceiverWaitingColumn, 64},
};
}

ReceiversPanel::ReceiversPanel(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_model(*context.alerts),
      m_formatter(context.times),
      m_title(new PlainLabel),
      m_none(named("noReceiver", new WrappedLabel)),
      m_reason(new WrappedLabel),
      m_test(named("testReceiver", new QPushButton))
{
    m_model.setFormatter(&m_formatter);
    m_table = new DataTable(context, &m_model, QStringLiteral("receivers"), models::ReceiverErrorColumn);
    m_table->setDefaultWidths(kReceiverWidths);
    m_table->setSpareColumns(
        {models::ReceiverTypeColumn, models::ReceiverWaitingColumn, models::ReceiverDeliveredColumn});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_title->setBold();
    m_none->setMuted(true);
    m_none->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_reason->setMuted(true);
    m_test->setAutoDefault(false);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_test);
    foot->addWidget(m_reason, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 4, 0);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_none, 1);
    column->addWidget(m_table, 1);
    column->addLayout(foot);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ReceiversPanel::showState);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &ReceiversPanel::showState);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &ReceiversPanel::showState);
    connect(m_context.session, &session::AgentGroup::grantsChanged, this, &ReceiversPanel::showState);
    connect(m_context.times, &words::TimeFormat::changed, this, [this] { m_model.reword(); });
    connect(m_test, &QPushButton::clicked, this, &ReceiversPanel::test);
    retranslate();
}

ReceiversPanel::~ReceiversPanel()
{
    m_table->selectionModel()->disconnect(this);
    m_model.disconnect(this);
    m_model.setFormatter(nullptr);
}

void ReceiversPanel::refresh()
{
    m_model.refresh();
}

const ReceiverRow *ReceiversPanel::selected() const
{
    const QList<int> rows = m_table->selectedRowNumbers();
    return rows.size() == 1 ? m_model.at(rows.first()) : nullptr;
}

void ReceiversPanel::showState()
{
    const bool any = m_model.rowCount() > 0;
    m_table->setVisible(any);
    m_none->setVisible(!any);
    m_test->setVisible(any);
    const ReceiverRow *row = selected();
    const QString source = row && !row->label.isEmpty() ? session::joinedName(row->label, {}) : QString();
    const bool may =
        row && m_context.session->welcome(source).grants.mayEverywhere(domain::Permission::Administer);
    const QString reason = m_isTesting        ? tr("Sending…")
                           : !row             ? tr("Select a receiver to test it.")
                           : row->awaySinceUs ? tr("The agent isn't connected.")
                           : !may             ? tr("A test takes the role admin.")
                                              : QString();
    m_test->setEnabled(any && reason.isEmpty());
    m_reason->setText(any ? reason : QString());
}

void ReceiversPanel::test()
{
    const ReceiverRow *row = selected();
    if (!row)
        return;
    m_isTesting = true;
    showState();
    const QString name = base::displayText(row->receiver.name);
    m_context.alerts->test(row->label, row->receiver.name, this,
                           [this, name](const base::Result<protocol::Done> &done) {
                               m_isTesting = false;
                               showState();
                               Q_EMIT m_context.requests->messageCame(
                                   done ? tr("The test message was delivered to %1.").arg(name)
                                        : tr("The test message wasn't delivered to %1: %2")
                                              .arg(name, words::ErrorWords::line(done.error())));
                               m_context.alerts->refresh();
                           });
}

void ReceiversPanel::retranslate()
{
    m_title->setText(tr("Receivers"));
    m_none->setText(
        tr("No receiver is configured: only open consoles notify people. A [[receiver]] section in "
           "the agent's configuration adds one."));
    m_test->setText(tr("Send a &test message"));
    m_table->setAccessibleName(tr("Receivers of alerts"));
    m_model.reword();
    showState();
}

} // namespace lockkeeper::app::views
