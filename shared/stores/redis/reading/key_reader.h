// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redirect.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <functional>
#include <optional>

namespace lockkeeper::stores::redis {

class RedisConnection;

/** A lock that another node has. */
struct Elsewhere
{
    Subject lock;
    std::optional<Redirect> to; ///< empty: the server didn't say
};

/** The locks that were read between two readings of the server's clock (microseconds). */
struct KeyPage
{
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    /** In the order asked; absent ones have `present` false. With ReadMode::wholeKeys a key of many locks is
     * absent itself, and its locks follow after all others. */
    QList<Observation> locks;
    /** With ReadMode::wholeKeys: keys that hold more locks than were read. Their other locks may exist,
     * though they aren't shown. */
    QList<Subject> partial = {};
    QList<Elsewhere> elsewhere = {};       ///< with ReadMode::leaveElsewhere: they aren't in `locks`
    std::optional<base::Error> error = {}; ///< then `locks` isn't to be used
    qint64 commands = 0;                   ///< sent for it
};

/**
 * Reads each of `locks` (set and name filled in; sets of different schemes may be mixed) in one pipeline
 * between two TIMEs, as its scheme asks: see KeyScheme. Further pipelines ask for details that a first answer
 * leaves open. False where the link is down; otherwise `done` is called once, unless the connection is
 * destroyed.
 */
bool readKeys(RedisConnection &connection, const ReadMode &mode, QList<Observation> locks,
              std::function<void(KeyPage &)> done);

} // namespace lockkeeper::stores::redis
