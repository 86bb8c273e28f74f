// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sources/probe_dialog.h"

#include "app/session/agent_group.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "shared/base/random_id.h"
#include "shared/base/text.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

namespace {
constexpr int kWidth = 620;
constexpr int kTableHeight = 220;
constexpr int kLongestSeconds = 10;
constexpr int kUsualSeconds = 2;
constexpr int kUsualCommands = 100'000;
constexpr int kMostCommands = 10'000'000;
constexpr int kProbeReasonLimit = 1'000;
enum ProbeColumn { Lock, Client, Attempts, ColumnCount };

QTableWidgetItem *textItem(const QByteArray &bytes)
{
    auto *item = new QTableWidgetItem(base::displayText(bytes));
    item->setToolTip(plainToolTip(base::displayText(bytes)));
    return item;
}

QTableWidgetItem *numberItem(qint64 number)
{
    auto *item = new QTableWidgetItem(QLocale().toString(number));
    item->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
    return item;
}
} // namespace

ProbeDialog::ProbeDialog(const ConsoleContext &context, const QString &source, QWidget *parent)
    : Translated(parent), m_context(context), m_source(source)
{
    setWindowModality(Qt::WindowModal);
    setFixedWidth(kWidth);
    build();
    retranslate();
    m_cancel->setFocus();
}

void ProbeDialog::build()
{
    m_cost = named("cost", new WrappedLabel);
    m_forLabel = new PlainLabel;
    m_seconds = new QSpinBox;
    m_seconds->setRange(1, kLongestSeconds);
    m_seconds->setValue(kUsualSeconds);
    m_commandsLabel = new PlainLabel;
    m_commands = new QSpinBox;
    m_commands->setRange(1, kMostCommands);
    m_commands->setValue(kUsualCommands);
    m_commands->setGroupSeparatorShown(true);
    m_reasonLabel = new PlainLabel;
    m_reason = named("reason", new QLineEdit);
    m_reason->setMaxLength(kProbeReasonLimit);
    m_status = named("status", new WrappedLabel);
    m_table = named("counts", new QTableWidget(0, ColumnCount));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(Lock, QHeaderView::Stretch);
    m_table->setColumnWidth(Client, 160);
    m_table->setMinimumHeight(kTableHeight);
    m_table->hide();
    m_cancel = new QPushButton;
    m_cancel->setDefault(true);
    m_action = named("action", new QPushButton);
    m_action->setAutoDefault(false);
    auto *form = new QFormLayout;
    form->addRow(m_forLabel, m_seconds);
    form->addRow(m_commandsLabel, m_commands);
    form->addRow(m_reasonLabel, m_reason);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addSpacing(24);
    buttons->addWidget(m_action);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->addWidget(m_cost);
    column->addLayout(form);
    column->addWidget(m_status);
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_action, &QPushButton::clicked, this, &ProbeDialog::start);
}

/** Enter ends a field. The default button would discard the typed text, or the running count. */
void ProbeDialog::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || focusWidget() == m_cancel)
        Translated::keyPressEvent(event);
}

void ProbeDialog::start()
{
    protocol::ProbeRequest request;
    request.command = base::randomId();
    request.source = m_source;
    request.forUs = qint64(m_seconds->value()) * 1'000'000;
    request.mostCommands = m_commands->value();
    request.reason = m_reason->text().trimmed();
    m_running = true;
    for (QWidget *widget : QWidgetList{m_seconds, m_commands, m_reason, m_action})
        widget->setEnabled(false);
    m_table->hide();
    retranslate();
    m_context.session->ask(request, this, [this](const base::Result<protocol::ProbeResult> &result) {
        m_running = false;
        m_ended = true;
        for (QWidget *widget : QWidgetList{m_seconds, m_commands, m_reason, m_action})
            widget->setEnabled(true);
        retranslate();
        showResult(result);
    });
}

void ProbeDialog::showResult(const base::Result<protocol::ProbeResult> &result)
{
    if (!result) {
        m_status->setText(tr("Not probed: %1").arg(words::ErrorWords::line(result.error())));
        return;
    }
    if (!result->error.cause.isEmpty()) {
        m_status->setText(tr("Not probed: %1").arg(words::ErrorWords::line(result->error)));
        return;
    }
    m_status->setText(summaryOf(*result));
    fill(*result);
    m_table->setVisible(!result->counts.isEmpty());
    adjustSize();
}

QString ProbeDialog::summaryOf(const protocol::ProbeResult &result) const
{
    const QString seen = tr("%1 commands passed by in %2.")
                             .arg(QLocale().toString(result.commands),
                                  words::Durations::text(result.endedUs - result.beganUs));
    QStringList sentences{seen};
    if (result.end == domain::ProbeEnd::Commands)
        sentences += tr("The probe ended early: the command limit was reached.");
    else if (result.end == domain::ProbeEnd::Bytes)
        sentences += tr("The probe ended early: the commands were too long.");
    else if (result.end == domain::ProbeEnd::Behind)
        sentences += tr("The probe ended early: the agent couldn't keep up.");
    sentences += result.counts.isEmpty()
                     ? tr("No client attempted to take a lock.")
                     : tr("The server doesn't report results, so failed attempts can't be identified.");
    return sentences.join(QLatin1Char('\n'));
}

void ProbeDialog::fill(const protocol::ProbeResult &result)
{
    m_table->setRowCount(int(result.counts.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const domain::ProbeCount &count = result.counts.at(row);
        m_table->setItem(row, Lock, textItem(count.lock));
        m_table->setItem(row, Client, textItem(count.client));
        m_table->setItem(row, Attempts, numberItem(count.attempts));
    }
}

void ProbeDialog::retranslate()
{
    setWindowTitle(tr("Probe %1").arg(base::displayText(m_source)));
    m_cost->setText(
        tr("The agent sends MONITOR: the server copies every command of every client to it, values included, "
           "and is slower during the probe. Measured on a fully loaded server, it lost two thirds of its "
           "throughput. Only "
           "attempts on locks are counted, nothing else is kept. The probe is audited."));
    m_forLabel->setText(tr("For"));
    m_seconds->setSuffix(tr(" s", "seconds, after a number"));
    m_seconds->setAccessibleName(tr("For, in seconds"));
    m_commandsLabel->setText(tr("At most, commands"));
    m_commands->setAccessibleName(tr("At most, commands"));
    m_reasonLabel->setText(tr("Reason"));
    m_reason->setAccessibleName(tr("Reason"));
    m_table->setHorizontalHeaderLabels({tr("Lock"), tr("Client"), tr("Attempts")});
    m_table->setAccessibleName(tr("Attempts by lock and client"));
    m_cancel->setText(m_ended || m_running ? tr("Close") : tr("Cancel"));
    m_action->setText(m_ended ? tr("Probe again") : tr("Probe"));
    if (m_running)
        m_status->setText(tr("Listening for %n second(s)…", nullptr, m_seconds->value()));
}

} // namespace lockkeeper::app::views
