// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::locks::sql {

using namespace stores;
using namespace stores::sql;

/** The set with its scheme's own layout where it names neither a preset nor a table. */
LockSet withLayout(const LockSet &set);

/**
 * The statement that creates the table of a lock set where it isn't there: as its preset's own clients expect
 * it, or with the columns that the configuration names. MySQL's names are compared byte by byte there. Usage
 * for what has no table, Unsupported for the tables of applications that make theirs themselves.
 */
base::Result<QString> createTableStatement(const LockSet &set, Dialect dialect);

/** Runs it, over a connection of its own; blocks until the store has answered. A table that is there stays as
 * it is. */
base::Result<void> createTable(const SourceSpec &spec, const LockSet &set);

} // namespace lockkeeper::locks::sql
