// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_agent.h"

namespace lockkeeper::tests {

/** The moment at which the golden files look at the world: 2026-11-20 03:00:00 UTC. */
inline constexpr qint64 kGoldenNowUs = 1'795'143'600'000'000;

/**
 * Fills an agent with the rows of the golden files: each state of a lock, each kind of event, each end of a
 * hold. There are audit entries, chains, a silent source and hostile names, too.
 */
void fillGoldenAgent(FakeAgent &agent);
/** A second agent, which watches the same source `orders`, and the source `stock`. */
void fillSecondGoldenAgent(FakeAgent &agent);

} // namespace lockkeeper::tests
