// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"

#include <QList>
#include <QStringList>

namespace lockkeeper::app::cli {

/**
 * One source's chains as a tree for people: a line for the source and one per connection, heads first, with
 * their waiters below; then the deadlocks. Store text is escaped. `width`: columns, 0: any.
 */
QString chainsText(const domain::WaitGraph &graph, int width);

/**
 * Deadlocks, and the connections that block others, with the lock that they hold; one per line. Empty: nobody
 * waits.
 */
QStringList chainHeads(const domain::WaitGraph &graph);
/** The deadlocks of a graph, each the connections along its path. */
QList<QStringList> deadlocksOf(const domain::WaitGraph &graph);

} // namespace lockkeeper::app::cli
