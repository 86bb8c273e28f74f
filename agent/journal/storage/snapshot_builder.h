// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/present_locks.h"

namespace lockkeeper::agent::journal {

/**
 * Stores a snapshot of the locks in the table after each `kEvery` events. It follows the writer, a short step
 * at a time between the writer's batches. With many locks it makes snapshots less often, so that they cost at
 * most some five bytes per event. Belongs to the writer's thread; false means connection.error().
 */
class SnapshotBuilder
{
public:
    static constexpr qint64 kEvery = 20'000; ///< events

    explicit SnapshotBuilder(SqliteConnection &connection, qint64 every = kEvery)
        : m_connection(connection), m_least(every)
    {
    }

    /** Runs one step within the caller's transaction. `*done`: no snapshot is due now. */
    bool step(bool *done);
    /** Called after a rollback. */
    void restart() { m_begun = false; }

private:
    bool begin();
    bool beginWithHolds(qint64 firstSeq);
    bool scan();
    bool drop();
    bool finish();

    SqliteConnection &m_connection;
    bool m_begun = false;
    qint64 m_base = 0; ///< the snapshot on which the next one builds
    qint64 m_least;    ///< least number of events between two snapshots
    qint64 m_every = 0;
    qint64 m_cursor = 0;
    SnapshotRow m_next;
    PresenceChanges m_changes;
};

} // namespace lockkeeper::agent::journal
