// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"
#include "shared/domain/lock_key.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::journal {

/** Binds an event to the statement event_insert, checksum included. `lockId` is empty for an event of a
 * source. `holdId` is the hold that the event begins, or that was open before it; an owner that the hold has
 * too isn't stored twice. */
void bindEvent(SqliteStatement &statement, const events::LockEvent &event, qint64 sourceId,
               std::optional<qint64> lockId, std::optional<qint64> holdId);

/** A checked row of `SELECT *, (the owner of its hold) FROM events`, as event_at reads it. The caller fills
 * in the names behind its numbers. */
struct EventRow
{
    qint64 sourceId = 0;
    std::optional<qint64> lockId;
    events::LockEvent event; ///< the caller also fills in its `after`, unless that belongs to another lock
};

/** Returns Corrupt, naming the row, if the checksum or a value is wrong. `withAfter` also decodes the state.
 * `first` is the column where the event begins. */
base::Result<EventRow> readEvent(const SqliteStatement &row, bool withAfter, int first = 0);
constexpr int kEventColumns = 16;

/** A row of locks as lock_get reads it. */
struct StoredLockRow
{
    qint64 lockId = 0;
    qint64 sourceId = 0;
    domain::LockKey key; ///< without the source's name
};
base::Result<StoredLockRow> readLock(const SqliteStatement &row, int first = 0);
qint64 lockChecksum(qint64 sourceId, const domain::LockKey &key);
/** The index of locks stores this hash of a name. A person who chooses names can't cheaply make many that
 * share it. */
qint64 nameHash(const QByteArray &name);

} // namespace lockkeeper::agent::journal
