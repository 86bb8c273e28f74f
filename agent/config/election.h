// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/config/table_reader.h"

namespace lockkeeper::agent::config {

/** The keys of [agent] that configure its election. */
QStringList electionKeys();
/** Reads these keys. nullopt: the agent is the only one for its sources, or a problem was reported. */
std::optional<ElectionSettings> readElection(const lockkeeper::config::TableReader &reader,
                                             const QList<stores::SourceSpec> &sources);

} // namespace lockkeeper::agent::config
