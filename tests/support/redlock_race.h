// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/script.h"
#include "tests/support/redis_race.h"
#include "tests/support/redlock_nodes.h"

#include <optional>

namespace lockkeeper::tests {

/**
 * The race of redis_race.h over the nodes of a Redlock. Clients acquire a majority, renew and release, with a
 * new token for each acquisition and a new deadline for each renewal. Meanwhile a RedlockStore breaks locks
 * by guards of random age. On each node, a token that its client finds gone (or with another deadline) was
 * broken there. The guard must be of just that acquisition, and where asked for of just that deadline; any
 * other break is wrong.
 */
RaceResult runRedlockRace(RedlockNodes &nodes, const RacePlan &plan,
                          const std::optional<stores::redis::Script> &script = {});

} // namespace lockkeeper::tests
