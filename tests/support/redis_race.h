// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/script.h"

#include <QString>

#include <optional>

namespace lockkeeper::tests {

struct RaceResult
{
    qint64 rounds = 0; ///< force-releases that were ordered
    qint64 acquisitions = 0;
    qint64 renewals = 0;
    qint64 released = 0;
    qint64 holderChanged = 0;
    qint64 alreadyFree = 0;
    qint64 partial = 0; ///< of several servers' locks
    qint64 other = 0;
    qint64 lost = 0;  ///< leases that their holders found gone
    qint64 wrong = 0; ///< of these, gone though no guard of theirs was reported as released
};

struct RacePlan
{
    QByteArray scheme = "redis.token"; ///< or kFieldRace
    qint64 rounds = 3'000;
    int clients = 3;
    int keys = 3;
    bool checkFreshness = true; ///< on every other order
    QByteArray constant;        ///< the value that every acquisition writes; empty: a new token each time
    bool pins = true; ///< orders compare the deadline where the store doesn't make the identity itself
    /** Each client writes the same token into every lock, for leases of one length: only their deadlines,
     * by the server's clock, distinguish its acquisitions. */
    bool reuses = false;
    bool waits = true; ///< with `reuses`: a guard is used no sooner than the agent gives it out
};

/** redis.semaphore over hashes, as sidekiq-unique-jobs keeps them: a job takes its lock again and again. */
inline constexpr const char *kFieldRace = "redis.semaphore/sidekiq";
constexpr qint64 kFirstDeadlineMs = 4'000'000'000'000; ///< far ahead; every renewal sets a different one

QByteArray raceKey(int index);

/**
 * Clients acquire, renew and release a few locks at full speed, each in a thread with a plain hiredis
 * connection. Every acquisition has a new token and every renewal a new deadline. Meanwhile a real Store
 * breaks the locks by guards of random age. No lease ends by itself, so a holder that finds its lease gone
 * was broken. The guard must be of just that acquisition (and, with freshness checked, of just that
 * deadline); any other break is wrong. `script` replaces the scheme's own script.
 */
RaceResult runRedisRace(const QString &socketPath, const std::optional<stores::redis::Script> &script,
                        const RacePlan &plan);

} // namespace lockkeeper::tests
