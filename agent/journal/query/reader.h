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

/** A thread that owns a reading connection, from its first question on; answers one after the other. */
class Reader
{
public:
    /** A question; `error` is set, and `queries` null, where the journal can't be read. */
    using Task = std::function<void(Queries *queries, const base::Error &error)>;

    Reader() = default;
    ~Reader() { stop(); }
    Q_DISABLE_COPY_MOVE(Reader)

    void start(const QString &path, const AuditFiles &auditFiles);
    /** Ends the question under way; those that wait are answered with Shutdown. */
    void stop();
    /** One that is taken back before its turn is answered with Cancelled, one under way ends as that. */
    void ask(Task task, std::stop_token takenBack = {});

private:
    void run(const QString &path, const AuditFiles &auditFiles);
    struct Asked
    {
        Task task;
        std::stop_token takenBack;
    };
    std::optional<Asked> next();

    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Asked> m_tasks;
    std::atomic<bool> m_stop{true};
};

} // namespace lockkeeper::agent::journal
