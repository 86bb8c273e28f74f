// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/forward_settings.h"
#include "shared/config/table_reader.h"

namespace lockkeeper::agent::config {

/** Reads each [[forward]] of the file. A password file's path begins at `folder`. */
QList<ForwardSettings> readForwards(const lockkeeper::config::TableReader &file, const QString &folder,
                                    lockkeeper::config::Problems &problems);

} // namespace lockkeeper::agent::config
