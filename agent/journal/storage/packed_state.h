// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/hold_rows.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::agent::journal {

/** Encodes a state without the values that equal `base`, because the row beside it contains most of them. */
QByteArray packState(const domain::LockState &state, const domain::LockState &base);
/** Decodes a state with the same base. Also decodes a whole state, which some rows have. */
base::Result<domain::LockState> unpackState(const QByteArray &packed, const domain::LockState &base);

/** The state after an event, as far as the event itself shows it. The key is left out, because a row has a
 * number instead. */
domain::LockState stateBy(const events::LockEvent &event);
/** The state of a hold, as far as the columns that are written at its beginning show it. Without the key. */
domain::LockState stateBy(const protocol::Hold &hold);

} // namespace lockkeeper::agent::journal
