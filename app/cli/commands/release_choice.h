// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/release_command.h"
#include "app/cli/live_table.h"

namespace lockkeeper::app::cli {

/** The agent that a force-release goes to. */
struct ReleaseChoice
{
    struct ReleaseCandidate
    {
        qsizetype agent = 0;
        std::optional<domain::LockState> lock; ///< empty: only the source has the name
    };
    std::optional<qsizetype> agent;
    QList<ReleaseCandidate>
        candidates; ///< if no agent was chosen, the possible ones; none: no source has the name
};

/**
 * Chooses the only agent that has the lock that the options name. If several agents see the same lock, it
 * chooses the agent that sees it best (SeenOnce). If the name fits different locks, the caller has to choose.
 * If no agent shows the lock, the agent with the source reports that.
 */
ReleaseChoice chooseForRelease(const QList<const LiveTable *> &agents, const ReleaseOptions &options);

} // namespace lockkeeper::app::cli
