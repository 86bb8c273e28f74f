// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/timeline_formatter.h"

#include "app/presentation/column_titles.h"
#include "app/presentation/event_formatter.h"
#include "app/presentation/hold_formatter.h"
#include "app/words/durations.h"
#include "app/words/event_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QDateTime>
#include <QLocale>

#include <array>

namespace lockkeeper::app::presentation {

using timeline::BarKind;
using timeline::BarRow;
using timeline::BarsModel;
using timeline::Chart;
using timeline::Moment;
using timeline::TickUnit;

namespace {
constexpr qint64 kDatesFromUs = 30 * 24 * base::kHourUs; ///< from this length on, times of day are useless
}

QString TimelineFormatter::lane(const protocol::TimelineLane &lane)
{
    if (lane.key)
        return words::LockText::name(*lane.key);
    return lane.holder.isEmpty() ? base::displayText(lane.source)
                                 : words::LockText::holder(lane.holder, true);
}

QString TimelineFormatter::waiting(const timeline::LaneBox &box, const protocol::TimelineLane &lane)
{
    if (lane.waits.isEmpty())
        return box.waitRows > 0 ? tr("waiting") : QString();
    if (box.hiddenWaits > 0)
        return tr("waiting, %L1 (+%L2)").arg(lane.waits.size() - box.hiddenWaits).arg(box.hiddenWaits);
    return tr("waiting, %L1").arg(lane.waits.size());
}

QString TimelineFormatter::briefSums(const timeline::LaneSums &sums)
{
    const QString held =
        words::Durations::text(sums.heldUs, sums.about ? words::Mark::About : words::Mark::None);
    const QString holds = tr("Holds %L1 (%2)", "how many, their time in all").arg(sums.holds).arg(held);
    return sums.waits > 0 ? holds + QLatin1Char('\n') + tr("Waits %L1").arg(sums.waits) : holds;
}

QString TimelineFormatter::sums(const timeline::LaneSums &sums)
{
    const words::Mark mark = sums.about ? words::Mark::About : words::Mark::None;
    return tr("Shown: %L1 holds, %2 in all; %L3 waits, %4 in all")
        .arg(sums.holds)
        .arg(words::Durations::text(sums.heldUs, mark))
        .arg(sums.waits)
        .arg(words::Durations::text(sums.waitedUs, mark));
}

QString TimelineFormatter::exactTime(qint64 us, qint64 nowUs) const
{
    const QDateTime at = m_times->at(us);
    const bool today = at.date() == m_times->at(nowUs).date();
    return at.toString(today ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")) +
           QLatin1Char(' ') + m_times->zoneText(us);
}

QString TimelineFormatter::date(qint64 us) const
{
    return m_times->at(us).toString(QStringLiteral("yyyy-MM-dd"));
}

QString TimelineFormatter::range(const timeline::TimeRange &range) const
{
    const QString to = m_times->nearTime(range.toUs, range.fromUs);
    const QString fromZone = m_times->zoneText(range.fromUs);
    const QString toZone = m_times->zoneText(range.toUs);
    const QString length = words::Durations::text(range.lengthUs());
    const qint64 now = base::SystemClock().wallUs();
    const QString from = m_times->nearTime(range.fromUs, now);
    if (fromZone == toZone)
        return QStringLiteral("%1 – %2 %3 (%4)").arg(from, to, toZone, length);
    return QStringLiteral("%1 %2 – %3 %4 (%5)").arg(from, fromZone, to, toZone, length);
}

QString TimelineFormatter::shortRange(const timeline::TimeRange &range, qint64 nowUs) const
{
    const auto at = [this](qint64 us) { return m_times->at(us); };
    const QString clock = range.lengthUs() < base::kHourUs  ? QStringLiteral(" HH:mm:ss")
                          : range.lengthUs() < kDatesFromUs ? QStringLiteral(" HH:mm")
                                                            : QString();
    const auto text = [&](qint64 us, qint64 nearUs) {
        if (at(us).date() == at(nearUs).date() && !clock.isEmpty())
            return at(us).toString(clock.mid(1));
        const bool sameYear = at(us).date().year() == at(nearUs).date().year();
        return at(us).toString((sameYear ? QStringLiteral("MM-dd") : QStringLiteral("yyyy-MM-dd")) + clock);
    };
    const QString toZone = m_times->zoneText(range.toUs);
    const QString fromZone = m_times->zoneText(range.fromUs);
    const QString from = text(range.fromUs, nowUs);
    const QString length = words::Durations::text(range.lengthUs());
    return QStringLiteral("%1 – %2 %3 (%4)")
        .arg(fromZone == toZone ? from : from + QLatin1Char(' ') + fromZone, text(range.toUs, range.fromUs),
             toZone, clock.isEmpty() ? length.section(QLatin1Char(' '), 0, 0) : length); // whole days
}

QString TimelineFormatter::hold(const protocol::Hold &hold) const
{
    const QString who = words::LockText::holder(hold.owner, hold.ownerKnown);
    const QString lock = words::LockText::name(hold.key);
    const QString from = m_times->exact(hold.fromUs);
    QStringList lines;
    if (!hold.startSeen)
        lines.append(tr("%1 held by %2 since before %3").arg(lock, who, from));
    else if (hold.fromWindowUs > 0)
        lines.append(tr("%1 held by %2 from %3, or up to %4 earlier")
                         .arg(lock, who, from, words::Durations::shortText(hold.fromWindowUs)));
    else
        lines.append(tr("%1 held by %2 from %3").arg(lock, who, from));
    if (hold.waitedUs)
        lines.append(tr("Waited %1 for it")
                         .arg(words::Durations::text(*hold.waitedUs, hold.waitSeen ? words::Mark::None
                                                                                   : words::Mark::AtLeast)));
    if (hold.renewals > 0 && hold.renewedUs && hold.expiresUs)
        lines.append(tr("Renewed %Ln time(s), last %1 to last until %2", nullptr, int(hold.renewals))
                         .arg(m_times->exact(*hold.renewedUs), m_times->exact(*hold.expiresUs)));
    else if (hold.renewals > 0)
        lines.append(tr("Renewed %Ln time(s)", nullptr, int(hold.renewals)));
    if (!hold.toUs) {
        lines.append(tr("Still held, as far as was seen"));
        return lines.join(QLatin1Char('\n'));
    }
    const QString to = m_times->exact(*hold.toUs);
    const QString length = words::Durations::text(*hold.toUs - hold.fromUs,
                                                  hold.startSeen ? words::Mark::None : words::Mark::AtLeast);
    const QString end = HoldFormatter::end(hold);
    if (hold.toWindowUs > 0)
        lines.append(tr("Ended %1, or up to %2 earlier (%3): %4")
                         .arg(to, words::Durations::shortText(hold.toWindowUs), length, end));
    else
        lines.append(tr("Ended %1 (%2): %3").arg(to, length, end));
    if (const QString cause = HoldFormatter::cause(hold); !cause.isEmpty())
        lines.append(cause);
    return lines.join(QLatin1Char('\n'));
}

QString TimelineFormatter::wait(const protocol::Wait &wait) const
{
    const QString who = base::displayText(wait.waiter);
    const QString lock = words::LockText::name(wait.key);
    const QString from = m_times->exact(wait.fromUs);
    if (!wait.toUs)
        return tr("%1 waits for %2 since %3").arg(who, lock, from);
    return tr("%1 waited for %2 from %3 to %4 (%5)")
        .arg(who, lock, from, m_times->exact(*wait.toUs), words::Durations::text(*wait.toUs - wait.fromUs));
}

QString TimelineFormatter::slice(const protocol::TimelineSlice &slice, qint64 sliceUs) const
{
    QStringList lines{range({slice.fromUs, slice.fromUs + sliceUs}),
                      tr("Held for %1 of it, waited for %2 in all")
                          .arg(words::Durations::text(slice.heldUs), words::Durations::text(slice.waitUs)),
                      tr("Holds that ended: %L1, waits that ended: %L2").arg(slice.holds).arg(slice.waits)};
    if (slice.forced > 0)
        lines.append(tr("Broken by force: %L1").arg(slice.forced));
    lines.append(tr("Too many to draw one by one: zoom in to see them"));
    return lines.join(QLatin1Char('\n'));
}

QString TimelineFormatter::dense(qint64 fromUs, qint64 toUs, qint64 bars, bool waits) const
{
    const QString count = waits ? tr("%Ln wait(s) too short to draw one by one", nullptr, int(bars))
                                : tr("%Ln hold(s) too short to draw one by one", nullptr, int(bars));
    return range({fromUs, toUs}) + QLatin1Char('\n') + count;
}

QString TimelineFormatter::gap(const protocol::TimelineGap &gap) const
{
    const QString source = base::displayText(gap.source);
    const QString what =
        gap.part.isEmpty() ? source : tr("Part %1 of %2").arg(base::displayText(gap.part), source);
    const QString from = m_times->exact(gap.fromUs);
    QString line = gap.toUs ? tr("%1 not observed from %2 to %3 (%4)")
                                  .arg(what, from, m_times->exact(*gap.toUs),
                                       words::Durations::text(*gap.toUs - gap.fromUs))
                            : tr("%1 not observed since %2").arg(what, from);
    if (const QString why = words::EventWords::causeText(events::causeFromName(gap.cause)); !why.isEmpty())
        line += QLatin1Char('\n') + tr("Cause: %1").arg(why);
    return line;
}

QString TimelineFormatter::moment(const Chart &chart, qsizetype lane, const Moment &moment) const
{
    if (lane < 0 || lane >= chart.lanes.size())
        return {};
    const protocol::TimelineLane &shown = chart.lanes.at(lane);
    const QString name = this->lane(shown);
    using Knowledge = Moment::Knowledge;
    QString what;
    switch (moment.known) {
    case Knowledge::NotRead:
        return {};
    case Knowledge::NotObserved:
        return tr("%1: not observed").arg(name);
    case Knowledge::Slices:
        return tr("%1: held for %2 of this slice, waited for %3")
            .arg(name, words::Durations::text(shown.slices.at(moment.slice).heldUs),
                 words::Durations::text(shown.slices.at(moment.slice).waitUs));
    case Knowledge::Held:
    case Knowledge::MaybeHeld: {
        const protocol::Hold &hold = shown.holds.at(moment.hold);
        const QString who = words::LockText::holder(hold.owner, hold.ownerKnown);
        if (!shown.key)
            what = tr("%1: %Ln lock(s) held", nullptr, moment.holders).arg(name);
        else if (moment.known == Knowledge::Held)
            what = tr("%1: held by %2").arg(name, who);
        else
            what = tr("%1: perhaps held by %2").arg(name, who);
        break;
    }
    case Knowledge::NotHeld:
        what = tr("%1: not held").arg(name);
        break;
    }
    if (moment.waiters == 0)
        return what;
    return tr("%1, %2 waiting").arg(what, QLocale().toString(moment.waiters));
}

QString TimelineFormatter::tick(const timeline::Tick &tick, TickUnit unit, const QTimeZone &zone)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(tick.us / 1000, zone);
    switch (unit) {
    case TickUnit::Millisecond:
        return at.toString(QStringLiteral("HH:mm:ss.zzz"));
    case TickUnit::Second:
        return at.toString(QStringLiteral("HH:mm:ss"));
    case TickUnit::Minute:
    case TickUnit::Hour:
        return at.toString(QStringLiteral("HH:mm"));
    case TickUnit::Day:
        return at.toString(QStringLiteral("MM-dd"));
    case TickUnit::Month:
        return at.toString(QStringLiteral("yyyy-MM"));
    case TickUnit::Year:
        break;
    }
    return at.toString(QStringLiteral("yyyy"));
}

QString TimelineFormatter::kind(BarKind kind)
{
    switch (kind) {
    case BarKind::Hold:
        return tr("Hold");
    case BarKind::Wait:
        return tr("Wait");
    case BarKind::Slice:
        return tr("Many");
    case BarKind::Gap:
        break;
    }
    return tr("Gap");
}

QString TimelineFormatter::sentence(const BarsModel &model, const BarRow &row) const
{
    if (const protocol::Hold *one = model.hold(row))
        return hold(*one);
    if (const protocol::Wait *one = model.wait(row))
        return wait(*one);
    if (const protocol::TimelineSlice *one = model.slice(row))
        return slice(*one, model.chart().sliceUs);
    return gap(*model.gap(row));
}

QString TimelineFormatter::text(const BarsModel &model, const BarRow &row, int column) const
{
    const QVariant value = model.value(row, column);
    const auto time = [this](qint64 us) { return m_times->dateTime(us) + m_times->zoneBeside(us); };
    switch (column) {
    case timeline::BarLaneColumn:
        return row.lane < 0 ? words::Durations::notApplicable() : lane(model.chart().lanes.at(row.lane));
    case timeline::BarKindColumn:
        return kind(row.kind);
    case timeline::BarWhoColumn:
        if (const protocol::Hold *one = model.hold(row))
            return words::LockText::holder(one->owner, one->ownerKnown);
        return value.isValid() ? base::displayText(value.toByteArray()) : words::Durations::notApplicable();
    case timeline::BarFromColumn: {
        const QString from = time(value.toLongLong());
        const protocol::Hold *one = model.hold(row);
        return one && !one->startSeen ? tr("before %1").arg(from) : from;
    }
    case timeline::BarToColumn:
        return value.isValid() ? time(value.toLongLong()) : words::Durations::notApplicable();
    case timeline::BarLengthColumn: {
        const protocol::Hold *one = model.hold(row);
        return value.isValid()
                   ? words::Durations::text(value.toLongLong(),
                                            one && !one->startSeen ? words::Mark::AtLeast : words::Mark::None)
                   : words::Durations::notApplicable();
    }
    case timeline::BarEndColumn:
        if (const protocol::Hold *one = model.hold(row))
            return HoldFormatter::end(*one);
        if (const protocol::TimelineSlice *one = model.slice(row))
            return tr("%Ln hold(s)", nullptr, int(one->holds));
        return words::Durations::notApplicable();
    case timeline::BarRenewalsColumn:
        return value.isValid() ? QString::number(value.toInt()) : words::Durations::notApplicable();
    case timeline::BarSourceColumn:
        return base::displayText(value.toString());
    default:
        return {};
    }
}

QVariant TimelineFormatter::cell(const QModelIndex &index, int role) const
{
    const auto *model = qobject_cast<const BarsModel *>(index.model());
    const BarRow *row = model ? model->at(index.row()) : nullptr;
    if (!row)
        return {};
    if (role == Qt::DisplayRole)
        return text(*model, *row, index.column());
    if (const protocol::Hold *one = model->hold(*row);
        one && role == models::kWholeRole && index.column() == timeline::BarWhoColumn)
        return words::LockText::wholeHolder(one->owner, one->ownerKnown);
    if (role == Qt::ToolTipRole || (role == Qt::AccessibleTextRole && index.column() == 0))
        return sentence(*model, *row);
    return {};
}

QVariant TimelineFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, timeline::BarColumnCount> kTitles{{
        {QT_TR_NOOP("Lane")},
        {QT_TR_NOOP("What")},
        {QT_TR_NOOP("Who")},
        {QT_TR_NOOP("From (%1)"), Qt::AlignLeft, true},
        {QT_TR_NOOP("To")},
        {QT_TR_NOOP("How long")},
        {QT_TR_NOOP("End")},
        {QT_TR_NOOP("Renewals")},
        {QT_TR_NOOP("Source")},
    }};
    return titleOf(kTitles, column, role, tr, m_times);
}

} // namespace lockkeeper::app::presentation
