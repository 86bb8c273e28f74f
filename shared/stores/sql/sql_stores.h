// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <memory>

namespace lockkeeper::stores::sql {

/** Makes a store that observes and breaks locks in tables of a MySQL or MariaDB server, on its own thread. */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

/** Rejects everything that is wrong without a connection: no SQL is ever sent for an invalid name. */
base::Result<void> checkSource(const SourceSpec &spec, const QList<LockSet> &sets);

} // namespace lockkeeper::stores::sql
