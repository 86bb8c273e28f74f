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
    QByteArray constant;        ///< what every acquisition writes; empty: a token of its own
    bool pins = true; ///< orders compare the deadline where the store doesn't make the identity itself
    /** Each client writes the same token into every lock, for leases of one length: only their deadlines,
     * by the server's clock, distinguish its acquisitions. */
    bool reuses = false;
    bool waits = true; ///< with `reuses`: a guard is used no sooner than the agent gives it out
};

/** redis.semaphore over hashes, as sidekiq-unique-jobs keeps them: a job takes its lock again and again. */
inline constexpr const char *kFieldRace = "redis.semaphore/sidekiq";
constexpr qint64 kFirstDeadlineMs = 4'000'000'000'000; ///< far ahead; every renewal has one of its own

QByteArray raceKey(int index);

/**
 * Sets clients on a few locks, each in a thread with a plain hiredis connection, that acquire, renew and
 * release at full speed, every acquisition with a token and every renewal with a deadline of its own, while a
 * real Store breaks them by guards of random age. No lease ends by itself, so that a holder that finds its
 * lease gone was broken: by a guard of just that acquisition (and, where freshness was asked for, of just
 * that deadline), or wrongly. `script` stands in for the scheme's own.
 */
RaceResult runRedisRace(const QString &socketPath, const std::optional<stores::redis::Script> &script,
                        const RacePlan &plan);

} // namespace lockkeeper::tests
