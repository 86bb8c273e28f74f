// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::cli {

/** The exit statuses documented in lockkeeperctl(1), for scripts. */
enum class Exit : int {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Unreachable = 3,
    NotPermitted = 4,
    HolderChanged = 5,
    AlreadyFree = 6,
    Unknown = 7,
    AwaitingApproval = 8, ///< nothing was done yet
    NotObtained = 75,     ///< run: the lock, in time
    LockLost = 76,        ///< run: while the command ran
    NotExecutable = 126,  ///< run, as shells have it
    NoSuchCommand = 127,  ///< run, as shells have it
};

/** The status for a request that failed as a whole. */
Exit exitOf(const base::Error &error);
/** The status for the outcome of a force-release. */
Exit exitOf(const protocol::ReleaseResult &result);

} // namespace lockkeeper::app::cli
