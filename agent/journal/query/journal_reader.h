// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/queries.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

namespace lockkeeper::agent::journal {

/** A thread that owns a reading connection, which it opens for its first question. It answers one question
 * after the other. */
class JournalReader
{
public:
    /** A question. If the journal can't be read, `queries` is null and `error` is set. */
    using Task = std::function<void(Queries *queries, const base::Error &error)>;

    JournalReader() = default;
    ~JournalReader() { stop(); }
    Q_DISABLE_COPY_MOVE(Reader)

    void start(const QString &path, const AuditFiles &auditFiles);
    /** Ends the question under way; waiting questions are answered with Shutdown. */
    void stop();
    /** A question that is cancelled before its turn is answered with Cancelled; one under way ends with
     * Cancelled. */
    void ask(Task task, std::stop_token takenBack = {});

private:
    void run(const QString &path, const AuditFiles &auditFiles);
    struct QueuedQuery
    {
        Task task;
        std::stop_token takenBack;
    };
    std::optional<QueuedQuery> next();

    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<QueuedQuery> m_tasks;
    std::atomic<bool> m_stop{true};
};

} // namespace lockkeeper::agent::journal
