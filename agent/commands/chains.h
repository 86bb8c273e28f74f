// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/sight.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::commands {

/** What a ChainsPage may take, well below a frame's limit. */
inline constexpr qint64 kChainsBytes = 6 * 1024 * 1024;

/** What is seen of the graph: of a part of a source the waits for locks that are seen, and who stands in
 * them; it says then that there may be more. */
domain::WaitGraph shownGraph(domain::WaitGraph graph, const domain::Sight &sight);

/**
 * The graphs as one page of at most `budget` bytes. What doesn't fit is left out, edges whose connections are
 * left out with it, and the graph then says `truncated`; the sources before it are whole.
 */
protocol::ChainsPage chainsPage(quint64 id, QList<domain::WaitGraph> graphs, qint64 budget = kChainsBytes);

} // namespace lockkeeper::agent::commands
