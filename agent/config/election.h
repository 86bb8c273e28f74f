// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/config/table_reader.h"

namespace lockkeeper::agent::config {

/** The keys of [agent] by which it is elected … */
QStringList electionKeys();
/** … and what they say; none where it is the only agent for its sources. */
std::optional<Election> readElection(const lockkeeper::config::TableReader &reader,
                                     const QList<stores::SourceSpec> &sources);

} // namespace lockkeeper::agent::config
