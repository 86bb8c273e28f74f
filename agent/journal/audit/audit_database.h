// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_anchor.h"
#include "agent/journal/storage/sqlite_connection.h"

namespace lockkeeper::agent::journal {

/**
 * Opens the audit's database for writing, or creates it. Every commit is synced (synchronous = FULL). If the
 * file is damaged, each record that can still be read is copied into a new file, and the damaged file is
 * renamed (`.corrupt-TIME`). The key kAuditDamage in `meta` then has the report, until somebody accepts it.
 * Errors: Storage, Unsupported for a newer version. Blocks.
 */
base::Result<void> openAuditDatabase(SqliteConnection &connection, const AuditFiles &files, qint64 nowUs);

/** Key in `meta`: why the audit was recovered, and where the damaged file lies. Empty: it wasn't, or somebody
 * has accepted it. */
inline constexpr const char *kAuditDamage = "audit_damage";

} // namespace lockkeeper::agent::journal
