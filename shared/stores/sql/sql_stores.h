// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::sql {

/** Observes and breaks locks in tables of one MySQL or MariaDB server, on a thread of its own. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/** Takes ShedLock rows; `owner` goes into `locked_by` with a random part for each acquisition. */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner);

} // namespace lockkeeper::stores::sql
