// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/write/write_queue.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockkeeper::agent::journal {

inline constexpr std::chrono::milliseconds kRetryPause(1000); ///< after a write that failed

/** An intent, a decision on one, or an outcome on its way to the audit. */
struct AuditTask
{
    std::optional<domain::AuditEntry> intent; ///< empty: a decision or an outcome
    qint64 auditId = 0;
    domain::Outcome outcome = domain::Outcome::Unknown;
    QString detail;
    QString approver; ///< of a decision alone
    qint64 timeUs = 0;
    std::function<void(base::Result<ReleaseIntent>)> began; ///< called in the writer's thread
    std::function<void(base::Result<void>)> ended;
};

/**
 * What is committed and waits for its place in the database, in order. A little of it waits for company, 50
 * ms at most: of many commits in one transaction each page is written once. Nothing waits where somebody asks
 * for it. The memory is bounded by the queue before it, which counts what isn't filed. Any thread may push;
 * one takes.
 */
class FilingQueue
{
public:
    using Clock = WriteQueue::Clock;

    /** What comes of a take(): a task of the audit, or works for one transaction; then whom to tell. */
    struct Batch
    {
        std::optional<AuditTask> audit;
        std::vector<Work> works;
        std::vector<std::function<void()>> reached;

        bool isEmpty() const { return !audit && works.empty() && reached.empty(); }
    };

    void push(Work work) { push(Item{std::move(work), {}, {}, {}}); }
    void pushAudit(AuditTask task) { push(Item{{}, std::move(task), {}, {}}); }
    /** `reached` is called by whoever takes, once all before it is filed or can't be. */
    void pushMark(std::function<void()> reached) { push(Item{{}, {}, std::move(reached), {}}); }
    void stop();
    void wake();

    /** Waits until there is work, at most until `until`; with `now` also what could wait is taken. */
    Batch take(Clock::time_point until, bool now);
    /** Out of turn, since they needn't wait for a disk that fails: tasks of the audit, and whom to tell. */
    std::deque<AuditTask> takeAudits(std::vector<std::function<void()>> &reached);
    /** Waits for the next try; ends early for stop() and for whatever needn't wait. */
    void waitForRetry(std::chrono::milliseconds pause);

    bool isStopping() const;
    bool isEmpty() const;

private:
    /** One of the three. */
    struct Item
    {
        Work work;
        std::optional<AuditTask> audit;
        std::function<void()> mark;
        Clock::time_point since;

        bool isUrgent() const { return mark || audit; }
    };

    void push(Item item);
    bool isDue(Clock::time_point now) const;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Item> m_items;
    qsizetype m_events = 0;
    int m_urgent = 0;
    bool m_stop = false;
    bool m_woken = false;
};

} // namespace lockkeeper::agent::journal
