// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/alert_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/icons.h"
#include "app/words/alert_description.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QLocale>

namespace lockkeeper::app::presentation {

using domain::Alert;
using domain::AlertCondition;
using domain::AlertPhase;
using domain::AlertSeverity;
using models::AlertRow;
using models::ReceiverRow;
using records::AlertUnit;

QString AlertFormatter::severityIcon(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Info:
        return QStringLiteral("dialog-information");
    case AlertSeverity::Warning:
        return QStringLiteral("dialog-warning");
    case AlertSeverity::Critical:
        break;
    }
    return QStringLiteral("dialog-error");
}

Badge AlertFormatter::severityBadge(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Info:
        return Badge::Held;
    case AlertSeverity::Warning:
        return Badge::Expired;
    case AlertSeverity::Critical:
        break;
    }
    return Badge::Stuck;
}

QString AlertFormatter::state(const AlertRow &row) const
{
    const qint64 nowUs =
        base::SystemClock().wallUs(); // the row's own time stands still while its agent is away
    if (row.awaySinceUs && row.phase != AlertPhase::Resolved)
        return tr("Not known since %1", "time").arg(m_times->shortTime(*row.awaySinceUs, nowUs));
    if (row.phase != AlertPhase::Snoozed)
        return words::AlertDescription::phase(row.phase);
    const qint64 untilUs = *row.alert.snoozedUntilUs;
    const QDateTime until = m_times->at(untilUs);
    const bool isToday = until.date() == m_times->at(nowUs).date();
    return tr("Snoozed until %1", "time")
        .arg(until.toString(isToday ? QStringLiteral("HH:mm") : QStringLiteral("MM-dd HH:mm")));
}

QString AlertFormatter::person(const AlertRow &row)
{
    const QString &who = row.phase == AlertPhase::Snoozed ? row.alert.snoozedBy : row.alert.acknowledgedBy;
    return who.isEmpty() ? words::Durations::notApplicable() : base::displayText(who);
}

