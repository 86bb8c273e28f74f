// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"
#include "shared/domain/lock_key.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::journal {

/** Binds an event to the statement event_insert, checksum included. `lockId` is empty for an event of a
 * source. */
void bindEvent(Statement &statement, const events::LockEvent &event, qint64 sourceId,
               std::optional<qint64> lockId);

/** A row of `SELECT * FROM events`, checked; the names behind its numbers are filled in by the caller. */
struct EventRow
{
    qint64 sourceId = 0;
    std::optional<qint64> lockId;
    events::LockEvent event; ///< its `after` too, unless that is of another lock
};

/** Corrupt, naming the row, where the checksum or a value doesn't fit. `withAfter` decodes the state too. */
base::Result<EventRow> readEvent(const Statement &row, bool withAfter);

/** A row of locks as lock_get reads it. */
struct LockRow
{
    qint64 lockId = 0;
    qint64 sourceId = 0;
    domain::LockKey key; ///< without the source's name
};
base::Result<LockRow> readLock(const Statement &row);
qint64 lockChecksum(qint64 sourceId, const domain::LockKey &key);

} // namespace lockkeeper::agent::journal
