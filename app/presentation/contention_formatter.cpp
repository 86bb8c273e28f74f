// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/contention_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <array>
#include <cmath>

namespace lockkeeper::app::presentation {

namespace {

QString length(qint64 us)
{
    return ContentionFormatter::length(us);
}

QString pair(const domain::Spread &spread)
{
    return spread.count > 0 ? QStringLiteral("%1 / %2").arg(length(spread.p50Us), length(spread.p95Us))
                            : words::Durations::notApplicable();
}

QString between(const QString &low, const QString &high)
{
    return low == high ? low : QStringLiteral("%1 – %2").arg(low, high);
}

bool isOfWaits(int column)
{
    return column == models::ContentionWaitingColumn || column == models::ContentionWaitsColumn ||
           column == models::ContentionWaitTimeColumn;
}

} // namespace

QString ContentionFormatter::percent(double share)
{
    return QStringLiteral("%1%").arg(100.0 * share, 0, 'f', 1);
}

QString ContentionFormatter::length(qint64 us)
{
    return us < 1'000'000 ? words::Durations::shortText(us) : words::Durations::text(us);
}

QVariant ContentionFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::ContentionColumnCount> kTitles{{
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Waiting"), Qt::AlignRight},
        {QT_TR_NOOP("Waits"), Qt::AlignRight},
        {QT_TR_NOOP("Wait p50 / p95"), Qt::AlignRight},
        {QT_TR_NOOP("Hold p50 / p95"), Qt::AlignRight},
        {QT_TR_NOOP("Hand-over p50"), Qt::AlignRight},
        {QT_TR_NOOP("Held"), Qt::AlignRight},
        {QT_TR_NOOP("Changes/min"), Qt::AlignRight},
        {QT_TR_NOOP("vs. before"), Qt::AlignRight},
        {QT_TR_NOOP("Forced"), Qt::AlignRight},
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("Observed"), Qt::AlignRight},
    }};
    return role == Qt::ToolTipRole ? QVariant(headerTip(column)) : titleOf(kTitles, column, role, tr);
}

QString ContentionFormatter::headerTip(int column)
{
    switch (column) {
    case models::ContentionWaitingColumn:
        return tr("All waiting in this range, added up");
    case models::ContentionHandoverColumn:
        return tr("Free time between one holder and the next: lower and upper bound");
    case models::ContentionHeldColumn:
        return tr("Share of the observed time during which the lock was held: lower and upper bound");
    case models::ContentionChangesColumn:
        return tr("Acquisitions in a minute of the observed time");
    case models::ContentionBeforeColumn:
        return tr("Compared with the preceding period of the same length, per observed time: waiting, or "
                  "hand-overs where waiters aren't visible");
    case models::ContentionObservedColumn:
        return tr("Share of this range in which the agent saw the source");
    default:
        return {};
    }
}

QVariant ContentionFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const models::ContentionModel *>(index.model());
    const domain::Contention *contention = model ? model->at(index.row()) : nullptr;
    if (!contention)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(*model, index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTip(*model, index.row(), index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    default:
        return {};
    }
}

/** "app.stock — 200 locks". */
QString ContentionFormatter::group(const domain::LockKey &key, int locks)
{
    const QString name = !key.name.isEmpty() ? words::LockText::holder(key.name, true) // who waited for them
                         : key.place.isEmpty() ? base::displayText(key.source)
                                               : base::displayText(key.place);
    return tr("%1 — %Ln lock(s)", "table, place, source or waiter", locks).arg(name);
}

