// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/quiet_hours.h"
#include "shared/domain/alert.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace lockkeeper::agent::config {

/** One [[alert]] entry: the condition that is watched, where, and who is notified. A value. */
struct AlertRule
{
    QString name; ///< unique; part of each alert's id
    domain::AlertCondition when = domain::AlertCondition::Stuck;
    QString source = QStringLiteral("*"); ///< glob
    QByteArray match = "*";               ///< glob of lock names
    qint64 forUs = 0;                     ///< the condition must have been observed for so long
    qint64 threshold = 0;                 ///< of a level: µs, a number, or thousandths
    qint64 clear = 0;                     ///< level at which the alert may end; in the unit of `threshold`
    qint64 clearForUs = 0;                ///< the end must have been observed for so long
    domain::AlertSeverity severity = domain::AlertSeverity::Warning;
    std::optional<QuietHours> quiet; ///< alerts are delivered at the end of these hours
    QStringList notify;              ///< receivers; empty: all
    bool operator==(const AlertRule &) const = default;

    bool fitsSource(const QString &sourceName) const;
    bool fitsLock(const domain::LockKey &key) const;
};

/** Locks that are held for ever by design: a lock set with expect = "held". */
struct ExpectedHeld
{
    QString source;
    QByteArray scheme;
    QByteArray match; ///< glob of lock names

    bool fits(const domain::LockKey &key) const;
    bool operator==(const ExpectedHeld &) const = default;
};

/** The alerts' part of the configuration. */
struct AlertSettings
{
    QList<AlertRule> rules;
    QList<ExpectedHeld> expected;
    qint64 settleUs = 10'000'000; ///< after a start or reload, nothing that lasts fires for so long
    bool operator==(const AlertSettings &) const = default;
};

/** The rules that apply unless the configuration replaces them by name or disables them. */
QList<AlertRule> defaultRules();

/** True for a condition of one lock; false: of a source or of the agent. */
bool isOfLock(domain::AlertCondition condition);
/** True for a condition that a lock which is held by design must not fire. */
bool isOfDuration(domain::AlertCondition condition);

} // namespace lockkeeper::agent::config
