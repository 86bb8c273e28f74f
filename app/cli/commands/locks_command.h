// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/listing.h"

namespace lockkeeper::app::cli {

/** The locks of one agent that a listing shows. A lock that several agents see is shown once (SeenOnce). */
struct ShownLocks
{
    qsizetype agent = 0;
    qint64 wallUs = 0; ///< by that agent's clock
    QList<domain::LockState> locks;
    QList<QStringList> also; ///< for each lock, the other agents that see it
};

QList<ShownLocks> shownLocks(const Listing &listing, const LocksOptions &options);
/** Their rows as objects, one after the other. */
void eachLock(const Listing &listing, const LocksOptions &options,
              const std::function<void(const QJsonObject &)> &take);
/** Declares the options that select locks. */
void declareLocks(Arguments &arguments, LocksOptions &options);
/** The part of the command at one agent. Without an AgentPart it writes JSON page by page, as it comes. */
std::unique_ptr<Command> makeLocksCommand(const LocksOptions &options, Context &context);

} // namespace lockkeeper::app::cli
