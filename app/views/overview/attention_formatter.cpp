// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/attention_formatter.h"

#include "app/overview/overview_formatter.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/clock.h"

namespace lockkeeper::app::views {

using overview::Attention;
using overview::AttentionModel;
using words::Durations;
using words::LockText;
using words::Mark;

namespace {

Mark markOf(const Attention &one)
{
    if (!one.sinceSeen)
        return Mark::AtLeast;
    return one.sinceWindowUs > 0 ? Mark::About : Mark::None;
}

bool isRightAligned(int column)
{
    return column == overview::AttentionForColumn || column == overview::AttentionWaitingColumn;
}

QVariant alignment(int column)
{
    return QVariant::fromValue(Qt::AlignVCenter | (isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft));
}

} // namespace

QVariant AttentionFormatter::header(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return alignment(column);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case overview::AttentionStateColumn:
        return tr("State");
    case overview::AttentionLockColumn:
        return tr("Lock");
    case overview::AttentionWhereColumn:
        return tr("Source and place");
    case overview::AttentionWhyColumn:
        return tr("Why");
    case overview::AttentionSinceColumn:
        return tr("Since (%1)", "zone").arg(m_times->zoneText(base::SystemClock().wallUs()));
    case overview::AttentionForColumn:
        return tr("For", "how long it has been so");
    case overview::AttentionWaitingColumn:
        return tr("Waiting", "how many");
    default:
        return {};
    }
}

QVariant AttentionFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const AttentionModel *>(index.model());
    const Attention *one = model ? model->at(index.row()) : nullptr;
    if (!one)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(*one, model->isSettled(index.row()), index.column());
    case Qt::AccessibleTextRole:
        return index.column() == overview::AttentionStateColumn
                   ? LockText::rowSentence(one->lock, one->badge, one->nowUs)
                   : text(*one, model->isSettled(index.row()), index.column());
    case Qt::ToolTipRole:
        return toolTip(*one, index.column());
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    default:
        return {};
    }
}

QString AttentionFormatter::sinceText(const Attention &one) const
{
    if (!one.sinceUs)
        return Durations::unknown();
    const Mark mark = markOf(one);
    return (mark == Mark::AtLeast ? QStringLiteral("≤ ")
            : mark == Mark::About ? QStringLiteral("~ ")
                                  : QString()) +
           m_times->shortTime(*one.sinceUs, one.nowUs) + m_times->zoneBeside(*one.sinceUs);
}

QString AttentionFormatter::text(const Attention &one, bool settled, int column) const
{
    switch (column) {
    case overview::AttentionStateColumn:
        return replica::badgeText(one.badge);
    case overview::AttentionLockColumn:
        return LockText::name(one.lock.key);
    case overview::AttentionWhereColumn:
        return LockText::sourceAndPlace(one.lock.key);
    case overview::AttentionWhyColumn:
        return settled ? tr("settled, or not seen any more") : overview::OverviewFormatter::why(one.why);
    case overview::AttentionSinceColumn:
        return sinceText(one);
    case overview::AttentionForColumn:
        return one.sinceUs ? Durations::text(std::max<qint64>(0, one.nowUs - *one.sinceUs), markOf(one))
                           : Durations::unknown();
    case overview::AttentionWaitingColumn:
        return LockText::waiters(one.lock);
    default:
        return {};
    }
}

QString AttentionFormatter::toolTip(const Attention &one, int column) const
{
    switch (column) {
    case overview::AttentionStateColumn:
    case overview::AttentionLockColumn:
    case overview::AttentionWhereColumn:
        return LockText::name(one.lock.key) + QLatin1Char('\n') + LockText::whereabouts(one.lock.key);
    case overview::AttentionSinceColumn:
    case overview::AttentionForColumn:
        if (!one.sinceUs)
            return tr("Since when is not known");
        return m_times->exact(*one.sinceUs) +
               (!one.sinceSeen ? QLatin1Char('\n') + tr("It began earlier: it was already so when first seen")
                : one.sinceWindowUs > 0
                    ? QLatin1Char('\n') +
                          tr("or up to %1 earlier").arg(Durations::shortText(one.sinceWindowUs))
                    : QString());
    case overview::AttentionWaitingColumn:
        if (!one.lock.waiterCount())
            return tr("This scheme doesn't show its waiters");
        return one.longestWaitUs
                   ? tr("The longest has waited for %1").arg(Durations::inSentence(*one.longestWaitUs))
                   : QString();
    default:
        return {};
    }
}

} // namespace lockkeeper::app::views
