// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/set_reader.h"

namespace lockkeeper::stores::sql {

/** Opens a set of any SQL scheme that this build has. */
base::Result<std::unique_ptr<SetReader>> openSet(const SetContext &context);

} // namespace lockkeeper::stores::sql