QString ContentionFormatter::text(const models::ContentionModel &model, int row, int column)
{
    const domain::Contention &c = *model.at(row);
    const int locks = model.locksIn(row);
    if (locks > 0 && (column == models::ContentionWaitTimeColumn || column == models::ContentionHeldColumn))
        return words::Durations::notApplicable();
    const bool waiter = locks > 0 && !c.key.name.isEmpty();
    if (waiter && (column == models::ContentionChangesColumn || column == models::ContentionForcedColumn ||
                   column == models::ContentionBeforeColumn))
        return words::Durations::notApplicable();
    if (isOfWaits(column) && !c.waitersVisible)
        return words::Durations::unknown();
    const double observed = double(c.observedUs);
    switch (column) {
    case models::ContentionLockColumn:
        return locks > 0 ? group(c.key, locks) : words::LockText::name(c.key);
    case models::ContentionWaitingColumn:
        return length(c.waits.totalUs);
    case models::ContentionWaitsColumn:
        return QString::number(c.waits.count);
    case models::ContentionWaitTimeColumn:
        return pair(c.waits);
    case models::ContentionHoldTimeColumn:
        return pair(c.holds);
    case models::ContentionHandoverColumn:
        return c.handoverHigh.count > 0 ? between(length(c.handoverLow.p50Us), length(c.handoverHigh.p50Us))
                                        : words::Durations::notApplicable();
    case models::ContentionHeldColumn:
        return c.observedUs > 0 ? between(percent(double(c.heldLowUs) / observed),
                                          percent(double(c.heldHighUs) / observed))
                                : words::Durations::notApplicable();
    case models::ContentionChangesColumn:
        return c.observedUs > 0 ? QString::number(double(c.acquisitions) * 6e7 / observed, 'f', 1)
                                : words::Durations::notApplicable();
    case models::ContentionBeforeColumn:
        return change(model.change(row));
    case models::ContentionForcedColumn:
        return QString::number(c.forced);
    case models::ContentionSourceColumn:
        return base::displayText(c.key.source);
    case models::ContentionObservedColumn:
        return model.rangeUs() > 0 ? percent(observed / double(model.rangeUs()))
                                   : words::Durations::notApplicable();
    default:
        return {};
    }
}

QString ContentionFormatter::change(const models::ContentionChange &change)
{
    constexpr double kMost = 9.99;
    switch (change.kind) {
    case models::ContentionChange::CostTrend::Unknown:
        return words::Durations::unknown();
    case models::ContentionChange::CostTrend::New:
        return tr("new", "contention that wasn't there before");
    case models::ContentionChange::CostTrend::Known:
        break;
    }
    if (change.share > kMost)
        return QStringLiteral("> +999%");
    const int percent = int(std::lround(100 * change.share));
    const QString sign = percent > 0 ? QStringLiteral("+") : percent < 0 ? QStringLiteral("−") : QString();
    return QStringLiteral("%1%2%").arg(sign).arg(std::abs(percent));
}

QString ContentionFormatter::beforeTip(const models::ContentionModel &model, int row)
{
    const domain::Contention &c = *model.at(row);
    const models::ContentionChange change = model.change(row);
    if (change.kind == models::ContentionChange::CostTrend::Unknown)
        return tr("Not enough data in the previous period");
    const QString observed = percent(change.observedUs / double(std::max<qint64>(1, model.rangeUs())));
    return c.waitersVisible ? tr("Before: %1 of waiting; %2 of that time was observed")
                                  .arg(length(qint64(change.before)), observed)
                            : tr("Before: acquired %1 times; %2 of that time was observed")
                                  .arg(qint64(change.before))
                                  .arg(observed);
}

QString ContentionFormatter::toolTip(const models::ContentionModel &model, int row, int column)
{
    const domain::Contention &c = *model.at(row);
    if (isOfWaits(column) && !c.waitersVisible)
        return tr("Waiters are not visible in this scheme: its clients retry on their own schedule");
    if (column == models::ContentionLockColumn && model.locksIn(row) > 0)
        return group(c.key, model.locksIn(row)) + QLatin1Char('\n') + base::displayText(c.key.source);
    if (column == models::ContentionLockColumn)
        return words::LockText::name(c.key) + QLatin1Char('\n') + words::LockText::whereabouts(c.key);
    if (column == models::ContentionBeforeColumn)
        return beforeTip(model, row);
    if (column == models::ContentionHoldTimeColumn && c.holds.maxUs > 0)
        return tr("Longest: %1").arg(length(c.holds.maxUs));
    if (column == models::ContentionWaitTimeColumn && c.waits.count > 0)
        return tr("Longest: %1").arg(length(c.waits.maxUs));
    if (column == models::ContentionHandoverColumn && c.handoverHigh.count > 0)
        return tr("%n hand-over(s), p95 %1", nullptr, int(c.handoverHigh.count))
            .arg(between(length(c.handoverLow.p95Us), length(c.handoverHigh.p95Us)));
    return {};
}

} // namespace lockkeeper::app::presentation
