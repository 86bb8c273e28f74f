// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/advice_row_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/words/advice_formatter.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <array>

namespace lockkeeper::app::presentation {

using words::AdviceFormatter;

namespace {

/** The shell's words begin small; a cell of a table begins with a capital. */
QString sentenceCase(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

QVariant AdviceRowFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::AdviceColumnCount> kTitles{{
        {QT_TR_NOOP("Advice")},
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Confidence")},
        {QT_TR_NOOP("Evidence")},
        {QT_TR_NOOP("Change")},
        {QT_TR_NOOP("Source")},
    }};
    return titleOf(kTitles, column, role, tr);
}

QString AdviceRowFormatter::subject(const domain::Advice &advice)
{
    if (!advice.isOfLock())
        return base::displayText(advice.lock.source);
    const QString name = words::LockText::name(advice.lock);
    return advice.other.name.isEmpty()
               ? name
               : tr("%1 and %2", "two locks").arg(name, words::LockText::name(advice.other));
}

QVariant AdviceRowFormatter::cell(const QModelIndex &index, int role) const
{
    const domain::Advice *advice = models::rowOf<models::AdviceModel>(index);
    if (!advice)
        return {};
    if (role == Qt::TextAlignmentRole)
        return header(index.column(), role);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case models::AdviceTitleColumn:
        return sentenceCase(AdviceFormatter::title(advice->code));
    case models::AdviceLockColumn:
        return subject(*advice);
    case models::AdviceConfidenceColumn:
        return sentenceCase(AdviceFormatter::confidence(advice->confidence));
    case models::AdviceEvidenceColumn:
        return AdviceFormatter::evidence(*advice);
    case models::AdviceChangeColumn:
        return AdviceFormatter::change(*advice);
    case models::AdviceSourceColumn:
        return base::displayText(advice->lock.source);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
