// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/alert_rule.h"
#include "shared/config/table_reader.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::agent::config {

/**
 * Reads [alerts] and each [[alert]]. An entry that names a default rule changes that rule; other entries add
 * one. `receivers`: the names that `notify` may have.
 */
AlertSettings readAlerts(const toml::table &general, const QList<const toml::table *> &rules,
                         const QList<stores::SourceSpec> &sources, const QStringList &receivers,
                         lockkeeper::config::Problems &problems);

/** Rules that can't do what their author expects, one sentence each: a rule that never fires, and the milder
 * of two rules that fires after the more severe one. */
QStringList contradictions(const AlertSettings &settings);

} // namespace lockkeeper::agent::config
