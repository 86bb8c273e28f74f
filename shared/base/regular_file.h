// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

class QFile;

namespace lockkeeper::base {

/**
 * Opens `file` for reading. Never blocks; fails if the path is a FIFO or a device. The error's cause gives
 * the reason without the file's name. POSIX.
 */
Result<void> openRegular(QFile &file);

} // namespace lockkeeper::base
