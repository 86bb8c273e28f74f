// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/merge.h"
#include "shared/stores/redis/redlock/stir.h"

namespace lockkeeper::stores::redis {

/** What was settled of a lock when nodes began to tell of it. */
struct Before
{
    Standing standing = Standing::Absent;
    QByteArray token;
    quint16 holders = 0; ///< bits of the nodes that had the token
};

/** What a reading on all nodes, and all that they told of the lock up to it, come to. */
struct Telling
{
    QList<Change> changes; ///< in their order; the last one is what was read
    Stir rest;             ///< still to be told of, with what comes next
};

/**
 * `now` is the lock as it was read between `beganUs` and `endedUs` of the source's clock, `stir` what nodes
 * told of from before that. Holds that were over are told where `stir` proves them; what else may have been
 * one is unseen, where nobody holds the lock now. Each change carries how many were told before it that it
 * doesn't stand for. Pure.
 */
Telling tellingOf(Stir stir, const Before &before, const Observation &now, qint64 beganUs, qint64 endedUs,
                  qsizetype quorum);

/** Takes out of `later`, which was told while the lock was read, what may have happened after that. */
Stir takeAfter(Stir &later, const Observation &now, qint64 beganUs);

} // namespace lockkeeper::stores::redis
