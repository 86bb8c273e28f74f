// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/errors.h"
#include "shared/stores/store.h"

#include <functional>
#include <optional>

namespace lockkeeper::stores::redis {

class Connection;

/** At most so many bytes of a value are read. */
inline constexpr qsizetype kLongestValue = 64 * 1024;

/** How keys are read over a connection. */
struct ReadMode
{
    bool exactDeadlines = true; ///< PEXPIRETIME; otherwise PTTL between two TIMEs
    Asker asker;
};

/** What was read, between two readings of the server's clock (microseconds). */
struct KeyPage
{
    qint64 beganUs = 0;
    qint64 endedUs = 0;
    QList<Observation> locks;         ///< in the order asked; absent ones have `present` false
    std::optional<base::Error> error; ///< then `locks` isn't to be used
};

/**
 * Reads value and deadline of each of `locks` (set and name filled in) in one pipeline: TIME, then GETRANGE
 * and PEXPIRETIME a key, then TIME. Values that may be cut or gone are asked for again, with their length, in
 * a second one. A value and its deadline aren't read atomically: a key that changes hands between the two can
 * show the old holder with the new deadline, which no guard then fits. False where the link is down;
 * otherwise `done` is called once, unless the connection is destroyed.
 */
bool readKeys(Connection &connection, const ReadMode &mode, QList<Observation> locks,
              std::function<void(KeyPage &)> done);

} // namespace lockkeeper::stores::redis
