// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/advice/evidence.h"
#include "shared/domain/advice.h"

namespace lockkeeper::agent::advice {

/**
 * The rules, one for each code. Each returns an advice only if its evidence suffices: a wrong advice costs
 * more trust than a missing one. The constants in the .cpp files state the least evidence. The caller fills
 * in the range. Pure.
 */
using MaybeAdvice = std::optional<domain::Advice>;

/** The p99 of holds without renewals lies within a fifth of the lease, and not by one exception. */
MaybeAdvice leaseTooShort(const LockEvidence &lock);
/** Holders died, others waited for the rest of the lease, and the lease is a multiple of the p99. */
MaybeAdvice leaseTooLong(const LockEvidence &lock);
/** Two intervals between renewals are longer than the lease. `lookUs`: see SourceEvidence. */
MaybeAdvice renewalTooLate(const LockEvidence &lock, qint64 lookUs);
/** Held without expiry, in a scheme whose locks can expire. `nowUs` ends the range. */
MaybeAdvice noExpiry(const LockEvidence &lock, qint64 nowUs);
/** The longest holds are a multiple of the p99 of all others. `nowUs` ends the range. */
MaybeAdvice unusuallyLongHold(const LockEvidence &lock, qint64 nowUs);
/** One holder alone over a week, although waiters would have been seen. */
MaybeAdvice neverContended(const LockEvidence &lock, const QList<Interval> &observed);
/** The lock was free for a noticeable share of the time while somebody waited for it. */
MaybeAdvice pollsTooSlowly(const LockEvidence &lock, const QList<Interval> &observed);
/** A lock without a queue passes without a pause between many holders. */
MaybeAdvice pollsTooFast(const LockEvidence &lock, const QList<Interval> &observed);
/** Most of the waiting for a session's lock was behind one statement. `nowUs` ends the range. */
MaybeAdvice chainHeadStatement(const LockEvidence &lock, qint64 nowUs);
MaybeAdvice clientClockOff(const QString &source, const SourceEvidence &evidence);
/** Pairs of locks of one source that the same holders take in both orders. */
QList<domain::Advice> oppositeOrders(const QList<LockEvidence> &locks);

/** The advice of all rules, the surest first. */
QList<domain::Advice> adviceFrom(const AdviceEvidence &evidence);

} // namespace lockkeeper::agent::advice
