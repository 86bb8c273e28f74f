// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"

namespace lockkeeper::app::session {

/**
 * Identifies the running server behind a source, for any agent that reports it. Two agents whose sources have
 * the same identity see the same store, and a lock with the same scheme, place and name there is the same
 * lock. Empty: nothing proves the server's identity, and its locks are never assumed to be another source's.
 *
 * The whole of SourceState::instance counts, that is the server's start as well as its uid. A PostgreSQL
 * standby has its primary's system identifier, and MariaDB derives its uid from a network interface's
 * address, which containers share. A file's number (SQLite), a set of addresses (Redlock) and a cluster's
 * common name are unique at most on one machine or network.
 */
QByteArray storeIdentity(const domain::SourceState &source);

/**
 * Compares how well two sources of different agents see the same store: negative if `a` sees it better,
 * positive if `b` does, 0 if they are equal. The order of importance: currently observed before not observed,
 * push before polling, the shorter interval, and a source with the right to break locks before one that lacks
 * a right for it.
 */
int betterSource(const domain::SourceState &a, const domain::SourceState &b);

/**
 * True if two agents watch the same source in turns, by an election. A standby has no connection that could
 * prove it, so the configured name and address must be equal. Pure.
 */
bool isSameConfigured(const domain::SourceState &a, const domain::SourceState &b);

} // namespace lockkeeper::app::session
