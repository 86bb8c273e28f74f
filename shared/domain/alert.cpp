// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/alert.h"

#include "shared/base/enum_names.h"

namespace lockkeeper::domain {

namespace {

constexpr base::EnumNames<size_t(kLastAlertCondition) + 1> kAlertConditions{
    "stuck",          "expired",       "deadlock",         "source_down",    "gap",        "agent_stalled",
    "audit_failing",  "reload_failed", "receiver_failing", "force_released", "taken_over", "lost",
    "longest_wait",   "waiting_now",   "waiters",          "held_for",       "held_ratio", "lease_margin",
    "holder_changes", "absent",        "always_firing"};
constexpr base::EnumNames<3> kAlertSeverities{"info", "warning", "critical"};
constexpr base::EnumNames<4> kAlertPhases{"active", "acknowledged", "snoozed", "resolved"};

} // namespace

bool isAlertLevel(AlertCondition condition)
{
    return condition >= AlertCondition::LongestWait && condition <= AlertCondition::Absent;
}

bool isAlertMoment(AlertCondition condition)
{
    return condition >= AlertCondition::ForceReleased && condition <= AlertCondition::Lost;
}

AlertPhase alertPhase(const Alert &alert, qint64 nowUs)
{
    if (alert.resolvedUs)
        return AlertPhase::Resolved;
    if (alert.snoozedUntilUs && *alert.snoozedUntilUs > nowUs)
        return AlertPhase::Snoozed;
    return alert.acknowledgedUs ? AlertPhase::Acknowledged : AlertPhase::Active;
}

QByteArrayView alertConditionName(AlertCondition condition)
{
    return base::enumName(kAlertConditions, condition);
}

std::optional<AlertCondition> alertConditionFromName(QByteArrayView name)
{
    return base::enumFromName<AlertCondition>(kAlertConditions, name);
}

QByteArrayView alertSeverityName(AlertSeverity severity)
{
    return base::enumName(kAlertSeverities, severity);
}

std::optional<AlertSeverity> alertSeverityFromName(QByteArrayView name)
{
    return base::enumFromName<AlertSeverity>(kAlertSeverities, name);
}

QByteArrayView alertPhaseName(AlertPhase phase)
{
    return base::enumName(kAlertPhases, phase);
}

} // namespace lockkeeper::domain
