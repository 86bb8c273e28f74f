// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores::mongodb {

/** Observes and breaks locks in one database of MongoDB; Unsupported where this build has no driver for it.
 */
base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec);

} // namespace lockkeeper::stores::mongodb
