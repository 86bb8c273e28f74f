// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"
#include "shared/domain/lock_key.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::journal {

/** Binds an event to the statement event_insert, checksum included. `lockId` is empty for an event of a
 * source. `holdId`: the hold that it begins or that was open before it, whose owner isn't kept twice. */
void bindEvent(Statement &statement, const events::LockEvent &event, qint64 sourceId,
               std::optional<qint64> lockId, std::optional<qint64> holdId);

/** A row of `SELECT *, (the owner of its hold) FROM events`, as event_at reads it, checked; the names behind
 * its numbers are filled in by the caller. */
struct EventRow
{
    qint64 sourceId = 0;
    std::optional<qint64> lockId;
    events::LockEvent event; ///< its `after` too, unless that is of another lock
};

/** Corrupt, naming the row, where the checksum or a value doesn't fit. `withAfter` decodes the state too.
 * `first`: the column where it begins. */
base::Result<EventRow> readEvent(const Statement &row, bool withAfter, int first = 0);
constexpr int kEventColumns = 16;

/** A row of locks as lock_get reads it. */
struct LockRow
{
    qint64 lockId = 0;
    qint64 sourceId = 0;
    domain::LockKey key; ///< without the source's name
};
base::Result<LockRow> readLock(const Statement &row, int first = 0);
qint64 lockChecksum(qint64 sourceId, const domain::LockKey &key);
/** What the index of locks has of a name. Whoever chooses names can't cheaply make many that share it. */
qint64 nameHash(const QByteArray &name);

} // namespace lockkeeper::agent::journal
