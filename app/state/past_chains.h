// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

namespace lockkeeper::app::state {

/**
 * Who waited for whom at a past moment, as far as the locks of connections tell by their holders and waiters:
 * a graph for each source that has such a wait. Whoever waits and holds nothing that was waited for is known
 * by its text alone.
 */
QList<domain::WaitGraph> pastGraphs(const QList<domain::LockState> &locks, qint64 atUs);

} // namespace lockkeeper::app::state
