// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/retention.h"

#include "agent/journal/storage/event_rows.h"
#include "agent/journal/storage/packed_state.h"

#include <QVariant>

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kHoldsAStep = 1000;

} // namespace

void Retention::setLimits(int keepDays, int keepMib, int keepRollupsDays)
{
    m_keepDays = keepDays;
    m_keepMib = keepMib;
    // Queries need the roll-ups of each hour that still has rows.
    m_keepRollupsDays = std::max(keepDays, keepRollupsDays);
}

void Retention::start(qint64 nowUs, const RollupStore &rollups)
{
    m_phase = RetentionTask::Age;
    m_cutoffUs = nowUs - m_keepDays * kDayUs;
    m_rollupCutoffUs = nowUs - m_keepRollupsDays * kDayUs;
    m_rolledUs = rollups.untilUs();
    m_rolledSeq = rollups.eventSeq();
    m_removedLocks = false;
}

bool Retention::step()
{
    switch (m_phase) {
    case RetentionTask::Age:
        return inTransaction(&Retention::deleteOld);
    case RetentionTask::Size:
        return inTransaction(&Retention::deleteMuch);
    case RetentionTask::Holds:
        return inTransaction(&Retention::deleteHolds);
    case RetentionTask::Waits:
        return inTransaction(&Retention::deleteWaits);
    case RetentionTask::Rollups:
        return inTransaction(&Retention::deleteRollups);
    case RetentionTask::Locks:
        return inTransaction(&Retention::deleteLocks);
    case RetentionTask::Snapshots:
        return inTransaction(&Retention::keepSnapshots);
    case RetentionTask::Vacuum:
        return giveBack();
    case RetentionTask::Done:
        break;
    }
    return true;
}

bool Retention::inTransaction(bool (Retention::*work)())
{
    if (m_connection.transact([this, work] { return (this->*work)(); }))
        return true;
    m_snapshots.restart();
    return false;
}

bool Retention::deleteEvents(qint64 cutoffUs, bool *all)
{
    SqliteStatement &bound = m_connection.statement("retain_event_bound");
    if (!m_connection.run(bound.bind(cutoffUs)) || !bound.next())
        return false;
    const qint64 looked = bound.integer(0);
    const qint64 lastSeq = bound.integer(1);
    const auto firstKept = bound.optionalInteger(2);
    bound.finish();
    const auto heldBack = firstHeldBack();
    if (!heldBack)
        return false;
    *all = firstKept.has_value() || looked < 1000 || *heldBack <= lastSeq;
    if (looked == 0)
        return true;
    const qint64 beforeSeq = std::min(firstKept.value_or(lastSeq + 1), *heldBack);
    if (beforeSeq - 1 > m_rolledSeq && !firstKept) {
        *all = true;
        return true;
    }
    SqliteStatement &remove = m_connection.statement("retain_delete_events");
    if (!keepStates(beforeSeq) || !m_connection.run(remove.bind(beforeSeq)))
        return false;
    return remove.affected() == 0 || m_connection.meta("events_deleted") ||
           m_connection.setMeta("events_deleted", "1");
}

std::optional<qint64> Retention::usedBytes()
{
    SqliteStatement &pages = m_connection.statement("retain_pages");
    if (!m_connection.run(pages) || !pages.next())
        return std::nullopt;
    const qint64 used = (pages.integer(0) - pages.integer(1)) * pages.integer(2);
    pages.finish();
    return used;
}

std::optional<qint64> Retention::firstHeldBack()
{
    qint64 first = std::numeric_limits<qint64>::max();
    if (m_unforwarded.isEmpty())
        return first;
    const auto used = usedBytes();
    SqliteStatement &bounds = m_connection.statement("event_bounds");
    if (!used || !m_connection.run(bounds) || !bounds.next())
        return std::nullopt;
    const qint64 last = bounds.integer(1);
    const qint64 bytesAnEvent =
        std::max<qint64>(1, *used / std::max<qint64>(1, last - bounds.integer(0) + 1));
    bounds.finish();
    for (const UnforwardedEvents &lacking : std::as_const(m_unforwarded)) {
        const qint64 room = qint64(lacking.keepMib) * 1024 * 1024 / bytesAnEvent;
        first = std::min(first, std::max(qint64(lacking.afterSeq), last - room) + 1);
    }
    return first;
}

