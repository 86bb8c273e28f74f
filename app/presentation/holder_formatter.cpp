// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/holder_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <algorithm>
#include <array>

namespace lockkeeper::app::presentation {

using words::Durations;
using words::LockText;
using words::Words;

QVariant HolderFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::HolderColumnCount> kTitles{{
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Relation")},
        {QT_TR_NOOP("Holder")},
        {QT_TR_NOOP("Since (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("For"), Qt::AlignRight},
        {QT_TR_NOOP("Remaining"), Qt::AlignRight},
        {QT_TR_NOOP("Waiters"), Qt::AlignRight},
        {QT_TR_NOOP("Waiting caused"), Qt::AlignRight},
        {QT_TR_NOOP("Alive")},
        {QT_TR_NOOP("Release")},
        {QT_TR_NOOP("Source")},
    }};
    if (role == Qt::ToolTipRole && column == models::HolderForColumn)
        return tr("≥: the start wasn't seen. ~: dated with a window.");
    if (role == Qt::ToolTipRole && column == models::HolderCausedColumn)
        return tr("The present waits for this lock, added up; “?”: its scheme doesn't show waiters.");
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant HolderFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const models::HolderModel *>(index.model());
    const models::HolderRow *row = models::rowOf<models::HolderModel>(index);
    if (!row)
        return {};
    switch (role) {
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    case Qt::DisplayRole:
        return text(*row, index.column(), model->contextOf(*row));
    case Qt::AccessibleTextRole:
        return index.column() == models::HolderAliveColumn || index.column() == models::HolderReleaseColumn
                   ? toolTip(*row, index.column(), model->contextOf(*row))
                   : text(*row, index.column(), model->contextOf(*row));
    case Qt::ToolTipRole:
        return toolTip(*row, index.column(), model->contextOf(*row));
    case models::kWholeRole:
        return index.column() == models::HolderNameColumn
                   ? LockText::wholeHolder(row->wait ? row->wait->id : row->state.owner,
                                           row->state.ownerKnown)
                   : QVariant();
    default:
        return {};
    }
}

QString HolderFormatter::text(const models::HolderRow &row, int column,
                              const replica::LockContext &context) const
{
    const domain::LockState &state = row.state;
    const domain::TimeUs since = row.wait ? row.wait->sinceUs : state.acquiredUs;
    const qint64 windowUs = row.wait ? row.wait->windowUs : state.windowUs;
    switch (column) {
    case models::HolderLockColumn:
        return LockText::name(state.key);
    case models::HolderRelationColumn:
        return row.waits() ? tr("Waits") : tr("Holds");
    case models::HolderNameColumn:
        return row.wait ? LockText::holder(row.wait->id, true) : LockText::holder(state);
    case models::HolderSinceColumn: {
        if (!since)
            return Durations::notApplicable();
        const QString at = m_times->nearTime(*since, context.nowUs);
        return windowUs > 0 ? tr("%1 %2", "a time, its window").arg(at, Durations::window(windowUs)) : at;
    }
    case models::HolderForColumn:
        if (context.stale || !since)
            return Durations::unknown();
        return row.waits() ? Durations::text(std::max<qint64>(0, context.nowUs - *since),
                                             windowUs > 0 ? words::Mark::About : words::Mark::None)
                           : Durations::heldFor(state, context.nowUs);
    case models::HolderSourceColumn:
        return base::displayText(state.key.source);
    default:
        break;
    }
    if (row.waits())
        return Durations::notApplicable();
    switch (column) {
    case models::HolderRemainingColumn:
        if (state.session) // it lasts as long as its connection
            return Durations::notApplicable();
        return context.stale ? Durations::unknown() : Durations::remaining(state, context.nowUs);
    case models::HolderWaitersColumn:
        return LockText::waiters(state);
    case models::HolderCausedColumn: {
        const auto caused = replica::waitingCausedUs(state, context.nowUs);
        return caused && !context.stale ? Durations::text(*caused) : Durations::unknown();
    }
    case models::HolderAliveColumn:
        return context.stale ? Durations::unknown() : LockText::aliveBriefly(state, context.nowUs);
    case models::HolderReleaseColumn:
        return Words::releaseBriefly(context.stale ? domain::ReleaseSafety::Off : state.release.safety);
    default:
        return {};
    }
}

QString HolderFormatter::toolTip(const models::HolderRow &row, int column,
                                 const replica::LockContext &context) const
{
    const domain::LockState &state = row.state;
    if (row.waits())
        return column == models::HolderNameColumn ? base::displayText(row.wait->id)
                                                  : text(row, column, context);
    switch (column) {
    case models::HolderNameColumn:
        return base::displayText(state.owner);
    case models::HolderSinceColumn:
    case models::HolderForColumn:
        if (!state.acquiredUs)
            return {};
        return tr("Acquired %1, %2: %3")
            .arg(m_times->exact(*state.acquiredUs), Durations::window(state.windowUs),
                 Words::evidence(state.acquiredBy));
    case models::HolderWaitersColumn:
        return state.waitersVisible ? text(row, column, context)
                                    : LockText::unnamedWaiters(state, context.nowUs);
    case models::HolderAliveColumn:
        return context.stale ? tr("Not observed now; as of %1.").arg(m_times->exact(context.nowUs))
                             : LockText::alive(state, context.nowUs);
    case models::HolderReleaseColumn:
        return context.stale ? Words::releaseOff(domain::ReleaseOff::SourceDown)
                             : Words::release(state.release, state.key.scheme);
    default:
        return text(row, column, context);
    }
}

} // namespace lockkeeper::app::presentation
