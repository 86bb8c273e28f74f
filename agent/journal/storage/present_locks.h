// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/** A lock that was in the table, and its last event; 0: retention has removed that event. */
struct PresentLock
{
    qint64 lockId = 0;
    qint64 seq = 0;
    bool operator==(const PresentLock &) const = default;
};
/** Sorted by lock. */
using PresentLocks = std::vector<PresentLock>;

/** The last event of each lock; 0: the lock left the table with that event. */
using PresenceChanges = QHash<qint64, qint64>;

PresentLocks merged(const PresentLocks &before, const PresenceChanges &changes);

/** A row of snapshots. */
struct SnapshotRow
{
    qint64 lastSeq = 0;
    qint64 earliestUs = 0;
    qint64 latestUs = 0;
};

/** Encodes differences as base-128 numbers, about four bytes per lock. */
QByteArray packed(const PresentLocks &locks, qint64 lastSeq);
/** Empty if the bytes can't come from packed(). */
std::optional<PresentLocks> unpacked(QByteArrayView bytes, qint64 lastSeq);

/** False means connection.error(). */
bool insertSnapshot(SqliteConnection &connection, const SnapshotRow &snapshot, const PresentLocks &locks);
/** Reads and checks the snapshot with this number. Returns Corrupt, naming the row, if the row is damaged. */
base::Result<PresentLocks> readSnapshot(SqliteConnection &connection, qint64 lastSeq);
/** The locks in the table after the last event. */
base::Result<PresentLocks> presentAtEnd(SqliteConnection &connection);

} // namespace lockkeeper::agent::journal
