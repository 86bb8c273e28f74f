// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

namespace lockkeeper::base {

/**
 * Reads a password: one line of standard input, at most 1 KiB. At a terminal it writes `prompt` to standard
 * error and doesn't show the typed characters. If a signal ends the program, the terminal is restored first.
 * Blocks.
 */
Result<QByteArray> readPassword(const QString &prompt);

} // namespace lockkeeper::base
