// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/blocker_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/contention_formatter.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <array>

namespace lockkeeper::app::presentation {

QVariant BlockerFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::BlockerColumnCount> kTitles{{
        {QT_TR_NOOP("Holder")},
        {QT_TR_NOOP("Waiting caused"), Qt::AlignRight},
        {QT_TR_NOOP("Share"), Qt::AlignRight},
        {QT_TR_NOOP("Longest"), Qt::AlignRight},
        {QT_TR_NOOP("Waits"), Qt::AlignRight},
        {QT_TR_NOOP("Waiters"), Qt::AlignRight},
        {QT_TR_NOOP("Locks"), Qt::AlignRight},
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("Observed"), Qt::AlignRight},
    }};
    if (role == Qt::ToolTipRole)
        return headerTip(column);
    if (role == Qt::DisplayRole && column == models::BlockerNameColumn && m_model->isForStatements())
        return tr("Statement");
    return titleOf(kTitles, column, role, tr);
}

QString BlockerFormatter::headerTip(int column)
{
    switch (column) {
    case models::BlockerWaitingColumn:
        return tr("The time that others waited while it certainly held the lock, added up");
    case models::BlockerShareColumn:
        return tr("Share of all waiting in this range; “?”: there are more rows than were read");
    case models::BlockerLongestColumn:
        return tr("The longest part of a single wait");
    case models::BlockerWaitersColumn:
        return tr("How many clients waited for it");
    case models::BlockerLocksColumn:
        return tr("At how many locks others waited for it");
    case models::BlockerObservedColumn:
        return tr("Share of this range in which the agent saw the source");
    default:
        return {};
    }
}

QVariant BlockerFormatter::cell(const QModelIndex &index, int role) const
{
    const domain::BlockerCost *cost = models::rowOf<models::BlockersModel>(index);
    if (!cost)
        return {};
    switch (role) {
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
    case models::kWholeRole:
        return index.column() == models::BlockerNameColumn
                   ? base::displayText(m_model->isForStatements() ? cost->statement : cost->holder)
                   : text(index.row(), index.column());
    default:
        return {};
    }
}

QString BlockerFormatter::text(int row, int column) const
{
    const QVariant value = m_model->value(row, column);
    if (!value.isValid())
        return words::Durations::unknown();
    switch (column) {
    case models::BlockerNameColumn:
        return m_model->isForStatements() ? base::singleLine(base::displayText(value.toByteArray()))
                                          : words::LockText::holder(value.toByteArray(), true);
    case models::BlockerWaitingColumn:
    case models::BlockerLongestColumn:
        return ContentionFormatter::length(value.toLongLong());
    case models::BlockerShareColumn:
    case models::BlockerObservedColumn:
        return ContentionFormatter::percent(value.toDouble());
    case models::BlockerSourceColumn:
        return base::displayText(value.toString());
    default:
        return QString::number(value.toLongLong());
    }
}

} // namespace lockkeeper::app::presentation
