// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/command_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QDateTime>

#include <array>

namespace lockkeeper::app::presentation {

QVariant CommandFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::CommandColumnCount> kTitles{{
        {QT_TR_NOOP("Time (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("Reason")},
        {QT_TR_NOOP("Outcome")},
        {QT_TR_NOOP("Detail")},
        {QT_TR_NOOP("Command")},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant CommandFormatter::cell(const QModelIndex &index, int role) const
{
    const models::ConsoleRelease *command = models::rowOf<models::CommandsModel>(index);
    if (!command)
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return text(*command, index.column());
    if (role == Qt::ToolTipRole) {
        if (index.column() == models::CommandTimeColumn)
            return m_times->exact(command->startedWallUs);
        if (index.column() == models::CommandOutcomeColumn)
            return words::Words::outcomeSentence(command->outcome);
        return text(*command, index.column());
    }
    return {};
}

QString CommandFormatter::text(const models::ConsoleRelease &command, int column) const
{
    switch (column) {
    case models::CommandTimeColumn:
        return m_times->dateTime(command.startedWallUs);
    case models::CommandLockColumn:
        return words::LockText::name(command.key);
    case models::CommandSourceColumn:
        return base::displayText(command.key.source);
    case models::CommandReasonColumn:
        return base::displayText(command.reason);
    case models::CommandOutcomeColumn:
        return words::Words::outcome(command.outcome);
    case models::CommandDetailColumn:
        return command.error.cause.isEmpty() ? QString() : words::ErrorWords::cause(command.error);
    case models::CommandIdColumn:
        return QString::fromLatin1(command.id);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
