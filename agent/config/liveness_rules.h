// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/liveness_rule.h"
#include "shared/config/table_reader.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::agent::config {

/** Reads each [[liveness]]. */
QList<LivenessRule> readLiveness(const QList<const toml::table *> &tables,
                                 const QList<stores::SourceSpec> &sources,
                                 lockkeeper::config::Problems &problems);

} // namespace lockkeeper::agent::config