bool Retention::limitCutoffs(qint64 seq)
{
    const auto earliest = m_connection.firstNumber(m_connection.statement("retain_earliest_from").bind(seq));
    if (!earliest)
        return false;
    const qint64 earliestUs = earliest->value_or(std::numeric_limits<qint64>::max());
    m_cutoffUs = std::min(m_cutoffUs, earliestUs);
    m_rollupCutoffUs = std::min(m_rollupCutoffUs, earliestUs);
    return true;
}

/** Saves the state of open holds for which only their first event has it. */
bool Retention::keepStates(qint64 beforeSeq)
{
    SqliteStatement &rows = m_connection.statement("retain_states");
    if (!m_connection.run(rows.bind(beforeSeq)))
        return false;
    QList<std::pair<qint64, QByteArray>> states;
    while (rows.next()) {
        const auto hold = readHold(rows);
        const auto event = readEvent(rows, true, kHoldColumns);
        if (hold && event) // a query for a damaged row reports the damage
            states.append({hold->holdId, sealState(packState(*event->event.after, stateBy(hold->hold)))});
    }
    return std::all_of(states.cbegin(), states.cend(), [this](const auto &state) {
        return m_connection.run(
            m_connection.statement("hold_state").bindBytes(state.second).bind(state.first));
    });
}

bool Retention::deleteOld()
{
    bool all = false;
    if (!deleteEvents(m_cutoffUs, &all))
        return false;
    if (all)
        m_phase = RetentionTask::Size;
    return true;
}

bool Retention::deleteMuch()
{
    const auto used = usedBytes();
    const auto oldest = m_connection.firstNumber(m_connection.statement("retain_oldest_event"));
    const auto heldBack = firstHeldBack();
    if (!used || !oldest || !heldBack)
        return false;
    const qint64 oldestUs = oldest->value_or(std::numeric_limits<qint64>::max());
    if (*used > qint64(m_keepMib) * 1024 * 1024) {
        bool anyHour = false;
        if (!deleteOldestHour(floorTo(oldestUs, kHourUs) / kHourUs, &anyHour))
            return false;
        bool all = true;
        if (!anyHour && !deleteEvents(std::numeric_limits<qint64>::max(), &all))
            return false;
        if (anyHour || !all)
            return true;
    }
    // Holds that ended before the oldest remaining event go with their events.
    if (oldestUs != std::numeric_limits<qint64>::max())
        m_cutoffUs = std::max(m_cutoffUs, oldestUs);
    if (!m_unforwarded.isEmpty() && !limitCutoffs(*heldBack))
        return false;
    m_endedUs = std::min(m_cutoffUs, m_rolledUs);
    m_cursor = 0;
    m_phase = RetentionTask::Holds;
    return true;
}

bool Retention::deleteHolds()
{
    SqliteStatement &from = m_connection.statement("retain_hold_from");
    if (!m_connection.run(from.bind(m_cursor)))
        return false;
    const bool found = from.next();
    const qint64 first = found ? from.integer(0) : 0;
    const bool recent = found && from.integer(1) >= m_cutoffUs;
    from.finish();
    if (!found || recent) {
        m_cursor = 0;
        m_phase = RetentionTask::Waits;
        return true;
    }
    m_cursor = first + kHoldsAStep - 1;
    SqliteStatement &remove = m_connection.statement("retain_delete_holds");
    return m_connection.run(remove.bind(first).bind(m_cursor).bind(m_endedUs)) && noteDeleted(remove);
}

