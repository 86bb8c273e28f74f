// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/** Observes and breaks locks in one etcd cluster over its JSON gateway. Unsupported where this build leaves
 * etcd out. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

} // namespace lockkeeper::stores::etcd
