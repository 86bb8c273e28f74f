// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/connection.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::stores::sql {

/** The one session to end, and all that must still be true of it. */
struct KillTarget
{
    QByteArray session;
    QByteArray identity; ///< as Observation::identity
    bool advisory = false;
    QByteArray name;      ///< advisory: the lock's
    QByteArray freshness; ///< as Observation::freshness; compared where a source sets it
    bool anyAge = false;  ///< tests only: also a transaction younger than 5 s
};

/** What the server said to a guarded kill. */
struct KillReply
{
    bool killed = false; ///< false without a failure: the guard didn't hold, nothing was done
    std::optional<SqlFailure> failure;
};

/**
 * The guarded kill: finds the connection by everything that the target holds and ends what it found, in one
 * message to the server.
 *
 * MySQL and MariaDB: two statements, so that no round trip lies between the check and the kill. Where the
 * check finds nothing the kill names NULL and the server refuses it.
 *
 * PostgreSQL: one statement. What stays open is the moment in the server between finding and ending, within
 * that statement. A row lock's target is pinned by process, start of the backend, start and id of the
 * transaction. An advisory lock may outlive transactions: it is pinned by the backend, by the session having
 * run no other statement since (`freshness`) and by the lock itself.
 */
KillReply killGuarded(Connection &connection, const KillTarget &target);
/** Its comparison alone: would it act now? */
base::Result<bool> wouldKill(Connection &connection, const KillTarget &target);
/** True while the acquisition is still there: false once the session let go of it or ended. */
base::Result<bool> isAcquisitionThere(Connection &connection, const KillTarget &target);

} // namespace lockkeeper::stores::sql
