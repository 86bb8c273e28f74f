// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/rollup_store.h"

#include "agent/journal/storage/hold_rows.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kEventsAStep = 5'000;

} // namespace

bool RollupStore::reload()
{
    m_hours.clear();
    m_days.clear();
    m_spansDone = m_eventsDone = true;
    m_untilUs = m_connection.metaNumber("rollup_until_us", kNever);
    m_seq = m_connection.metaNumber("rollup_seq", 0);
    return true;
}

void RollupStore::start(qint64 nowUs)
{
    m_targetUs = nowUs < std::numeric_limits<qint64>::max() ? nowUs + 1 : nowUs;
    m_spansDone = m_eventsDone = false;
}

bool RollupStore::step()
{
    return inTransaction(&RollupStore::rollEvents) && inTransaction(&RollupStore::rollSpans);
}

bool RollupStore::inTransaction(bool (RollupStore::*work)())
{
    if (m_connection.transact([this, work] { return (this->*work)(); }))
        return true;
    const base::Error cause = m_connection.error();
    reload();
    m_connection.restoreError(cause);
    return false;
}

bool RollupStore::rollEvents()
{
    SqliteStatement &last = m_connection.statement("rollup_last_seq");
    const auto found = m_connection.firstNumber(last.bind(m_seq).bind(kEventsAStep));
    if (!found)
        return false;
    const std::optional<qint64> toSeq = *found;
    m_eventsDone = toSeq.value_or(m_seq) < m_seq + kEventsAStep;
    if (!toSeq)
        return true;
    SqliteStatement &count = m_connection.statement("rollup_add_events");
    SqliteStatement &blocks = m_connection.statement("rollup_add_blocks");
    if (!m_connection.run(count.bind(m_seq).bind(*toSeq)) ||
        !m_connection.run(blocks.bind(m_seq).bind(*toSeq)) ||
        !m_connection.setMeta("rollup_seq", QByteArray::number(*toSeq)))
        return false;
    m_seq = *toSeq;
    return true;
}

/** Adds the next thousands of ended holds and waits. */
bool RollupStore::rollSpans()
{
    // The watermark never passes the newest end, so that the next end of a store whose clock is behind isn't
    // late.
    const auto newest = m_connection.firstNumber(m_connection.statement("rollup_newest_end"));
    const auto hold = m_connection.firstNumber(m_connection.statement("rollup_hold_bound").bind(m_untilUs));
    const auto wait = m_connection.firstNumber(m_connection.statement("rollup_wait_bound").bind(m_untilUs));
    if (!newest || !hold || !wait)
        return false;
    qint64 untilUs = std::min(m_targetUs, newest->value_or(kNever));
    const qint64 holdUs = hold->value_or(std::numeric_limits<qint64>::max());
    const qint64 waitUs = wait->value_or(std::numeric_limits<qint64>::max());
    m_spansDone = untilUs <= std::min(holdUs, waitUs);
    untilUs = std::min({untilUs, std::max(holdUs, m_untilUs + 1), std::max(waitUs, m_untilUs + 1)});
    if (untilUs <= m_untilUs) {
        m_spansDone = true;
        return true;
    }
    if (!addRows("rollup_holds", untilUs, false) || !addRows("rollup_waits", untilUs, true) || !write() ||
        !m_connection.setMeta("rollup_until_us", QByteArray::number(untilUs)))
        return false;
    m_untilUs = untilUs;
    return true;
}

bool RollupStore::addRows(const char *statement, qint64 untilUs, bool ofWait)
{
    SqliteStatement &rows = m_connection.statement(statement);
    if (!m_connection.run(rows.bind(m_untilUs).bind(untilUs)))
        return false;
    bool well = true;
    while (well && rows.next())
        well = add(rows, ofWait);
    rows.finish();
    return well;
}

bool RollupStore::addRow(const char *statement, qint64 id, bool ofWait)
{
    SqliteStatement &row = m_connection.statement(statement);
    if (!m_connection.run(row.bind(id)))
        return false;
    const bool well = !row.next() || add(row, ofWait);
    row.finish();
    return well;
}

/** Adds a row with the columns id, lock_id, source_id, from_us, to_us, end. */
bool RollupStore::add(const SqliteStatement &row, bool ofWait)
{
    const qint64 id = row.integer(0);
    const qint64 fromUs = row.integer(3);
    const qint64 toUs = row.integer(4);
    const bool isLong = toUs > fromUs && quint64(toUs) - quint64(fromUs) > quint64(kDayUs);
    if (fromUs < floorTo(toUs, kHourUs)) {
        SqliteStatement &crossing = m_connection.statement("rollup_crossing_insert");
        crossing.bind((isLong ? 2 : 0) + (ofWait ? 1 : 0))
            .bind(toUs)
            .bind(id)
            .bind(row.integer(1))
            .bind(fromUs);
        if (!m_connection.run(crossing))
            return false;
    }
    for (const qint64 whose : {row.integer(1), -row.integer(2)}) {
        const qint64 hour = floorTo(toUs, kHourUs) / kHourUs;
        const qint64 day = floorTo(toUs, kDayUs) / kDayUs;
        addEnd(m_hours[{hour, whose}], id, ofWait, int(row.integer(5)));
        addEnd(m_days[{day, whose}], id, ofWait, int(row.integer(5)));
        if (isLong)
            continue; // one hold would fill too many hours; queries read its crossing instead
        const RollupColumn column = ofWait ? Waited : Held;
        for (qint64 at = fromUs; at < toUs;) {
            const qint64 next = std::min(toUs, floorTo(at, kHourUs) + kHourUs);
            m_hours[{floorTo(at, kHourUs) / kHourUs, whose}].values[column] += next - at;
            m_days[{floorTo(at, kDayUs) / kDayUs, whose}].values[column] += next - at;
            at = next;
        }
    }
    return true;
}

void RollupStore::addEnd(Sum &sum, qint64 id, bool ofWait, int end)
{
    ++sum.values[ofWait ? Waits : Holds];
    sum.values[Forced] += HoldEnd(end) == HoldEnd::ForceReleased;
    sum.values[Expired] += HoldEnd(end) == HoldEnd::Expired;
    sum.values[Takeovers] += HoldEnd(end) == HoldEnd::TakenOver;
    qint64 &first = sum.first[ofWait ? 1 : 0];
    qint64 &last = sum.last[ofWait ? 1 : 0];
    first = first == 0 ? id : std::min(first, id);
    last = std::max(last, id);
}

bool RollupStore::write()
{
    return writeSums("hours", m_hours) && writeSums("days", m_days);
}

bool RollupStore::writeSums(const char *unit, Sums &sums)
{
    if (sums.isEmpty())
        return true;
    const auto add = m_connection.prepare(statementText("rollup_add").arg(QLatin1String(unit)));
    const auto some = [](qint64 id) { return id == 0 ? std::nullopt : std::optional(id); };
    for (auto it = sums.cbegin(); it != sums.cend(); ++it) {
        add->bind(it.key().first).bind(it.key().second);
        for (const qint64 value : it->values)
            add->bind(value);
        for (size_t i = 0; i < it->first.size(); ++i)
            add->bind(some(it->first[i])).bind(some(it->last[i]));
        if (!m_connection.run(*add))
            return false;
    }
    sums.clear();
    return true;
}

} // namespace lockkeeper::agent::journal
