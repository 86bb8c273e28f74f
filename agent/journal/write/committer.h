// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/write/commit_log.h"
#include "agent/journal/write/health.h"
#include "agent/journal/write/writer.h"

#include <thread>

namespace lockkeeper::agent::journal {

/**
 * The thread that gives events their numbers, writes them into the log and tells of them; then the writer
 * files them. It waits for nothing but that one write: whoever watches a lock waits for it. A write that
 * fails is tried again each second. While the database can't be written no more is committed, so that what
 * was told and can't be looked up stays little. It wants the writer to be there as long as itself.
 */
class Committer
{
public:
    /** In the committer's thread, with the bytes that they take in the queue. */
    using Committed = std::function<void(const QList<events::LockEvent> &, qint64)>;

    Committer(WriteQueue &queue, Writer &writer, Health &health, Committed committed)
        : m_queue(queue), m_writer(writer), m_health(health), m_committed(std::move(committed))
    {
    }
    ~Committer() { stop(); }
    Q_DISABLE_COPY_MOVE(Committer)

    /** Goes on after the event `lastSeq`, in an empty log. */
    void start(CommitLog &log, quint64 lastSeq);
    /** Commits what waits, if the disk lets it, and ends the thread. */
    void stop();

private:
    void run();
    bool commit(Work &work);

    WriteQueue &m_queue;
    Writer &m_writer;
    Health &m_health;
    const Committed m_committed;
    CommitLog *m_log = nullptr; ///< not owned; the thread's alone while it runs
    std::thread m_thread;
    quint64 m_lastSeq = 0;
};

} // namespace lockkeeper::agent::journal
