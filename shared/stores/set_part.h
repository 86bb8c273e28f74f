// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

namespace lockkeeper::stores {

/** ShardState::ranges of a part that is no server but one lock set, which can't be read while others are; its
 * `node` is the set's place. */
inline constexpr QLatin1String kSetPart("set");

inline bool isSetPart(const ShardState &part)
{
    return part.ranges == kSetPart;
}

} // namespace lockkeeper::stores
