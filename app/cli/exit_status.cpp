// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exit_status.h"

namespace lockkeeper::app::cli {

using base::ErrorCode;
using domain::Outcome;

Exit exitOf(const base::Error &error)
{
    switch (error.code) {
    case ErrorCode::Usage:
    case ErrorCode::Ambiguous:
        return Exit::Usage;
    case ErrorCode::Unreachable:
    case ErrorCode::ConnectionLost:
    case ErrorCode::Timeout:
    case ErrorCode::Loading:
    case ErrorCode::Shutdown:
        return Exit::Unreachable;
    case ErrorCode::PermissionDenied:
    case ErrorCode::Authentication:
        return Exit::NotPermitted;
    default:
        return Exit::Failed;
    }
}

Exit exitOf(const protocol::ReleaseResult &result)
{
    switch (result.outcome) {
    case Outcome::Released:
        return Exit::Done;
    case Outcome::HolderChanged:
        return Exit::HolderChanged;
    case Outcome::AlreadyFree:
        return Exit::AlreadyFree;
    case Outcome::Unreachable:
        return Exit::Unreachable;
    case Outcome::Unknown:
    case Outcome::Pending:
        return Exit::Unknown;
    case Outcome::AwaitingApproval:
        return Exit::AwaitingApproval;
    case Outcome::Rejected:
        return Exit::NotPermitted;
    case Outcome::Refused:
        return exitOf(result.error) == Exit::NotPermitted ? Exit::NotPermitted : Exit::Failed;
    case Outcome::Partial:
    case Outcome::WouldRelease: // in the audit only
    case Outcome::Probed:
    case Outcome::LoggedIn:
    case Outcome::Discovered:
    case Outcome::Accepted:
    case Outcome::Ended:
        break;
    }
    return Exit::Failed;
}

} // namespace lockkeeper::app::cli
