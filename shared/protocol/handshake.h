// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::protocol {

/**
 * The version that both sides speak: the lower of the two newest, where neither side has dropped it. `newest`
 * and `oldest` are the peer's. Unsupported, with which side must be updated, where there is none.
 */
base::Result<int> negotiate(int newest, int oldest);

} // namespace lockkeeper::protocol
