// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>

namespace lockkeeper::domain {

/** The condition that a rule watches. The names by alertConditionName() are stable: configuration and scripts
 * use them. */
enum class AlertCondition : quint8 {
    // They last, and the alert ends with them.
    Stuck = 0,
    Expired, ///< a lease that ended and is still there
    Deadlock,
    SourceDown,
    Gap,
    AgentStalled,
    AuditFailing,
    ReloadFailed,
    ReceiverFailing, ///< a receiver of alerts can't be reached
    // Moments. The alert ends when none has followed for the rule's `clear_for`.
    ForceReleased,
    TakenOver,
    Lost,
    // Levels, compared with the rule's `threshold`.
    LongestWait,   ///< how long the longest waiter has waited
    WaitingNow,    ///< the sum of all current waits that one root blocker causes
    Waiters,       ///< their number
    HeldFor,       ///< time since the acquisition
    HeldRatio,     ///< this hold's length, divided by the p99 of the lock's earlier holds
    LeaseMargin,   ///< the lowest share of the lease that was left at a renewal: fires below the threshold
    HolderChanges, ///< changes of the holder within the last hour
    Absent,        ///< time without a holder
    AlwaysFiring,  ///< a heartbeat: its silence shows that the agent or the path to the receiver failed
};

inline constexpr AlertCondition kLastAlertCondition = AlertCondition::AlwaysFiring;

/** True for a condition whose rule has a threshold. */
bool isAlertLevel(AlertCondition condition);
/** True for a condition that is a moment, and so has no end. */
bool isAlertMoment(AlertCondition condition);

enum class AlertSeverity : quint8 { Info = 0, Warning, Critical };

enum class AlertPhase : quint8 {
    Active = 0,
    Acknowledged, ///< a person has taken it; ends with the alert
    Snoozed,      ///< silent until `snoozedUntilUs`
    Resolved,
};

/**
 * One occurrence of a rule's condition at one lock, source or agent: fired once, resolved once. Made and
 * changed only by the agent. Times are by the agent's wall clock, in microseconds since the epoch.
 */
struct Alert
{
    QByteArray id; ///< hex digest of rule, subject and acquisition: the same after a restart
    QString rule;
    AlertCondition condition = AlertCondition::Stuck;
    AlertSeverity severity = AlertSeverity::Warning;
    QString source;     ///< empty: the alert is about the agent
    LockKey lock;       ///< empty name: about the source or the agent
    QByteArray holder;  ///< when it fired; empty: none, or not known
    qint64 sinceUs = 0; ///< the condition has been true since then, before the rule's `for`
    qint64 firedUs = 0;
    std::optional<qint64> resolvedUs;
    /** The level when it fired: microseconds, a number, or thousandths (HeldRatio, LeaseMargin). */
    std::optional<qint64> value;
    std::optional<qint64> threshold; ///< of the rule, in the same unit
    qint64 repeats = 0;              ///< times that it ended and fired again within the rule's `clear_for`
    /** Stable keys, documented in PROTOCOL.md: "cause", "chain" (list of locks, root first), "sessions",
     * "count" and "worst" (of a storm), "liveness". */
    QJsonObject detail;
    QString acknowledgedBy; ///< empty: nobody
    std::optional<qint64> acknowledgedUs;
    QString snoozedBy;
    std::optional<qint64> snoozedUntilUs;

    bool isOfLock() const { return !lock.name.isEmpty(); }
    bool isResolved() const { return resolvedUs.has_value(); }
    bool operator==(const Alert &) const = default;
};

/** The phase at `nowUs` of the agent's clock. Resolved wins: neither a snooze nor an acknowledgement hides
 * that an alert is over. */
AlertPhase alertPhase(const Alert &alert, qint64 nowUs);

/** The stable names: "longest_wait", "warning", "acknowledged". */
QByteArrayView alertConditionName(AlertCondition condition);
std::optional<AlertCondition> alertConditionFromName(QByteArrayView name);
QByteArrayView alertSeverityName(AlertSeverity severity);
std::optional<AlertSeverity> alertSeverityFromName(QByteArrayView name);
QByteArrayView alertPhaseName(AlertPhase phase);

} // namespace lockkeeper::domain
