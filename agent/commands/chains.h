// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::agent::commands {

/** What a ChainsPage may take, well below a frame's limit. */
inline constexpr qint64 kChainsBytes = 6 * 1024 * 1024;

/**
 * The graphs as one page of at most `budget` bytes. What doesn't fit is left out, edges whose connections are
 * left out with it, and the graph then says `truncated`; the sources before it are whole.
 */
protocol::ChainsPage chainsPage(quint64 id, QList<domain::WaitGraph> graphs, qint64 budget = kChainsBytes);

} // namespace lockkeeper::agent::commands
