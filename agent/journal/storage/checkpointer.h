// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockkeeper::agent::journal {

/**
 * Copies the write-ahead log into the database beside the writer, in a thread and by a connection of its own:
 * that syncs both files, and a commit must not wait for it. A failure is left to the next time: the log
 * stays, and the writer's own errors tell of the disk.
 */
class Checkpointer
{
public:
    using Clock = std::chrono::steady_clock;

    Checkpointer() = default;
    ~Checkpointer() { stop(); }
    Q_DISABLE_COPY_MOVE(Checkpointer)

    void start(const QString &path);
    /** Waits for the one under way. */
    void stop();

    /**
     * After each commit: the log has `pages` now. True where it has become so long that it should begin anew,
     * and so little of it is left to be copied that the caller may do that itself.
     */
    bool isDue(qint64 pages, Clock::time_point now);

private:
    void run(const QString &path);

    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    qint64 m_copied = 0;           ///< pages of the log, the last time
    Clock::time_point m_nextSmall; ///< before that, little isn't worth a sync of both files
    bool m_asked = false;
    bool m_stop = false;
};

} // namespace lockkeeper::agent::journal
