// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/alert_rule.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

namespace lockkeeper::agent::config {

using base::kSecondUs;
using domain::AlertCondition;
using domain::AlertSeverity;

namespace {

constexpr qint64 kMinuteUs = 60 * kSecondUs;

AlertRule ruleOf(AlertCondition when, AlertSeverity severity, qint64 forUs, qint64 clearForUs)
{
    AlertRule rule;
    rule.name = QString::fromLatin1(domain::alertConditionName(when));
    rule.when = when;
    rule.severity = severity;
    rule.forUs = forUs;
    rule.clearForUs = clearForUs;
    return rule;
}

AlertRule levelOf(AlertCondition when, AlertSeverity severity, qint64 threshold)
{
    AlertRule rule = ruleOf(when, severity, 0, 10 * kSecondUs);
    rule.threshold = rule.clear = threshold;
    return rule;
}

} // namespace

bool AlertRule::fitsSource(const QString &sourceName) const
{
    return source == QLatin1String("*") || base::globMatches(source.toUtf8(), sourceName.toUtf8());
}

bool AlertRule::fitsLock(const domain::LockKey &key) const
{
    return fitsSource(key.source) && (match == "*" || base::globMatches(match, key.name));
}

bool ExpectedHeld::fits(const domain::LockKey &key) const
{
    return key.source == source && (key.scheme.isEmpty() || key.scheme == scheme) &&
           base::globMatches(match, key.name);
}

QList<AlertRule> defaultRules()
{
    return {ruleOf(AlertCondition::Stuck, AlertSeverity::Warning, 0, 10 * kSecondUs),
            ruleOf(AlertCondition::Expired, AlertSeverity::Warning, 5 * kMinuteUs, 10 * kSecondUs),
            ruleOf(AlertCondition::Deadlock, AlertSeverity::Critical, 0, 10 * kSecondUs),
            ruleOf(AlertCondition::SourceDown, AlertSeverity::Critical, 30 * kSecondUs, 30 * kSecondUs),
            ruleOf(AlertCondition::Gap, AlertSeverity::Warning, kMinuteUs, 30 * kSecondUs),
            ruleOf(AlertCondition::AgentStalled, AlertSeverity::Warning, 0, 10 * kMinuteUs),
            ruleOf(AlertCondition::AuditFailing, AlertSeverity::Critical, 0, 30 * kSecondUs),
            ruleOf(AlertCondition::ReloadFailed, AlertSeverity::Warning, 0, 0),
            ruleOf(AlertCondition::ReceiverFailing, AlertSeverity::Warning, kMinuteUs, 0),
            ruleOf(AlertCondition::ForceReleased, AlertSeverity::Info, 0, 10 * kMinuteUs),
            ruleOf(AlertCondition::Lost, AlertSeverity::Warning, 0, 10 * kMinuteUs),
            levelOf(AlertCondition::LongestWait, AlertSeverity::Warning, kMinuteUs),
            levelOf(AlertCondition::WaitingNow, AlertSeverity::Critical, 30 * kMinuteUs)};
}

bool isOfLock(AlertCondition condition)
{
    switch (condition) {
    case AlertCondition::SourceDown:
    case AlertCondition::Gap:
    case AlertCondition::AgentStalled:
    case AlertCondition::AuditFailing:
    case AlertCondition::ReloadFailed:
    case AlertCondition::ReceiverFailing:
    case AlertCondition::AlwaysFiring:
        return false;
    default:
        return true;
    }
}

bool isOfDuration(AlertCondition condition)
{
    return condition == AlertCondition::Stuck || condition == AlertCondition::HeldFor ||
           condition == AlertCondition::HeldRatio;
}

} // namespace lockkeeper::agent::config
