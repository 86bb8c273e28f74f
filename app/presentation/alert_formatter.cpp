// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/alert_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/icons.h"
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

QString AlertFormatter::severity(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Info:
        return tr("Info", "severity of an alert");
    case AlertSeverity::Warning:
        return tr("Warning", "severity of an alert");
    case AlertSeverity::Critical:
        break;
    }
    return tr("Critical", "severity of an alert");
}

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

QString AlertFormatter::phase(AlertPhase phase)
{
    switch (phase) {
    case AlertPhase::Active:
        return tr("Active", "alert");
    case AlertPhase::Acknowledged:
        return tr("Acknowledged", "alert");
    case AlertPhase::Snoozed:
        return tr("Snoozed", "alert");
    case AlertPhase::Resolved:
        break;
    }
    return tr("Resolved", "alert");
}

QString AlertFormatter::condition(AlertCondition condition)
{
    switch (condition) {
    case AlertCondition::Stuck:
        return tr("Lock stuck");
    case AlertCondition::Expired:
        return tr("Lease expired");
    case AlertCondition::Deadlock:
        return tr("Deadlock");
    case AlertCondition::SourceDown:
        return tr("Source down");
    case AlertCondition::Gap:
        return tr("Not observed");
    case AlertCondition::AgentStalled:
        return tr("Agent stalled");
    case AlertCondition::AuditFailing:
        return tr("Audit fails");
    case AlertCondition::ReloadFailed:
        return tr("Reload failed");
    case AlertCondition::ReceiverFailing:
        return tr("Receiver fails");
    case AlertCondition::ForceReleased:
        return tr("Force-released");
    case AlertCondition::TakenOver:
        return tr("Taken over");
    case AlertCondition::Lost:
        return tr("Lost in a failover");
    case AlertCondition::LongestWait:
        return tr("Long wait");
    case AlertCondition::WaitingNow:
        return tr("Blocks others");
    case AlertCondition::Waiters:
        return tr("Many waiters");
    case AlertCondition::HeldFor:
        return tr("Held for long");
    case AlertCondition::HeldRatio:
        return tr("Longer than usual");
    case AlertCondition::LeaseMargin:
        return tr("Renewed late");
    case AlertCondition::HolderChanges:
        return tr("Changes hands often");
    case AlertCondition::Absent:
        return tr("No holder");
    case AlertCondition::AlwaysFiring:
        break;
    }
    return tr("Heartbeat");
}

QString AlertFormatter::subject(const Alert &alert, const QString &agent)
{
    if (alert.isOfLock())
        return words::LockText::name(alert.lock);
    if (alert.source.isEmpty() || alert.source.endsWith(QLatin1Char('/'))) // an agent's label, and no source
        return tr("Agent %1").arg(base::displayText(agent));
    return base::displayText(alert.source);
}

/** A sentence about a lock; empty for conditions of sources and agents. */
QString AlertFormatter::ofLock(const Alert &alert)
{
    const QString lock = words::LockText::name(alert.lock);
    const QString source = base::displayText(alert.source);
    const auto reached = [&alert](qint64 none = 0) {
        return level(alert.condition, alert.value.value_or(none));
    };
    switch (alert.condition) {
    case AlertCondition::Stuck:
        return tr("“%1” in %2 is stuck.", "lock, source").arg(lock, source);
    case AlertCondition::Expired:
        return tr("The lease of “%1” in %2 has ended, and the lock still exists.").arg(lock, source);
    case AlertCondition::Deadlock:
        return tr("Sessions wait for each other around “%1” in %2.", "lock, source").arg(lock, source);
    case AlertCondition::ForceReleased:
        return tr("“%1” in %2 was force-released.").arg(lock, source);
    case AlertCondition::TakenOver:
        return tr("“%1” in %2 was taken over from a holder that hadn't released it.").arg(lock, source);
    case AlertCondition::Lost:
        return tr("“%1” in %2 was lost in a failover.").arg(lock, source);
    case AlertCondition::LongestWait:
        return tr("A client has waited %3 for “%1” in %2.", "lock, source, duration")
            .arg(lock, source, reached());
    case AlertCondition::WaitingNow:
        return tr("The clients that “%1” in %2 blocks have waited %3 together.", "lock, source, duration")
            .arg(lock, source, reached());
    case AlertCondition::Waiters:
        return tr("%n client(s) wait for “%1” in %2.", "lock, source", int(alert.value.value_or(0)))
            .arg(lock, source);
    case AlertCondition::HeldFor:
        return tr("“%1” in %2 has been held for %3.", "lock, source, duration").arg(lock, source, reached());
    case AlertCondition::HeldRatio:
        return tr("“%1” in %2 is held %3 times as long as 99 % of its earlier holds.", "lock, source, number")
            .arg(lock, source, records::thousandthsText(alert.value.value_or(0), AlertUnit::Times));
    case AlertCondition::LeaseMargin:
        return tr("The lease of “%1” in %2 was renewed when only %3 of it was left.", "lock, source, share")
            .arg(lock, source, reached());
    case AlertCondition::HolderChanges:
        return tr("“%1” in %2 has changed hands %n time(s) within an hour.", "lock, source",
                  int(alert.value.value_or(0)))
            .arg(lock, source);
    case AlertCondition::Absent:
        return tr("“%1” in %2 has had no holder for %3.", "lock, source, duration")
            .arg(lock, source, reached());
    default:
        return {};
    }
}

