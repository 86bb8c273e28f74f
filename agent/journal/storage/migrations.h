// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"

namespace lockkeeper::agent::journal {

/** The tables of one database file: the folder of that name in resources/sql. */
enum class Schema { Journal, Audit, Alerts };

/** The newest version that this build knows: the number of the last file NNNN_*.sql. */
int newestOf(Schema schema);

/**
 * Brings the file to newestOf(schema). Each step is a transaction that includes its number in schema_version,
 * so that an interrupted migration resumes where it stopped. Rejects a file of a newer build, or of a build
 * before the first release, with Unsupported and leaves it untouched.
 */
base::Result<void> migrate(SqliteConnection &connection, Schema schema);

} // namespace lockkeeper::agent::journal
