// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

namespace lockkeeper::agent::engine {

/** Makes `record` show an observation of which nothing can be told: who may hold it, and on which servers. */
void showIndeterminate(Record &record, const stores::Observation &seen);

} // namespace lockkeeper::agent::engine
