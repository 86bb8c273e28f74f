// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/source_spec.h"

#include <memory>

namespace lockkeeper::locks::sql {

using namespace stores;

/** A client of the set's scheme; `owner` goes into the holder's column with a random part for each
 * acquisition. */
base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner);

} // namespace lockkeeper::locks::sql
