// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::locks::sql {

/** The set, with its scheme's default layout if it names neither a preset nor a table. */
stores::LockSet withLayout(const stores::LockSet &set);

/**
 * The statement that creates the table of a lock set if it doesn't exist: as its preset's own clients expect
 * it, or with the configured columns. In MySQL the names in it are compared byte by byte. Fails with Usage
 * for a scheme without a table, and with Unsupported for a table that its application creates itself.
 */
base::Result<QString> createTableStatement(const stores::LockSet &set, stores::sql::Dialect dialect);

/** Runs that statement over a separate connection. Blocks until the store has answered. An existing table
 * stays unchanged. */
base::Result<void> createTable(const stores::SourceSpec &spec, const stores::LockSet &set);

} // namespace lockkeeper::locks::sql