QString AlertFormatter::sentence(const Alert &alert, const QString &agent)
{
    const QString source = base::displayText(alert.source);
    switch (alert.condition) {
    case AlertCondition::SourceDown:
        return tr("%1 can't be reached.", "source").arg(source);
    case AlertCondition::Gap:
        return tr("%1 wasn't observed for a while.", "source").arg(source);
    case AlertCondition::AgentStalled:
        return tr("Agent %1 stalled.").arg(base::displayText(agent));
    case AlertCondition::AuditFailing:
        return tr("Agent %1 can't write its audit.").arg(base::displayText(agent));
    case AlertCondition::ReloadFailed:
        return tr("Agent %1 refused its changed configuration.").arg(base::displayText(agent));
    case AlertCondition::ReceiverFailing:
        return tr("Agent %1 can't deliver alerts to a receiver.").arg(base::displayText(agent));
    case AlertCondition::AlwaysFiring:
        return tr("Agent %1 sends its heartbeat.").arg(base::displayText(agent));
    default:
        break;
    }
    const QString text = alert.isOfLock() ? ofLock(alert) : QString();
    return text.isEmpty() ? tr("%1: %2", "what has happened, to what")
                                .arg(condition(alert.condition), subject(alert, agent))
                          : text;
}

QString AlertFormatter::level(AlertCondition condition, qint64 level)
{
    switch (records::alertUnit(condition)) {
    case AlertUnit::Duration:
        return words::Durations::inSentence(level);
    case AlertUnit::Times:
        return QStringLiteral("%1 ×").arg(records::thousandthsText(level, AlertUnit::Times));
    case AlertUnit::Share:
        return QStringLiteral("%1 %").arg(records::thousandthsText(level, AlertUnit::Share));
    default:
        return QLocale(QLocale::English).toString(level);
    }
}

QString AlertFormatter::value(const Alert &alert)
{
    if (!alert.value || records::alertUnit(alert.condition) == AlertUnit::None)
        return words::Durations::notApplicable();
    // In the format of the tables: two durations in words are too long for a column.
    const auto text = [&alert](qint64 figure) {
        return records::alertUnit(alert.condition) == AlertUnit::Duration ? words::Durations::text(figure)
                                                                          : level(alert.condition, figure);
    };
    if (!alert.threshold)
        return text(*alert.value);
    const bool below = alert.condition == AlertCondition::LeaseMargin;
    return QStringLiteral("%1 %2 %3")
        .arg(text(*alert.value), below ? QStringLiteral("<") : QStringLiteral(">"), text(*alert.threshold));
}

QString AlertFormatter::state(const AlertRow &row) const
{
    const qint64 nowUs =
        base::SystemClock().wallUs(); // the row's own time stands still while its agent is away
    if (row.awaySinceUs && row.phase != AlertPhase::Resolved)
        return tr("Not known since %1", "time").arg(m_times->shortTime(*row.awaySinceUs, nowUs));
    if (row.phase != AlertPhase::Snoozed)
        return phase(row.phase);
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
                         .arg(severity(row->alert.severity), state(*row), sentence(row->alert, row->agent))
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
        return severity(alert.severity);
    case models::AlertConditionColumn:
        return condition(alert.condition);
    case models::AlertSubjectColumn:
        return subject(alert, row.agent);
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
        return value(alert);
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
            .arg(sentence(alert, row.agent), base::displayText(alert.rule));
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
