// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/hold_formatter.h"

#include "app/presentation/durations.h"
#include "app/presentation/lock_text.h"
#include "app/presentation/words.h"
#include "shared/base/text.h"

#include <QDateTime>

namespace lockkeeper::app::presentation {

QVariant HoldFormatter::header(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case models::HoldOwnerColumn:
        return tr("Holder");
    case models::HoldFromColumn:
        return tr("From (%1)").arg(m_times->zoneText(QDateTime::currentMSecsSinceEpoch() * 1000));
    case models::HoldToColumn:
        return tr("To");
    case models::HoldDurationColumn:
        return tr("Held for");
    case models::HoldEndColumn:
        return tr("End");
    case models::HoldRenewalsColumn:
        return tr("Renewals");
    case models::HoldLongestGapColumn:
        return tr("Longest gap");
    case models::HoldLockColumn:
        return tr("Lock");
    case models::HoldSourceColumn:
        return tr("Source");
    default:
        return {};
    }
}

QVariant HoldFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const models::HoldsModel *>(index.model());
    const protocol::Hold *hold = model ? model->at(index.row()) : nullptr;
    if (!hold)
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return text(*hold, index.column());
    if (role == Qt::ToolTipRole) {
        const QString end = hold->toUs ? m_times->exact(*hold->toUs) : Words::holdEnd({});
        return tr("%1: %2 to %3; %n renewal(s)", "holder, from, to", int(hold->renewals))
            .arg(base::displayText(hold->owner), m_times->exact(hold->fromUs), end);
    }
    return {};
}

QString HoldFormatter::text(const protocol::Hold &hold, int column) const
{
    const auto mark = hold.startSeen ? Mark::None : Mark::AtLeast;
    switch (column) {
    case models::HoldOwnerColumn:
        return LockText::holder(hold.owner, hold.ownerKnown);
    case models::HoldFromColumn:
        if (!hold.startSeen)
            return tr("before %1")
                .arg(m_times->nearTime(hold.fromUs, QDateTime::currentMSecsSinceEpoch() * 1000));
        return m_times->nearTime(hold.fromUs, QDateTime::currentMSecsSinceEpoch() * 1000);
    case models::HoldToColumn:
        return hold.toUs ? m_times->nearTime(*hold.toUs, QDateTime::currentMSecsSinceEpoch() * 1000)
                         : Durations::notApplicable();
    case models::HoldDurationColumn:
        return hold.toUs ? Durations::text(*hold.toUs - hold.fromUs, mark) : Durations::notApplicable();
    case models::HoldEndColumn:
        return Words::holdEnd(hold.end);
    case models::HoldRenewalsColumn:
        return QString::number(hold.renewals);
    case models::HoldLongestGapColumn:
        return hold.longestRenewalGapUs > 0 ? Durations::text(hold.longestRenewalGapUs)
                                            : Durations::notApplicable();
    case models::HoldLockColumn:
        return LockText::brief(hold.key);
    case models::HoldSourceColumn:
        return base::displayText(hold.key.source);
    default:
        return {};
    }
}

} // namespace lockkeeper::app::presentation
