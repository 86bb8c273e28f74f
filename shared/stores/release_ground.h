// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores {

/** Why a release isn't sent, and what that means for the lock. */
struct Refusal
{
    domain::Outcome outcome = domain::Outcome::Refused;
    base::Error error;

    ReleaseReport report() const { return reportOf(outcome, error); }
};

/** The facts that a release is checked against before anything is sent. */
struct ReleaseGround
{
    QByteArray place;    ///< of the order's lock set
    QByteArray instance; ///< the server's run as it is now; empty: not known
    Refusal otherRun;    ///< for a guard of another run, or while this run isn't known
    /** The store compares the guard's values as they are. If false, the store's own check of each row
     * follows, and a row may carry no identity. */
    bool wholeGuard = true;
    bool replica = false;
};

/** The preconditions of every release, in one place. Empty: it may be sent. Pure. */
std::optional<Refusal> refusalOf(const ReleaseOrder &order, const SourceSpec &spec,
                                 const ReleaseGround &ground);

/** The guard of a lock as it was read from its set's `place`, in this run of the server. */
domain::Guard guardOf(const SourceSpec &spec, const QByteArray &place, const QByteArray &instance,
                      const Observation &lock);

} // namespace lockkeeper::stores
