// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

namespace lockkeeper::locks::zookeeper {

using namespace stores;

/** Unsupported where this build has no client library for ZooKeeper. */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner);

} // namespace lockkeeper::locks::zookeeper
