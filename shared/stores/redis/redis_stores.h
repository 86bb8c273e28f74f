// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::redis {

/** Observes and breaks locks in one Redis server over hiredis on the calling thread's event loop. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/** Takes locks by `SET key token NX PX ttl`, renews and releases by scripts that compare the token. */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set);

} // namespace lockkeeper::stores::redis
