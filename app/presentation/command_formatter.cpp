// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/command_formatter.h"

#include "app/presentation/words.h"
#include "shared/base/text.h"

#include <QDateTime>

namespace lockkeeper::app::presentation {

QVariant CommandFormatter::header(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case models::CommandTimeColumn:
        return tr("Time (%1)").arg(m_times->zoneText(QDateTime::currentMSecsSinceEpoch() * 1000));
    case models::CommandLockColumn:
        return tr("Lock");
    case models::CommandSourceColumn:
        return tr("Source");
    case models::CommandReasonColumn:
        return tr("Reason");
    case models::CommandOutcomeColumn:
        return tr("Outcome");
    case models::CommandDetailColumn:
        return tr("Detail");
    case models::CommandIdColumn:
        return tr("Command");
    default:
        return {};
    }
}

QVariant CommandFormatter::cell(const QModelIndex &index, int role) const
{
    const models::Command *command = models::rowOf<models::CommandsModel>(index);
    if (!command)
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return text(*command, index.column());
    if (role == Qt::ToolTipRole) {
        if (index.column() == models::CommandTimeColumn)
            return m_times->exact(command->startedWallUs);
        if (index.column() == models::CommandOutcomeColumn)
            return Words::outcomeSentence(command->outcome);
        return text(*command, index.column());
    }
    return {};
}

QString CommandFormatter::text(const models::Command &command, int column) const
{
    switch (column) {
    case models::CommandTimeColumn:
        return m_times->dateTime(command.startedWallUs);
    case models::CommandLockColumn:
        return base::displayText(command.key.name);
    case models::CommandSourceColumn:
        return base::displayText(command.key.source);
    case models::CommandReasonColumn:
        return base::displayText(command.reason);
    case models::CommandOutcomeColumn:
        return Words::outcome(command.outcome);
    case models::CommandDetailColumn:
        return base::displayText(command.error.cause);
    case models::CommandIdColumn:
        return QString::fromLatin1(command.id);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
