// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

namespace lockkeeper::app::replica {

/**
 * Reconstructs the waits of a past moment, as far as connections' locks show them by their holders and
 * waiters. Returns a graph for each source with such a wait. A waiter that holds no lock is known only by its
 * text.
 */
QList<domain::WaitGraph> pastGraphs(const QList<domain::LockState> &locks, qint64 atUs);

} // namespace lockkeeper::app::replica
