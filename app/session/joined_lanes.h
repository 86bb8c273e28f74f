// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/same_stores.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::session {

/**
 * Of a store that several agents watch each lock has one lane: that of the source that sees it best, and of
 * the times in which that one didn't look, what another saw. Its gaps are the times in which none of them
 * did. `firstUs` says for each agent what its journal reaches back to (0: it has nothing): before that it saw
 * nothing. Pure.
 */
void joinLanes(protocol::TimelinePage &page, const SameStores &stores, const QHash<QString, qint64> &firstUs);

} // namespace lockkeeper::app::session
