// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/same_stores.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::session {

/**
 * Gives each lock of a store that several agents watch a single lane: the lane of the source that sees it
 * best. For the times when that source didn't observe, another source's observations fill the lane. The
 * lane's gaps are the times when no source observed. `firstUs` says for each agent how far its journal
 * reaches back (0: the journal is empty). Before that time it saw nothing. Pure.
 */
void joinLanes(protocol::TimelinePage &page, const SameStores &stores, const QHash<QString, qint64> &firstUs);

} // namespace lockkeeper::app::session