QVariant AlertFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::AlertColumnCount> kTitles{{
        {QT_TR_NOOP("Severity")},
        {QT_TR_NOOP("Alert")},
        {QT_TR_NOOP("Lock or source")},
        {QT_TR_NOOP("Holder")},
        {QT_TR_NOOP("Lasts"), Qt::AlignRight},
        {QT_TR_NOOP("Fired (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("State")},
        {QT_TR_NOOP("By")},
        {QT_TR_NOOP("Value"), Qt::AlignRight},
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("Rule")},
        {QT_TR_NOOP("Since (%1)"), Qt::AlignLeft, true},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant AlertFormatter::cell(const QModelIndex &index, int role) const
{
    const AlertRow *row = models::rowOf<models::AlertsModel>(index);
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(*row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == models::AlertSeverityColumn
                   ? tr("%1, %2. %3", "severity, state, sentence")
                         .arg(words::AlertDescription::severity(row->alert.severity), state(*row),
                              words::AlertDescription::sentence(row->alert, row->agent))
                   : text(*row, index.column());
    case models::kWholeRole:
        return index.column() == models::AlertHolderColumn
                   ? words::LockText::wholeHolder(row->alert.holder, true)
                   : QVariant();
    case Qt::ToolTipRole:
        return toolTip(*row, index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    default:
        return {};
    }
}

QString AlertFormatter::text(const AlertRow &row, int column) const
{
    const Alert &alert = row.alert;
    switch (column) {
    case models::AlertSeverityColumn:
        return words::AlertDescription::severity(alert.severity);
    case models::AlertConditionColumn:
        return words::AlertDescription::condition(alert.condition);
    case models::AlertSubjectColumn:
        return words::AlertDescription::subject(alert, row.agent);
    case models::AlertHolderColumn:
        return words::LockText::holder(alert.holder, true);
    case models::AlertLastsColumn:
        return words::Durations::text(row.lastsUs());
    case models::AlertFiredColumn:
        return m_times->dateTime(alert.firedUs) + m_times->zoneBeside(alert.firedUs);
    case models::AlertPhaseColumn:
        return state(row);
    case models::AlertPersonColumn:
        return person(row);
    case models::AlertValueColumn:
        return words::AlertDescription::value(alert);
    case models::AlertSourceColumn:
        return base::displayText(alert.source);
    case models::AlertRuleColumn:
        return base::displayText(alert.rule);
    case models::AlertSinceColumn:
        return m_times->dateTime(alert.sinceUs) + m_times->zoneBeside(alert.sinceUs);
    default:
        return {};
    }
}

QString AlertFormatter::toolTip(const AlertRow &row, int column) const
{
    const Alert &alert = row.alert;
    switch (column) {
    case models::AlertConditionColumn:
        return tr("%1\nRule %2", "sentence, its name")
            .arg(words::AlertDescription::sentence(alert, row.agent), base::displayText(alert.rule));
    case models::AlertSubjectColumn:
        return alert.isOfLock() ? words::LockText::whereabouts(alert.lock) : text(row, column);
    case models::AlertLastsColumn:
        return tr("Since %1", "time").arg(m_times->exact(alert.sinceUs));
    case models::AlertFiredColumn:
        return m_times->exact(alert.firedUs);
    case models::AlertPhaseColumn:
        return row.phase == AlertPhase::Resolved ? tr("Over since %1").arg(m_times->exact(*alert.resolvedUs))
                                                 : text(row, column);
    case models::AlertHolderColumn:
        return alert.holder.isEmpty() ? text(row, column) : base::displayText(alert.holder);
    default:
        return text(row, column);
    }
}

QString ReceiverFormatter::type(const QByteArray &code)
{
    if (code == "alertmanager")
        return QStringLiteral("Alertmanager");
    if (code == "pagerduty")
        return QStringLiteral("PagerDuty");
    if (code == "webhook")
        return tr("Webhook");
    if (code == "email")
        return tr("E-mail");
    if (code == "command")
        return tr("Command", "a program that is run");
    return base::displayText(code);
}

QString ReceiverFormatter::state(const ReceiverRow &row)
{
    if (row.awaySinceUs)
        return tr("Not known", "state of a receiver");
    if (row.receiver.failingSinceUs)
        return tr("Fails", "receiver");
    return row.receiver.deliveredUs ? tr("Works", "receiver") : tr("Not used yet", "receiver");
}

QVariant ReceiverFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::ReceiverColumnCount> kTitles{{
        {QT_TR_NOOP("Receiver")},
        {QT_TR_NOOP("Type")},
        {QT_TR_NOOP("State")},
        {QT_TR_NOOP("Last delivery (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("Waiting"), Qt::AlignRight},
        {QT_TR_NOOP("Fails because")},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant ReceiverFormatter::cell(const QModelIndex &index, int role) const
{
    const ReceiverRow *row = models::rowOf<models::ReceiversModel>(index);
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(*row, index.column());
    case Qt::ToolTipRole: // a narrow table hides the column of the last delivery
        return index.column() == models::ReceiverStateColumn && row->receiver.deliveredUs
                   ? tr("%1\nLast delivery %2", "state, time")
                         .arg(state(*row), text(*row, models::ReceiverDeliveredColumn))
                   : text(*row, index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    case Qt::DecorationRole:
        if (index.column() == models::ReceiverStateColumn)
            return icon(row->awaySinceUs               ? QStringLiteral("network-offline")
                        : row->receiver.failingSinceUs ? QStringLiteral("dialog-warning")
                        : row->receiver.deliveredUs    ? QStringLiteral("dialog-ok")
                                                       : QStringLiteral("dialog-information"));
        return {};
    default:
        return {};
    }
}

QString ReceiverFormatter::text(const ReceiverRow &row, int column) const
{
    const protocol::AlertReceiver &receiver = row.receiver;
    switch (column) {
    case models::ReceiverNameColumn:
        return row.label.isEmpty() ? base::displayText(receiver.name)
                                   : QStringLiteral("%1/%2").arg(base::displayText(row.label),
                                                                 base::displayText(receiver.name));
    case models::ReceiverTypeColumn:
        return type(receiver.type);
    case models::ReceiverStateColumn:
        return state(row);
    case models::ReceiverDeliveredColumn:
        return receiver.deliveredUs
                   ? m_times->dateTime(*receiver.deliveredUs) + m_times->zoneBeside(*receiver.deliveredUs)
                   : words::Durations::notApplicable();
    case models::ReceiverWaitingColumn:
        return QLocale(QLocale::English).toString(receiver.waiting);
    case models::ReceiverErrorColumn:
        return receiver.failingSinceUs
                   ? tr("since %1: %2", "time, cause and remedy")
                         .arg(m_times->nearTime(*receiver.failingSinceUs, base::SystemClock().wallUs()),
                              words::ErrorWords::line(receiver.error))
                   : QString();
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
