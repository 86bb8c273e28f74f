// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

namespace lockkeeper::locks {

using namespace stores;

/**
 * A LockClient for the lock set `set` of `spec`. `owner` is what schemes with a holder column write there
 * (application, host, process); schemes without one ignore it.
 */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner);

/**
 * The SQL statement that creates the set's table where it isn't there; Usage where it has none. Who asks a
 * lock client for a lock whose table is missing gets it as the error's remedy.
 */
base::Result<QString> createTableStatement(const SourceSpec &spec, const LockSet &set);
/** Runs it; blocks until the store has answered. A table that is there stays as it is. */
base::Result<void> createTable(const SourceSpec &spec, const LockSet &set);

} // namespace lockkeeper::locks
