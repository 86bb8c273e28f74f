// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"

namespace lockkeeper::app::cli {

/** Which agent a force-release goes to. */
struct ReleaseChoice
{
    struct Candidate
    {
        qsizetype agent = 0;
        std::optional<domain::LockState> lock; ///< empty: only the source has the name
    };
    std::optional<qsizetype> agent;
    QList<Candidate> candidates; ///< without an agent: who else may be meant; none: no source has the name
};

/**
 * The only agent that has the lock that the options name; of several that see the same lock, the one that
 * sees it best (SeenOnce). Different locks of one name are left to the asker. Where no agent shows the lock,
 * the one with the source is to say so.
 */
ReleaseChoice chooseForRelease(const QList<const LiveTable *> &agents, const ReleaseOptions &options);

} // namespace lockkeeper::app::cli
