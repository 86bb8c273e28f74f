// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/domain/release.h"

namespace lockkeeper::app::cli {

/** "held on 3 of 5; not on 10.0.0.4:6379 (unreachable), …" of a lock kept on several servers. */
QString nodesText(const domain::LockState &state);

/** The outcome of a release on each server, one per line; empty if the lock isn't kept on several servers. */
QString nodeOutcomesText(const QList<domain::NodeOutcome> &nodes);

} // namespace lockkeeper::app::cli
