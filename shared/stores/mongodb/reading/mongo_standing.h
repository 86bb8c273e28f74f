// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/connection/bson.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::mongodb {

/**
 * The position of a replica set by its answer to `hello`: the numbers of its last election and of its
 * configuration, which only grow. They are lower once a set runs on older files, or was initiated again on
 * them; the positions in its oplog are times, and reveal nothing. Empty for other deployments.
 */
Standing standingOf(const bson_t *hello);

} // namespace lockkeeper::stores::mongodb
