// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

namespace lockkeeper::locks {

/**
 * Makes a LockClient for the lock set `set` of `spec`. `owner` (application, host, process) is written to the
 * holder column; schemes without one ignore it.
 */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const stores::SourceSpec &spec,
                                                         const stores::LockSet &set, const QByteArray &owner);

} // namespace lockkeeper::locks
