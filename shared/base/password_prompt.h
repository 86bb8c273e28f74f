// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

namespace lockkeeper::base {

/**
 * A password: one line of standard input, at most 1 KiB. At a terminal `prompt` is written to standard error
 * and nothing that is typed is shown; a signal that ends the program does so with the terminal as it was.
 * Blocks.
 */
Result<QByteArray> readPassword(const QString &prompt);

} // namespace lockkeeper::base
