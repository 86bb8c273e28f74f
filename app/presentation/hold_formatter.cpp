// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/hold_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/event_formatter.h"
#include "app/words/durations.h"
#include "app/words/event_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <array>

namespace lockkeeper::app::presentation {

namespace {

words::Mark markOf(bool startSeen, qint64 windowUs)
{
    if (!startSeen)
        return words::Mark::AtLeast;
    return windowUs > 0 ? words::Mark::About : words::Mark::None;
}

} // namespace

QVariant HoldFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::HoldColumnCount> kTitles{{
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Holder")},
        {QT_TR_NOOP("From (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("To")},
        {QT_TR_NOOP("Held for")},
        {QT_TR_NOOP("Waited before")},
        {QT_TR_NOOP("End")},
        {QT_TR_NOOP("User and reason")},
        {QT_TR_NOOP("Renewals")},
        {QT_TR_NOOP("Longest gap")},
        {QT_TR_NOOP("Source")},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

QVariant HoldFormatter::cell(const QModelIndex &index, int role) const
{
    const protocol::Hold *hold = models::rowOf<models::HoldsModel>(index);
    if (!hold)
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return text(*hold, index.column());
    if (role == models::kWholeRole && index.column() == models::HoldOwnerColumn)
        return words::LockText::wholeHolder(hold->owner, hold->ownerKnown);
    if (role == Qt::ToolTipRole) {
        const QString end = hold->toUs ? m_times->exact(*hold->toUs) : words::Words::holdEnd({});
        const QString line = tr("%1: %2 to %3; %Ln renewal(s)", "holder, from, to", int(hold->renewals))
                                 .arg(base::displayText(hold->owner), m_times->exact(hold->fromUs), end);
        const QString why = cause(*hold);
        return why.isEmpty() ? line : line + QLatin1Char('\n') + why;
    }
    return {};
}

QString HoldFormatter::end(const protocol::Hold &hold)
{
    if (hold.mayBe.isEmpty())
        return words::Words::holdEnd(hold.end);
    return hold.end == "expired" ? tr("Expired or released") : tr("Probably force-released");
}

QString HoldFormatter::by(const protocol::Hold &hold)
{
    if (!hold.by.isEmpty())
        return words::EventWords::by(hold.role, hold.by, hold.reason);
    return hold.command.isEmpty() ? words::Durations::notApplicable()
                                  : tr("command %1").arg(base::displayText(hold.command));
}

QString HoldFormatter::cause(const protocol::Hold &hold)
{
    QStringList lines;
    if (!hold.by.isEmpty())
        lines.append(tr("Force-released by %1 (command %2)", "who and why, command")
                         .arg(by(hold), base::displayText(hold.command)));
    if (hold.mayBe == "released")
        lines.append(words::EventWords::maybeGivenBack(!hold.command.isEmpty()));
    return lines.join(QLatin1Char('\n'));
}

QString HoldFormatter::text(const protocol::Hold &hold, int column) const
{
    const auto time = [this](qint64 us) {
        return m_times->fineNearTime(us, base::SystemClock().wallUs()) + m_times->zoneBeside(us);
    };
    switch (column) {
    case models::HoldOwnerColumn:
        return words::LockText::holder(hold.owner, hold.ownerKnown);
    case models::HoldFromColumn:
        return hold.startSeen ? time(hold.fromUs) : tr("before %1").arg(time(hold.fromUs));
    case models::HoldToColumn:
        return hold.toUs ? time(*hold.toUs) : words::Durations::notApplicable();
    case models::HoldDurationColumn:
        return hold.toUs ? words::Durations::text(*hold.toUs - hold.fromUs,
                                                  markOf(hold.startSeen, hold.fromWindowUs + hold.toWindowUs))
                         : words::Durations::notApplicable();
    case models::HoldWaitedColumn:
        return hold.waitedUs
                   ? words::Durations::text(*hold.waitedUs, markOf(hold.waitSeen, hold.fromWindowUs))
                   : words::Durations::notApplicable();
    case models::HoldEndColumn:
        return end(hold);
    case models::HoldByColumn:
        return by(hold);
    case models::HoldRenewalsColumn:
        return QString::number(hold.renewals);
    case models::HoldLongestGapColumn:
        return hold.longestRenewalGapUs > 0 ? words::Durations::text(hold.longestRenewalGapUs)
                                            : words::Durations::notApplicable();
    case models::HoldLockColumn:
        return words::LockText::name(hold.key);
    case models::HoldSourceColumn:
        return base::displayText(hold.key.source);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
