// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/config/table_reader.h"

namespace lockkeeper::agent::config {

using lockkeeper::config::Problems;
using lockkeeper::config::TableReader;

/** Reads one `[[access]]`. */
AccessRule readAccess(const toml::table &table, const QList<stores::SourceSpec> &sources, Problems &problems);

} // namespace lockkeeper::agent::config
