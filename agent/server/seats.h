// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QHash>
#include <QString>

#include <memory>

namespace lockkeeper::agent::server {

/**
 * Counts the sessions that have logged in, so that neither one user nor one machine keeps the others out.
 * Sessions from this machine's sockets and those over the network are counted apart. Lives in the main
 * thread.
 */
class Seats
{
public:
    struct Limits
    {
        int all = 256;
        int reserved = 16; ///< of `all`, for administrators
        int user = 128;    ///< sessions of one user
        int machine = 192; ///< sessions from one address
    };
    /** A place becomes free when its last copy is destroyed. The Seats must outlive it. */
    using Place = std::shared_ptr<void>;

    Seats() = default;
    explicit Seats(const Limits &limits) : m_limits(limits) {}
    Q_DISABLE_COPY_MOVE(Seats)

    /** `machine` is the client's address; empty: a socket of this machine. Fails with Busy if a limit is
     * reached. */
    base::Result<Place> take(const QString &user, const QString &machine, bool isAdmin);

private:
    Limits m_limits;
    QHash<QString, int> m_taken; ///< keys: "local", "net", either with a slash and the user, the machine
};

} // namespace lockkeeper::agent::server
