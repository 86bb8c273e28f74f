// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"

namespace lockkeeper::app::session {

/**
 * Names the running server behind a source, whichever agent tells of it. Two agents whose sources have the
 * same identity see the same store, and a lock of the same scheme, place and name there is one lock. Empty:
 * nothing proves which server it is, and what agents see there is never taken for the same.
 *
 * The whole of SourceState::instance counts, the server's start with its uid: a PostgreSQL standby has its
 * primary's system identifier, and MariaDB makes its uid of an interface's address, which containers share. A
 * file's number (SQLite), a set of addresses (Redlock) and a cluster's common name are unique on one machine
 * or network at most.
 */
QByteArray storeIdentity(const domain::SourceState &source);

/**
 * Which of two sources, of the same store at different agents, sees it better: negative where `a` does,
 * positive where `b` does, 0 where neither is told from the other. What is observed now counts before what
 * isn't, then push before polling, the shorter interval, and a source that may break before one that lacks a
 * right for it.
 */
int betterSource(const domain::SourceState &a, const domain::SourceState &b);

/**
 * Whether two agents watch the same source in turns, by an election: a standby has no connection that could
 * prove it, so the configured name and address have to be the same. Pure.
 */
bool isSameConfigured(const domain::SourceState &a, const domain::SourceState &b);

} // namespace lockkeeper::app::session
