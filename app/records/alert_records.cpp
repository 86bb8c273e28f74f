// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/alert_records.h"

#include "app/records/records.h"
#include "shared/base/text.h"

namespace lockkeeper::app::records {

using domain::AlertCondition;

AlertUnit alertUnit(AlertCondition condition)
{
    switch (condition) {
    case AlertCondition::LongestWait:
    case AlertCondition::WaitingNow:
    case AlertCondition::HeldFor:
    case AlertCondition::Absent:
        return AlertUnit::Duration;
    case AlertCondition::Waiters:
    case AlertCondition::HolderChanges:
        return AlertUnit::Number;
    case AlertCondition::HeldRatio:
        return AlertUnit::Times;
    case AlertCondition::LeaseMargin:
        return AlertUnit::Share;
    default:
        return AlertUnit::None;
    }
}

QString thousandthsText(qint64 thousandths, AlertUnit unit)
{
    const double value = double(thousandths) / (unit == AlertUnit::Share ? 10 : 1000);
    const QString text = QString::number(value, 'f', 1);
    return text.endsWith(QLatin1String(".0")) ? text.chopped(2) : text;
}

QJsonObject alertObject(const domain::Alert &a, domain::AlertPhase phase, const QString &agent)
{
    return {{QStringLiteral("id"), latin(a.id)},
            {QStringLiteral("agent"), agent},
            {QStringLiteral("rule"), a.rule},
            {QStringLiteral("condition"), latin(domain::alertConditionName(a.condition))},
            {QStringLiteral("severity"), latin(domain::alertSeverityName(a.severity))},
            {QStringLiteral("phase"), latin(domain::alertPhaseName(phase))},
            {QStringLiteral("source"), textOrNull(a.source)},
            {QStringLiteral("scheme"), textOrNull(a.lock.scheme)},
            {QStringLiteral("place"), textOrNull(a.lock.place)},
            {QStringLiteral("lock"), textOrNull(a.lock.name)},
            {QStringLiteral("holder"), textOrNull(a.holder)},
            {QStringLiteral("since_us"), a.sinceUs},
            {QStringLiteral("fired_us"), a.firedUs},
            {QStringLiteral("resolved_us"), number(a.resolvedUs)},
            {QStringLiteral("value"), number(a.value)},
            {QStringLiteral("threshold"), number(a.threshold)},
            {QStringLiteral("repeats"), a.repeats},
            {QStringLiteral("acknowledged_by"), textOrNull(a.acknowledgedBy)},
            {QStringLiteral("acknowledged_us"), number(a.acknowledgedUs)},
            {QStringLiteral("snoozed_by"), textOrNull(a.snoozedBy)},
            {QStringLiteral("snoozed_until_us"), number(a.snoozedUntilUs)},
            {QStringLiteral("detail"), a.detail}};
}

QJsonObject receiverObject(const protocol::AlertReceiver &r, const QString &agent)
{
    return {{QStringLiteral("name"), r.name},
            {QStringLiteral("agent"), agent},
            {QStringLiteral("type"), latin(r.type)},
            {QStringLiteral("delivered_us"), number(r.deliveredUs)},
            {QStringLiteral("failing_since_us"), number(r.failingSinceUs)},
            {QStringLiteral("waiting"), r.waiting},
            {QStringLiteral("error"), errorValue(r.error)}};
}

QStringList alertColumns()
{
    return QStringLiteral("id agent rule condition severity phase source scheme place lock holder since_us "
                          "fired_us resolved_us value threshold repeats acknowledged_by acknowledged_us "
                          "snoozed_by snoozed_until_us detail")
        .split(QLatin1Char(' '));
}

} // namespace lockkeeper::app::records
