// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockkeeper::domain {

/** One client's attempts on one lock, as a probe saw them. */
struct ProbeCount
{
    QByteArray lock;
    QByteArray client;    ///< address
    qint64 attempts = 0;  ///< attempts to acquire the lock
    qint64 failed = 0;    ///< attempts on a held lock; only from agents that simulated the server
    qint64 uncertain = 0; ///< attempts whose outcome isn't known
    bool operator==(const ProbeCount &) const = default;
};

/** Why a probe ended. */
enum class ProbeEnd : quint8 {
    Time = 0, ///< the requested time is over
    Commands, ///< the maximum number of commands was seen
    Bytes,    ///< the maximum number of bytes was received
    Behind,   ///< the agent couldn't keep up: going on would have filled the server's memory
};

/** Stable: "time", "commands", "bytes", "behind". */
QByteArrayView probeEndName(ProbeEnd end);

} // namespace lockkeeper::domain
