// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/** A lock that was in the table, and its last event; 0: one that retention has removed. */
struct PresentLock
{
    qint64 lockId = 0;
    qint64 seq = 0;
    bool operator==(const PresentLock &) const = default;
};
/** In order of their locks. */
using PresentLocks = std::vector<PresentLock>;

/** By lock its last event; 0: the lock has left the table with it. */
using PresenceChanges = QHash<qint64, qint64>;

PresentLocks merged(const PresentLocks &before, const PresenceChanges &changes);

/** A row of snapshots. */
struct Snapshot
{
    qint64 lastSeq = 0;
    qint64 earliestUs = 0;
    qint64 latestUs = 0;
};

/** Some four bytes a lock: differences as base-128 numbers. */
QByteArray packed(const PresentLocks &locks, qint64 lastSeq);
/** Empty where the bytes aren't what packed() makes. */
std::optional<PresentLocks> unpacked(QByteArrayView bytes, qint64 lastSeq);

/** False means connection.error(). */
bool insertSnapshot(Connection &connection, const Snapshot &snapshot, const PresentLocks &locks);
/** Of the snapshot with this number, checked. Corrupt, naming the row. */
base::Result<PresentLocks> readSnapshot(Connection &connection, qint64 lastSeq);
/** After the last event. */
base::Result<PresentLocks> presentAtEnd(Connection &connection);

} // namespace lockkeeper::agent::journal
