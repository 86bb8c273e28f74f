// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/copy_rows.h"
#include "agent/hub/hub_batch.h"
#include "agent/hub/owner_memory.h"

namespace lockkeeper::agent::hub {

/** The columns of the tables in 0001_hub.sql, in the order of the functions below. */
extern const char kCopyLocks[];
extern const char kCopyEvents[];
extern const char kCopyHolds[];
extern const char kCopyWaits[];

void addLock(CopyRows &rows, qint32 journalNumber, const journal::StoredLockRow &lock);
/** Remembers the owner if it is stored with this event. */
void addEvent(CopyRows &rows, qint32 journalNumber, const journal::EventRow &row, OwnerMemory &owners);
/** Call it after the events of the batch. */
void addHold(CopyRows &rows, qint32 journalNumber, const journal::HoldRow &row, const OwnerMemory &owners);
void addWait(CopyRows &rows, qint32 journalNumber, const HubWait &wait);

} // namespace lockkeeper::agent::hub
