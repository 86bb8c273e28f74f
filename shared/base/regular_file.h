// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

class QFile;

namespace lockkeeper::base {

/**
 * Opens `file` for reading. Never waits: a FIFO or a device in its place is refused. The error's cause says
 * why, without the name. POSIX.
 */
Result<void> openRegular(QFile &file);

} // namespace lockkeeper::base
