// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/job_stage.h"
#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/store.h"

#include <QSet>

#include <atomic>
#include <functional>

namespace lockkeeper::stores::sql {

/** Test hooks between the steps of a release. Empty in programs. */
struct ReleaseSeams
{
    QSet<QByteArray> withoutTerms;     ///< guard terms to leave out
    std::function<void()> beforeWrite; ///< runs on the worker, between the reading and the guarded write
};

/** The result of a release, and the error, if any, that ended the link during it. */
struct ReleaseAttempt
{
    ReleaseReport report;
    std::optional<base::Error> linkLost;
};

/** The result for an order that ended with `outcome`. */
ReleaseAttempt releaseEnded(domain::Outcome outcome, const base::Error &error = {});

/** The release failed before anything was written: refused, or unreachable if the link is lost. */
ReleaseAttempt releaseFailedBefore(const base::Error &error, const QString &breakGrant = {});

/** The write failed: refused where the server reports that it undid the write, otherwise unknown. */
ReleaseAttempt releaseFailedWrite(const SqlFailure &failure, const QString &breakGrant = {});

} // namespace lockkeeper::stores::sql
