// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_evidence.h"

namespace lockkeeper::tests {

/** The end of the night: 2026-11-20 03:00:00 UTC. */
inline constexpr qint64 kNightEndsUs = 1'795'143'600'000'000;
inline constexpr qint64 kNightMinuteUs = 60'000'000;

/**
 * An hour at one lock: a job holds it, three workers wait behind it, the agent misses four minutes, and an
 * operator breaks the lock with a second person's approval. Then a worker works and releases it. A name with
 * markup and a reversed text is among the waiters.
 */
app::report::IncidentEvidence incidentNight();

} // namespace lockkeeper::tests
