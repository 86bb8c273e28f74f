// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_facts.h"

namespace lockkeeper::stores::discover {

/**
 * Sorts keys into groups by what their names have in common and by their type. Where a word for locks is in a
 * name, the pattern goes up to it ("lock:*", "order:*:lock"); elsewhere as deep as few words tell the keys
 * apart ("app:session:*"). Helpers of lock libraries go to their lock's group. A pure function: the same keys
 * give the same groups, in an order of their own.
 */
QList<KeyGroup> groupsOf(const QList<KeyFacts> &keys);

} // namespace lockkeeper::stores::discover
