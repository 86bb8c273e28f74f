// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::redis {

/** How many servers a source has, and how they belong together. */
enum class Topology : quint8 { Server, Sentinel, Cluster, Redlock };
Topology topologyOf(const QUrl &url);

/** Observes and breaks locks in one Redis server over hiredis on the calling thread's event loop. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
