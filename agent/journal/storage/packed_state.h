// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/hold_rows.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::journal {

/** A state of which the row beside it tells the most: what equals `base` is left out. */
QByteArray packState(const domain::LockState &state, const domain::LockState &base);
/** With the same base. Also a whole state, which some rows have. */
base::Result<domain::LockState> unpackState(const QByteArray &packed, const domain::LockState &base);

/** What an event says of the state after it. Its key is left out: a row has a number instead. */
domain::LockState stateBy(const events::LockEvent &event);
/** What the columns that a hold begins with say of its state. Without the key. */
domain::LockState stateBy(const protocol::Hold &hold);

} // namespace lockkeeper::agent::journal
