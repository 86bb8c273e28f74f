// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace lockkeeper::app::words {

/**
 * The causes and remedies that agents, the lock library and the transport report, in the context "Errors".
 * %1 to %3 stand for parts that are copied unchanged. Texts that begin with such a part come last.
 */
std::span<const char *const> knownErrors();

} // namespace lockkeeper::app::words
