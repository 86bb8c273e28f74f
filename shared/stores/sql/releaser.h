// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/lock_table.h"

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

/**
 * The guarded release of one row. Reads the row, compares it with the guard, and then sends one UPDATE
 * that names everything the guard holds and the deadline just read: the server decides atomically. No row
 * changed means that nothing was written, so that a lease which was only renewed in between is read and
 * tried again, a bounded number of times.
 */
class Releaser
{
public:
    Releaser(LockTable &table, const ServerFacts &facts, const domain::LockKey &keyPrefix, BreakMode mode,
             const ReleaseSeams &seams);

    ReleaseResult run(const ReleaseOrder &order, JobStage &stage);

private:
    using Verdict = std::optional<ReleaseResult>;

    Verdict refusedAtOnce(const ReleaseOrder &order) const;
    Verdict judged(const ReleaseOrder &order, const RowReading &reading) const;
    Verdict write(const ReleaseOrder &order, const RowReading &reading, JobStage &stage);
    Values guardValues(const ReleaseOrder &order, const RowReading &reading) const;
    ReleaseResult ended(const ReleaseOrder &order, domain::Outcome outcome, base::Error error = {}) const;
    ReleaseResult failedBefore(const ReleaseOrder &order, const base::Error &error) const;
    ReleaseResult failedWrite(const ReleaseOrder &order, const SqlFailure &failure) const;

    LockTable &m_table;
    const ServerFacts &m_facts;
    domain::LockKey m_key; ///< source, scheme and place
    BreakMode m_mode;
    const ReleaseSeams &m_seams;
};

} // namespace lockkeeper::stores::sql
