// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/alert.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** Describes alerts in words. Text from the store is escaped; the texts are plain. */
class AlertDescription
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::words::AlertDescription)

public:
    static QString severity(domain::AlertSeverity severity);
    static QString phase(domain::AlertPhase phase);
    /** The condition in a few words: "Stuck lock", "Long wait". */
    static QString condition(domain::AlertCondition condition);
    /** The alert as a sentence: "“lock:a” in orders is stuck." `agent`: its agent's name. */
    static QString sentence(const domain::Alert &alert, const QString &agent);
    /** The lock's name, the source, or the agent. */
    static QString subject(const domain::Alert &alert, const QString &agent);
    /** The value against the threshold when it fired: "00:01:41 > 30.0 s"; "—" without a level. */
    static QString value(const domain::Alert &alert);

private:
    static QString level(domain::AlertCondition condition, qint64 level);
    static QString ofLock(const domain::Alert &alert);
};

} // namespace lockkeeper::app::words
