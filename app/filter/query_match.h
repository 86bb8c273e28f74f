// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"

namespace lockkeeper::app::filter {

/**
 * True if `bytes` matches `value`: text anywhere in `bytes`, a pattern all of it; ASCII letters ignore case.
 * A value with a backslash is also compared with the escaped text that users see.
 */
bool textFits(const QueryValue &value, QByteArrayView bytes);

} // namespace lockkeeper::app::filter
