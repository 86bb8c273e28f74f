// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::protocol {

/** Limit for the total weight of the items in one page of an answer, in bytes; well below kMaxFrame. */
inline constexpr qint64 kPageWeight = qint64(kMaxFrame) / 2;

/** The approximate size on the wire in bytes: the length of the texts plus a constant for the rest. */
qint64 weightOf(const domain::LockState &state);
qint64 weightOf(const events::LockEvent &event);
qint64 weightOf(const Hold &hold);
qint64 weightOf(const Wait &wait);
qint64 weightOf(const domain::AuditEntry &entry);
qint64 weightOf(const domain::discovery::Candidate &candidate);

} // namespace lockkeeper::protocol