/** Stores the time from which on all ended holds and waits are kept; earlier ones can't be counted again. */
bool Retention::noteDeleted(const SqliteStatement &removal)
{
    return removal.affected() == 0 ||
           m_connection.metaNumber("holds_kept_us", RollupStore::kNever) >= m_endedUs ||
           m_connection.setMeta("holds_kept_us", QByteArray::number(m_endedUs));
}

/** Deletes the oldest hour of the roll-ups. A day goes with its last hour. */
bool Retention::deleteOldestHour(qint64 beforeHour, bool *any)
{
    SqliteStatement &hours = m_connection.statement("retain_delete_hour");
    if (!m_connection.run(hours.bind(beforeHour)))
        return false;
    *any = hours.affected() > 0;
    return m_connection.run(m_connection.statement("retain_delete_days")) &&
           m_connection.run(m_connection.statement("retain_delete_minutes").bind(beforeHour));
}

bool Retention::deleteRollups()
{
    bool any = false;
    if (!deleteOldestHour(floorTo(m_rollupCutoffUs, kHourUs) / kHourUs, &any))
        return false;
    for (const qint64 kind : {0, 1, 2, 3}) {
        SqliteStatement &remove = m_connection.statement("retain_delete_crossings");
        if (!m_connection.run(remove.bind(kind).bind(kind < 2 ? m_endedUs : m_rollupCutoffUs)))
            return false;
        any = any || remove.affected() > 0;
    }
    if (!any)
        m_phase = RetentionTask::Locks;
    return true;
}

bool Retention::deleteWaits()
{
    SqliteStatement &bound = m_connection.statement("retain_wait_bound");
    if (!m_connection.run(bound.bind(m_cutoffUs).bind(m_cursor)) || !bound.next())
        return false;
    const qint64 last = bound.integer(1);
    const bool more = bound.integer(0) == 1000 && !bound.optionalInteger(2);
    bound.finish();
    const qint64 first = m_cursor;
    m_cursor = more ? last : 0;
    m_phase = more ? RetentionTask::Waits : RetentionTask::Rollups;
    SqliteStatement &remove = m_connection.statement("retain_delete_waits");
    return m_connection.run(remove.bind(first).bind(last).bind(m_endedUs).bind(m_cutoffUs)) &&
           noteDeleted(remove);
}

bool Retention::deleteLocks()
{
    const auto bound = m_connection.firstNumber(m_connection.statement("retain_lock_bound").bind(m_cursor));
    if (!bound)
        return false;
    const std::optional<qint64> last = *bound;
    if (!last) {
        m_phase = RetentionTask::Snapshots;
        return m_connection.run(m_connection.statement("retain_delete_snapshots")) &&
               m_connection.run(m_connection.statement("retain_delete_blocks"));
    }
    SqliteStatement &remove = m_connection.statement("retain_delete_locks");
    if (!m_connection.run(remove.bind(m_cursor).bind(*last)))
        return false;
    m_removedLocks = m_removedLocks || remove.affected() > 0;
    m_cursor = *last;
    return true;
}

bool Retention::keepSnapshots()
{
    bool done = false;
    if (!m_snapshots.step(&done))
        return false;
    if (done)
        m_phase = RetentionTask::Vacuum;
    return true;
}

bool Retention::giveBack()
{
    const auto free = m_connection.scalar(QStringLiteral("PRAGMA freelist_count"));
    if (!free)
        return false;
    if (free->toLongLong() < 256) {
        m_phase = RetentionTask::Done;
        return true;
    }
    // It frees one page per row, so it must be read to its end.
    const auto vacuum = m_connection.prepare(QStringLiteral("PRAGMA incremental_vacuum(256)"));
    if (!m_connection.run(*vacuum))
        return false;
    while (vacuum->next()) {
    }
    return m_connection.endReading();
}

} // namespace lockkeeper::agent::journal
