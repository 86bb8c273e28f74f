// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/session_source.h"

namespace lockkeeper::stores::sql {

/**
 * The guarded kill of PostgreSQL: one statement that finds the backend by everything the target holds and
 * terminates what it found. What stays open is the moment in the server between the two, within that
 * statement. A row lock's target is pinned by process, start of the backend, start and id of the transaction.
 * An advisory lock may outlive transactions: it is pinned by the backend, by the session having run no other
 * statement since (`freshness`) and by the lock itself.
 */
KillReply killPostgres(Connection &connection, const KillTarget &target);
base::Result<bool> wouldKillPostgres(Connection &connection, const KillTarget &target);
/** False once the backend, or its transaction, is gone. */
base::Result<bool> isPostgresBackendThere(Connection &connection, const KillTarget &target);

} // namespace lockkeeper::stores::sql
