// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <limits>

namespace lockkeeper::locks {

/** The abilities and limits of a scheme, known without asking its store. */
struct Traits
{
    bool expires = true;    ///< a lease expires; otherwise it ends only with the connection, or never
    bool fencing = false;   ///< every acquisition has a fencing token
    bool queues = false;    ///< waiters queue in the store, in order
    bool wakes = false;     ///< the store notifies when a lock may be free
    bool registers = false; ///< waiters can be shown to observers of the lock
    bool reenters = false;  ///< the store counts how often a holder has acquired a lock
    bool shares = false;    ///< several owners may hold a lock at once
    bool holds = true; ///< false for an optimistic lock: nobody holds it; a release increments its version
    qint64 leastTtlUs = 1'000;
    qint64 mostTtlUs = std::numeric_limits<qint64>::max() / 4;
    qsizetype longestName = 1'024 * 1'024; ///< bytes
    bool binaryNames = true;               ///< names may be any bytes; otherwise UTF-8 without NUL
};

} // namespace lockkeeper::locks
