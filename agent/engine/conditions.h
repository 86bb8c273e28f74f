// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

namespace lockkeeper::agent::engine {

/** True for a scheme whose locks normally expire: a lock without an expiry is a fault. */
bool hasExpiries(const stores::LockSet &set);

/** How long a hold may be without an expiry, or without a sign of life, before it counts as stuck. */
qint64 patienceUs(const stores::LockSet &set);

/**
 * Whether and why `record` is stuck at `atUs` of the store's clock. A lease with a deadline is stuck only if
 * a liveness probe found its holder dead. The reasons that the store shows come before that one.
 */
domain::StuckReason stuckReason(const LockRecord &record, const stores::LockSet &set, qint64 atUs);

/**
 * When to read a record again that was last seen at `seenUs`; kNever if a scan is soon enough. A lease that
 * its store removes by itself is read once more just before its deadline, to distinguish "expired" from
 * "released", and then just after it.
 */
qint64 nextReadUs(const LockRecord &record, const stores::LockSet &set, qint64 seenUs);

} // namespace lockkeeper::agent::engine
