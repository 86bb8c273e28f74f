// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/sql_connection.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::stores::sql {

/** The session to end, and the facts that must still be true of it. */
struct KillTarget
{
    QByteArray session;
    QByteArray identity; ///< as Observation::identity
    bool advisory = false;
    QByteArray name;      ///< advisory: the lock's
    QByteArray freshness; ///< as Observation::freshness; compared where a source sets it
    bool anyAge = false;  ///< tests only: also a transaction younger than 5 s
};

/** The server's reply to a guarded kill. */
struct KillReply
{
    bool killed = false; ///< false without a failure: the guard didn't hold, nothing was done
    std::optional<SqlFailure> failure;
};

/**
 * The guarded kill finds the connection by all facts of the target, and ends the connection that it found, in
 * one message to the server.
 *
 * MySQL and MariaDB: two statements, so that no round trip lies between the check and the kill. If the check
 * finds nothing, the kill names NULL and the server refuses it.
 *
 * PostgreSQL: one statement. A gap remains in the server between finding and ending, within that statement.
 * For a row lock, the process, the backend's start, and the transaction's start and id pin the target. An
 * advisory lock may outlive transactions. The backend, the lock itself, and the fact that the session has run
 * no other statement since (`freshness`) pin its target.
 */
KillReply killGuarded(SqlConnection &connection, const KillTarget &target);
/** Only the comparison of the guard: true where a kill would act now. */
base::Result<bool> wouldKill(SqlConnection &connection, const KillTarget &target);
/** True while the acquisition exists: false once the session has released it or ended. */
base::Result<bool> isAcquisitionThere(SqlConnection &connection, const KillTarget &target);

} // namespace lockkeeper::stores::sql
