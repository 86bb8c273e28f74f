// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/job_stage.h"
#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/store.h"

#include <QSet>

#include <atomic>
#include <functional>

namespace lockkeeper::stores::sql {

/** Places where tests get between the steps of a release. Empty in programs. */
struct ReleaseSeams
{
    QSet<QByteArray> withoutTerms;     ///< guard terms to leave out
    std::function<void()> beforeWrite; ///< runs on the worker, between the reading and the guarded write
};

/** What a release came to, and the error that ended the link on the way. */
struct ReleaseResult
{
    ReleaseReport report;
    std::optional<base::Error> linkLost;
};

/** An order's end. */
ReleaseResult releaseEnded(domain::Outcome outcome, const base::Error &error = {});

/** Failed before anything was written: refused, or unreachable where the link is gone. */
ReleaseResult releaseFailedBefore(const base::Error &error, const QString &breakGrant = {});

/** The write failed: refused where the server says that it undid it, otherwise unknown. */
ReleaseResult releaseFailedWrite(const SqlFailure &failure, const QString &breakGrant = {});

} // namespace lockkeeper::stores::sql
