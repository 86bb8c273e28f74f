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
    qint64 attempts = 0;  ///< to take the lock
    qint64 failed = 0;    ///< of them on a lock that somebody held; of agents that simulated the server
    qint64 uncertain = 0; ///< of them, whose outcome isn't known
    bool operator==(const ProbeCount &) const = default;
};

/** Why a probe ended. */
enum class ProbeEnd : quint8 {
    Time = 0, ///< as long as it was to last
    Commands, ///< so many had passed by
    Bytes,    ///< it was told more than it takes
    Behind,   ///< the agent couldn't follow: to go on would have filled the server's memory
};

/** Stable: "time", "commands", "bytes", "behind". */
QByteArrayView probeEndName(ProbeEnd end);

} // namespace lockkeeper::domain
