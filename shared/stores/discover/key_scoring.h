// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"
#include "shared/stores/discover/key_facts.h"

namespace lockkeeper::stores::discover {

/**
 * Judges the keys of one pattern: are they locks, by which scheme, and how sure is that. `nowS`: the store's
 * clock, seconds since the epoch. A pure function: the same keys give the same judgement.
 */
Candidate judge(const KeyGroup &group, qint64 nowS);

} // namespace lockkeeper::stores::discover
