// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/store.h"

#include <QSet>

#include <atomic>
#include <functional>

namespace lockkeeper::stores::sql {

/**
 * How far a job has come, shared by the asker's thread and the worker. The worker moves it to Writing before
 * a write is sent, the asker to Cancelled; only one of the two succeeds, so that a job that was called off
 * never writes and one that wrote is never reported as not sent.
 */
class JobStage
{
public:
    bool beginWriting()
    {
        int expected = Waiting;
        return m_stage.compare_exchange_strong(expected, Writing) || expected == Writing;
    }
    bool cancel()
    {
        int expected = Waiting;
        return m_stage.compare_exchange_strong(expected, Cancelled);
    }
    bool isCancelled() const { return m_stage.load() == Cancelled; }

private:
    enum : int { Waiting, Writing, Cancelled };
    std::atomic<int> m_stage{Waiting};
};

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
ReleaseResult releaseEnded(domain::Outcome outcome, base::Error error = {});

/** Failed before anything was written: refused, or unreachable where the link is gone. */
ReleaseResult releaseFailedBefore(const base::Error &error, const QString &breakGrant = {});

/** The write failed: refused where the server says that it undid it, otherwise unknown. */
ReleaseResult releaseFailedWrite(const SqlFailure &failure, const QString &breakGrant = {});

} // namespace lockkeeper::stores::sql
