// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/rollup_reader.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {

constexpr qsizetype kTimesAtOnce = 200;
constexpr qint64 kSummedByHours = 2 * kDayUs;

/** Reads the columns at, lock_id, holds, held_us, waits, waited_us. */
Rollup readRollup(const SqliteStatement &row, qint64 unitUs)
{
    return {row.integer(0) * unitUs, row.integer(1), row.integer(2), row.integer(3),
            row.integer(4),          row.integer(5), row.integer(6)};
}

/** Reads these columns, and forced, first_hold, last_hold, first_wait, last_wait. */
Rollup readWholeRollup(const SqliteStatement &row, qint64 unitUs)
{
    Rollup rollup = readRollup(row, unitUs);
    rollup.forced = row.integer(6);
    rollup.holdIds = {row.integer(7), row.integer(8)};
    rollup.waitIds = {row.integer(9), row.integer(10)};
    return rollup;
}

} // namespace

void addIds(Interval &ids, Interval other)
{
    if (other.fromUs == 0)
        return;
    ids.fromUs = ids.fromUs == 0 ? other.fromUs : std::min(ids.fromUs, other.fromUs);
    ids.toUs = std::max(ids.toUs, other.toUs);
}

void Rollup::add(const Rollup &other)
{
    holds += other.holds;
    heldUs += other.heldUs;
    waits += other.waits;
    waitedUs += other.waitedUs;
    forced += other.forced;
    addIds(holdIds, other.holdIds);
    addIds(waitIds, other.waitIds);
}

RollupReader::RollupReader(QueryContext &context)
    : m_context(context),
      m_untilUs(context.connection().metaNumber("rollup_until_us", RollupStore::kNever)),
      m_seq(context.connection().metaNumber("rollup_seq", 0)),
      m_keptUs(context.connection().metaNumber("holds_kept_us", RollupStore::kNever))
{
    SqliteStatement &bounds = context.connection().statement("rollup_bounds");
    if (!context.connection().run(bounds) || !bounds.next())
        return; // the next read fails as well
    if (!bounds.isNull(0))
        m_hours = {bounds.integer(0) * kHourUs, (bounds.integer(1) + 1) * kHourUs};
    for (const int column : {0, 2}) {
        const qint64 atUs = bounds.integer(column) * (column == 0 ? kHourUs : kMinuteUs);
        if (!bounds.isNull(column))
            m_firstUs = std::min(m_firstUs.value_or(atUs), atUs);
    }
    bounds.finish();
}

base::Result<void> RollupReader::visitRows(const char *statement, Interval range, qint64 unitUs,
                                           const Visit &visit)
{
    if (range.fromUs >= range.toUs)
        return {};
    SqliteStatement &rows = m_context.connection().statement(statement);
    rows.bind(range.fromUs / unitUs).bind(range.toUs / unitUs);
    return m_context.each(rows, [&] { return visit(readRollup(rows, unitUs)); });
}

base::Result<void> RollupReader::visit(Interval hours, const Visit &visit)
{
    const Interval days{ceilTo(hours.fromUs, kDayUs), floorTo(hours.toUs, kDayUs)};
    if (days.fromUs >= days.toUs)
        return visitRows("rollups_of_hours", hours, kHourUs, visit);
    return visitRows("rollups_of_days", days, kDayUs, visit)
        .and_then([&] {
            return visitRows("rollups_of_hours", {hours.fromUs, days.fromUs}, kHourUs, visit);
        })
        .and_then([&] {
            return visitRows("rollups_of_hours", {days.toUs, hours.toUs}, kHourUs, visit);
        });
}

base::Result<void> RollupReader::visitLocks(const QList<qint64> &locks, Interval units, qint64 unitUs,
                                            const Visit &visit)
{
    units.fromUs = std::max(units.fromUs, floorTo(m_hours.fromUs, unitUs));
    units.toUs = std::min(units.toUs, ceilTo(m_hours.toUs, unitUs));
    const QString text = statementText(unitUs == kHourUs ? "rollup_hours_of" : "rollup_days_of");
    // Each row by its key, some at a time, so that the question can end between them.
    for (qint64 at = units.fromUs / unitUs; at < units.toUs / unitUs;) {
        QList<qint64> times;
        for (; at < units.toUs / unitUs && times.size() < kTimesAtOnce; ++at)
            times.append(at);
        const auto rows = m_context.connection().prepare(text.arg(sqlList(times), sqlList(locks)));
        auto done =
            m_context.each(*rows, [&] { return visit(readWholeRollup(*rows, unitUs)); }).and_then([this] {
                return m_context.checkTime();
            });
        if (!done)
            return done;
    }
    return {};
}

base::Result<QHash<qint64, Rollup>> RollupReader::sumsOf(const QList<qint64> &locks, Interval range)
{
    const qint64 unitUs = range.toUs - range.fromUs <= kSummedByHours ? kHourUs : kDayUs;
    QHash<qint64, Rollup> sums;
    auto done = visitLocks(locks, {floorTo(range.fromUs, unitUs), ceilTo(range.toUs, unitUs)}, unitUs,
                           [&sums](const Rollup &rollup) -> base::Result<void> {
                               sums[rollup.lockId].add(rollup);
                               return {};
                           });
    return done.map([&sums] { return std::move(sums); });
}

base::Result<Rollup> RollupReader::sumOf(qint64 lockId, Interval range)
{
    return sumsOf({lockId}, range).map([lockId](const auto &sums) { return sums.value(lockId); });
}

} // namespace lockkeeper::agent::journal
