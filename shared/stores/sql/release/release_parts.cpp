// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/release/release_parts.h"

#include "shared/stores/sql/connection/sql_errors.h"

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

ReleaseResult releaseEnded(const ReleaseOrder &order, Outcome outcome, Error error)
{
    ReleaseResult result;
    result.report.command = order.command;
    result.report.outcome = outcome;
    result.report.error = std::move(error);
    return result;
}

ReleaseResult releaseFailedBefore(const ReleaseOrder &order, const Error &error, const QString &breakGrant)
{
    if (isLinkLost(error.code)) {
        ReleaseResult result = releaseEnded(order, Outcome::Unreachable, error);
        result.linkLost = error;
        return result;
    }
    Error told = error;
    if (told.code == ErrorCode::PermissionDenied && !breakGrant.isEmpty())
        told.remedy = QStringLiteral("Run: %1;").arg(breakGrant);
    return releaseEnded(order, Outcome::Refused, told);
}

ReleaseResult releaseFailedWrite(const ReleaseOrder &order, const SqlFailure &failure,
                                 const QString &breakGrant)
{
    if (failure.refused)
        return releaseFailedBefore(order, failure.error, breakGrant);
    ReleaseResult result = releaseEnded(order, Outcome::Unknown, failure.error);
    result.linkLost = failure.error;
    return result;
}

} // namespace lockkeeper::stores::sql
