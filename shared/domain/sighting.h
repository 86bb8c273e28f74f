// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

namespace lockkeeper::domain {

/** True if this outcome proves that the command read its lock in the store, or that the journal knew the
 * lock. A refusal proves nothing: a mistyped name is refused, too. */
constexpr bool provesSighting(Outcome outcome)
{
    return outcome != Outcome::Refused && outcome != Outcome::Unreachable && outcome != Outcome::Pending;
}

} // namespace lockkeeper::domain
