// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QString>

namespace lockkeeper::agent::journal {

/**
 * Adds up again what the rows that are left of a journal tell; what retention has deleted stays as it was
 * added up then. No agent may write meanwhile. An interruption is made good by the agent's next start.
 * Blocks.
 */
base::Result<void> rebuildRollups(const QString &path, qint64 nowUs);

} // namespace lockkeeper::agent::journal
