// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_agent.h"

namespace lockkeeper::tests {

/** The moment at which the golden files look at the world: 2026-11-20 03:00:00 UTC. */
inline constexpr qint64 kGoldenNowUs = 1'795'143'600'000'000;

/**
 * Fills an agent with the rows of the golden files: each state of a lock, each kind of event and of a hold's
 * end, audit entries of each kind, chains, a silent source, hostile names.
 */
void fillGoldenAgent(FakeAgent &agent);
/** A second agent, which sees the source orders too and watches a source of its own. */
void fillSecondGoldenAgent(FakeAgent &agent);

} // namespace lockkeeper::tests
