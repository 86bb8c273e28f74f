// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::sql {

/** Observes and breaks locks in tables of one MySQL or MariaDB server, on a thread of its own. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/** All that can be refused without a connection: no SQL is ever sent for a name that can't be one. */
base::Result<void> checkSource(const SourceSpec &spec, const QList<LockSet> &sets);

} // namespace lockkeeper::stores::sql
