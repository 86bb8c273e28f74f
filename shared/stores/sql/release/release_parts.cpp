// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/release/release_parts.h"

#include "shared/stores/sql/connection/sql_errors.h"

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

ReleaseAttempt releaseEnded(Outcome outcome, const Error &error)
{
    return {reportOf(outcome, error), {}};
}

ReleaseAttempt releaseFailedBefore(const Error &error, const QString &breakGrant)
{
    if (isLinkLost(error.code)) {
        ReleaseAttempt result = releaseEnded(Outcome::Unreachable, error);
        result.linkLost = error;
        return result;
    }
    Error told = error;
    if (told.code == ErrorCode::PermissionDenied && !breakGrant.isEmpty())
        told.remedy = QStringLiteral("Run: %1;").arg(breakGrant);
    return releaseEnded(Outcome::Refused, told);
}

ReleaseAttempt releaseFailedWrite(const SqlFailure &failure, const QString &breakGrant)
{
    if (failure.refused)
        return releaseFailedBefore(failure.error, breakGrant);
    ReleaseAttempt result = releaseEnded(Outcome::Unknown, failure.error);
    result.linkLost = failure.error;
    return result;
}

} // namespace lockkeeper::stores::sql
