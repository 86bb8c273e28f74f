// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/snapshot_builder.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {
constexpr qint64 kEventsALook = 5'000;
} // namespace

bool SnapshotBuilder::step(bool *done)
{
    *done = false;
    if (!m_begun)
        return begin();
    SqliteStatement &bounds = m_connection.statement("event_bounds");
    if (!m_connection.run(bounds) || !bounds.next())
        return false;
    const qint64 newest = bounds.integer(1);
    bounds.finish();
    *done = newest - m_base < m_every;
    if (*done) {
        m_begun = false; // until the next round, events and snapshots may be deleted
        return true;
    }
    if (!scan())
        return false;
    return m_cursor < m_base + m_every || finish();
}

/** Starts where the last snapshot ended. If later events are deleted already, it starts with a snapshot made
 * from the holds. */
bool SnapshotBuilder::begin()
{
    const auto first = m_connection.firstNumber(m_connection.statement("event_bounds"));
    if (!first)
        return false;
    const qint64 firstSeq = first->value_or(0);
    const auto last = m_connection.firstNumber(m_connection.statement("snapshot_last"));
    if (!last)
        return false;
    m_base = last->value_or(0);
    m_every = m_least;
    if (firstSeq > m_base + 1 && !beginWithHolds(firstSeq))
        return false;
    if (m_base > 0) {
        const auto locks = readSnapshot(m_connection, m_base);
        if (!locks)
            return drop(); // its content is also in the events: it is made again from the one before
        m_every = std::max(m_least, qint64(locks->size()));
    }
    m_cursor = m_base;
    m_changes = {};
    m_next = {m_base + m_every, std::numeric_limits<qint64>::max(), std::numeric_limits<qint64>::min()};
    m_begun = true;
    return true;
}

bool SnapshotBuilder::beginWithHolds(qint64 firstSeq)
{
    SqliteStatement &first = m_connection.statement("event_first");
    if (!m_connection.run(first) || !first.next())
        return false;
    const qint64 timeUs = first.integer(1);
    first.finish();
    SqliteStatement &held = m_connection.statement("snapshot_from_holds");
    if (!m_connection.run(held.bind(timeUs)))
        return false;
    PresentLocks locks;
    while (held.next())
        locks.push_back({held.integer(0), 0});
    m_base = firstSeq - 1;
    return insertSnapshot(m_connection, {m_base, timeUs, timeUs}, locks);
}

bool SnapshotBuilder::scan()
{
    const qint64 until = std::min(m_cursor + kEventsALook, m_base + m_every);
    SqliteStatement &rows = m_connection.statement("presence_scan");
    if (!m_connection.run(rows.bind(m_cursor).bind(until)))
        return false;
    while (rows.next()) {
        m_changes.insert(rows.integer(1), rows.integer(4) != 0 ? 0 : rows.integer(0));
        m_next.earliestUs = std::min(m_next.earliestUs, rows.integer(2) - rows.integer(3));
        m_next.latestUs = std::max(m_next.latestUs, rows.integer(2));
    }
    m_cursor = until;
    return true;
}

bool SnapshotBuilder::drop()
{
    m_begun = false;
    return m_connection.run(m_connection.statement("snapshot_delete").bind(m_base));
}

bool SnapshotBuilder::finish()
{
    PresentLocks before;
    if (m_base > 0) {
        auto read = readSnapshot(m_connection, m_base);
        if (!read)
            return drop();
        before = std::move(*read);
    }
    m_begun = false;
    return insertSnapshot(m_connection, m_next, merged(before, m_changes));
}

} // namespace lockkeeper::agent::journal
