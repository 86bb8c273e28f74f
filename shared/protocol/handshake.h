// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

namespace lockkeeper::protocol {

/**
 * The protocol version for the session: the lower of both sides' newest, if both sides still support it.
 * `newest` and `oldest` are the peer's. Fails with Unsupported otherwise; the remedy names the side to
 * update.
 */
base::Result<int> negotiate(int newest, int oldest);

} // namespace lockkeeper::protocol
