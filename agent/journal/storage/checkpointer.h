// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockkeeper::agent::journal {

/**
 * Copies the write-ahead log into the database beside the writer, in a separate thread with a separate
 * connection. The copying syncs both files, and a commit must not wait for that. After a failure, the log
 * stays until the next time; the writer's own errors report the disk's state.
 */
class Checkpointer
{
public:
    using Clock = std::chrono::steady_clock;

    Checkpointer() = default;
    ~Checkpointer() { stop(); }
    Q_DISABLE_COPY_MOVE(Checkpointer)

    void start(const QString &path);
    /** Waits for the copying under way. */
    void stop();

    /**
     * Call it after each commit; `pages` is the length of the log. True: the log is so long that it should
     * start again from its beginning, and the caller may copy the few remaining pages itself.
     */
    bool isDue(qint64 pages, Clock::time_point now);

private:
    void run(const QString &path);

    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    qint64 m_copied = 0;           ///< pages of the log that are copied, as of the last time
    Clock::time_point m_nextSmall; ///< until then, few pages aren't worth a sync of both files
    bool m_asked = false;
    bool m_stop = false;
};

} // namespace lockkeeper::agent::journal
