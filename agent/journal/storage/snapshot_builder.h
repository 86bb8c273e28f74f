// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/present_locks.h"

namespace lockkeeper::agent::journal {

/**
 * Keeps a snapshot of which locks are there every so many events, behind the writer: a short step at a time
 * between its batches. Of many locks it is made less often, so that it costs at most some five bytes an
 * event. Belongs to the writer's thread; false means connection.error().
 */
class SnapshotBuilder
{
public:
    static constexpr qint64 kEvery = 20'000; ///< events

    explicit SnapshotBuilder(Connection &connection, qint64 every = kEvery)
        : m_connection(connection), m_least(every)
    {
    }

    /** Within a transaction of the caller's. `*done`: there is nothing to be made for now. */
    bool step(bool *done);
    /** After a rollback. */
    void restart() { m_begun = false; }

private:
    bool begin();
    bool beginWithHolds(qint64 firstSeq);
    bool scan();
    bool drop();
    bool finish();

    Connection &m_connection;
    bool m_begun = false;
    qint64 m_base = 0; ///< the snapshot that is gone on from
    qint64 m_least;    ///< events between two
    qint64 m_every = 0;
    qint64 m_cursor = 0;
    Snapshot m_next;
    PresenceChanges m_changes;
};

} // namespace lockkeeper::agent::journal
