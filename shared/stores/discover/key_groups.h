// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_facts.h"

namespace lockkeeper::stores::discover {

/**
 * Sorts keys into groups by the common parts of their names and by their type. Where a name contains a word
 * for locks, the pattern goes up to it ("lock:*", "order:*:lock"). Elsewhere it goes as deep as few words
 * distinguish the keys ("app:session:*"). Helpers of lock libraries go to their lock's group. A pure
 * function: the same keys give the same groups, in the same order.
 */
QList<KeyGroup> groupsOf(const QList<KeyFacts> &keys);

} // namespace lockkeeper::stores::discover
