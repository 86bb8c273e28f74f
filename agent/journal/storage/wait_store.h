// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/rollup_store.h"
#include "shared/events/lock_event.h"

#include <QHash>

namespace lockkeeper::agent::journal {

/** A checked row of waits. */
struct WaitRow
{
    qint64 waitId = 0;
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: still waiting
};
/** Reads the columns wait_id, lock_id, waiter, from_us, start_check, to_us, end_check. Returns Corrupt,
 * naming the row, if the row is damaged. */
base::Result<WaitRow> readWait(const SqliteStatement &row);

/**
 * Stores each wait as an interval, within the transaction of its events. Remembers the open waits; the caller
 * must call reload() after a rollback. Belongs to the writer's thread; false means connection.error().
 */
class WaitStore
{
public:
    WaitStore(SqliteConnection &connection, RollupStore &rollups)
        : m_connection(connection), m_rollups(rollups)
    {
    }

    bool reload();
    /** Follows wait_start and wait_end; other kinds change nothing. */
    bool follow(const events::LockEvent &event, qint64 lockId);

private:
    using Key = std::pair<qint64, QByteArray>;

    bool begin(const events::LockEvent &event, qint64 lockId);
    bool end(const events::LockEvent &event, qint64 lockId);
    bool insert(qint64 waitId, qint64 lockId, const QByteArray &waiter, qint64 fromUs);

    SqliteConnection &m_connection;
    RollupStore &m_rollups;
    QHash<Key, qint64> m_open; ///< wait_id by lock and waiter
};

} // namespace lockkeeper::agent::journal
