// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/sight.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::requests {

/** The most bytes of a ChainsPage, well below a frame's limit. */
inline constexpr qint64 kChainsBytes = 6 * 1024 * 1024;

/** The part of the graph that this sight allows. If it covers only a part of the source, only waits for
 * visible locks and their sessions remain, and the graph says that there may be more. */
domain::WaitGraph shownGraph(domain::WaitGraph graph, const domain::Sight &sight);

/**
 * The graphs as one page of at most `budget` bytes. A graph that is too large is cut and marked `truncated`;
 * edges go with the connections that were cut. The graphs before it are whole.
 */
protocol::ChainsPage chainsPage(quint64 id, QList<domain::WaitGraph> graphs, qint64 budget = kChainsBytes);

} // namespace lockkeeper::agent::requests
