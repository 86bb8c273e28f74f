// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/alert_description.h"

#include "app/records/alert_records.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <QLocale>

namespace lockkeeper::app::words {

using domain::Alert;
using domain::AlertCondition;
using domain::AlertPhase;
using domain::AlertSeverity;
using records::AlertUnit;

QString AlertDescription::severity(AlertSeverity severity)
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

QString AlertDescription::phase(AlertPhase phase)
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

QString AlertDescription::condition(AlertCondition condition)
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

QString AlertDescription::subject(const Alert &alert, const QString &agent)
{
    if (alert.isOfLock())
        return LockText::name(alert.lock);
    if (alert.source.isEmpty() || alert.source.endsWith(QLatin1Char('/'))) // an agent's label, and no source
        return tr("Agent %1").arg(base::displayText(agent));
    return base::displayText(alert.source);
}

/** A sentence about a lock; empty for conditions of sources and agents. */
QString AlertDescription::ofLock(const Alert &alert)
{
    const QString lock = LockText::name(alert.lock);
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

QString AlertDescription::sentence(const Alert &alert, const QString &agent)
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

QString AlertDescription::level(AlertCondition condition, qint64 level)
{
    switch (records::alertUnit(condition)) {
    case AlertUnit::Duration:
        return Durations::inSentence(level);
    case AlertUnit::Times:
        return QStringLiteral("%1 ×").arg(records::thousandthsText(level, AlertUnit::Times));
    case AlertUnit::Share:
        return QStringLiteral("%1 %").arg(records::thousandthsText(level, AlertUnit::Share));
    default:
        return QLocale(QLocale::English).toString(level);
    }
}

QString AlertDescription::value(const Alert &alert)
{
    if (!alert.value || records::alertUnit(alert.condition) == AlertUnit::None)
        return Durations::notApplicable();
    // In the format of the tables: two durations in words are too long for a column.
    const auto text = [&alert](qint64 figure) {
        return records::alertUnit(alert.condition) == AlertUnit::Duration ? Durations::text(figure)
                                                                          : level(alert.condition, figure);
    };
    if (!alert.threshold)
        return text(*alert.value);
    const bool below = alert.condition == AlertCondition::LeaseMargin;
    return QStringLiteral("%1 %2 %3")
        .arg(text(*alert.value), below ? QStringLiteral("<") : QStringLiteral(">"), text(*alert.threshold));
}

} // namespace lockkeeper::app::words
