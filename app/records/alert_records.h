// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QJsonObject>
#include <QStringList>

namespace lockkeeper::app::records {

/** The unit of an alert's value and threshold. */
enum class AlertUnit : quint8 {
    None = 0, ///< the condition has no level
    Duration, ///< microseconds
    Number,
    Times, ///< thousandths of a multiple: 3200 is 3.2 times
    Share, ///< thousandths of a whole: 180 is 18 %
};

AlertUnit alertUnit(domain::AlertCondition condition);
/** "3.2", "18": thousandths of a multiple or of a percentage, with one digit at most. */
QString thousandthsText(qint64 thousandths, AlertUnit unit);

/** An alert as `lockkeeperctl alerts --json` prints it. `phase`: by the agent's clock, now. */
QJsonObject alertObject(const domain::Alert &alert, domain::AlertPhase phase, const QString &agent);
QJsonObject receiverObject(const protocol::AlertReceiver &receiver, const QString &agent);
/** The columns of exported alerts, in order. */
QStringList alertColumns();

} // namespace lockkeeper::app::records
