// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/query.h"

namespace lockkeeper::app::state {

/**
 * True where `bytes` fits `value`: anywhere within it, or all of it by a pattern; ASCII letters in either
 * case. A value with a backslash is also compared with the escaped text that people see.
 */
bool textFits(const QueryValue &value, QByteArrayView bytes);

} // namespace lockkeeper::app::state
