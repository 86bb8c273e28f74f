// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/write/write_queue.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockkeeper::agent::journal {

inline constexpr std::chrono::milliseconds kRetryPause(1000); ///< after a write that failed

/** An intent, a decision on an intent, or an outcome, on its way to the audit. */
struct AuditTask
{
    std::optional<domain::AuditEntry> intent; ///< empty: a decision or an outcome
    qint64 auditId = 0;
    domain::Outcome outcome = domain::Outcome::Unknown;
    QString detail;
    QString approver; ///< set only for a decision
    qint64 timeUs = 0;
    std::function<void(base::Result<ReleaseIntent>)> began; ///< called in the writer's thread
    std::function<void(base::Result<void>)> ended;
};

/**
 * Committed work that waits, in order, to be written into the database. A little work waits for more, 50 ms
 * at most, because a transaction of many commits writes each page only once. A mark or an audit task ends
 * that wait. The WriteQueue in front bounds the memory, because it counts work that isn't filed yet. Any
 * thread may push; one thread takes.
 */
class FilingQueue
{
public:
    using Clock = WriteQueue::Clock;

    /** The result of take(): an audit task, or works for one transaction. The functions in `reached` are
     * called afterwards. */
    struct FilingBatch
    {
        std::optional<AuditTask> audit;
        std::vector<Work> works;
        std::vector<std::function<void()>> reached;

        bool isEmpty() const { return !audit && works.empty() && reached.empty(); }
    };

    void push(Work work) { push(FilingTask{std::move(work), {}, {}, {}}); }
    void pushAudit(AuditTask task) { push(FilingTask{{}, std::move(task), {}, {}}); }
    /** The taking thread calls `reached` once everything before it is filed or can't be filed. */
    void pushMark(std::function<void()> reached) { push(FilingTask{{}, {}, std::move(reached), {}}); }
    void stop();
    void wake();

    /** Waits for work, at most until `until`. `now`: also take work that could still wait for more. */
    FilingBatch take(Clock::time_point until, bool now);
    /** Takes audit tasks and marks out of turn, because they needn't wait for a disk that fails. */
    std::deque<AuditTask> takeAudits(std::vector<std::function<void()>> &reached);
    /** Waits for the next retry. Returns early on stop(), a mark or an audit task. */
    void waitForRetry(std::chrono::milliseconds pause);

    bool isStopping() const;
    bool isEmpty() const;

private:
    /** Exactly one of `work`, `audit` and `mark` is set. */
    struct FilingTask
    {
        Work work;
        std::optional<AuditTask> audit;
        std::function<void()> mark;
        Clock::time_point since;

        bool isUrgent() const { return mark || audit; }
    };

    void push(FilingTask item);
    bool isDue(Clock::time_point now) const;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<FilingTask> m_items;
    qsizetype m_events = 0;
    int m_urgent = 0;
    bool m_stop = false;
    bool m_woken = false;
};

} // namespace lockkeeper::agent::journal
