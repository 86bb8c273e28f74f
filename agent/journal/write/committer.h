// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/write/commit_log.h"
#include "agent/journal/write/journal_health.h"
#include "agent/journal/write/journal_writer.h"

#include <thread>

namespace lockkeeper::agent::journal {

/**
 * The thread that numbers events, writes them into the log and announces them; the writer then files them. It
 * waits only for that one write, because clients that watch a lock wait for it too. It retries a failed write
 * each second. While the database can't be written, it commits no more events, so that few announced events
 * can't be looked up yet. The writer must outlive it.
 */
class Committer
{
public:
    /** Called in the committer's thread with the events and the bytes that they take in the queue. */
    using Committed = std::function<void(const QList<events::LockEvent> &, qint64)>;

    Committer(WriteQueue &queue, JournalWriter &writer, JournalHealth &health, Committed committed)
        : m_queue(queue), m_writer(writer), m_health(health), m_committed(std::move(committed))
    {
    }
    ~Committer() { stop(); }
    Q_DISABLE_COPY_MOVE(Committer)

    /** Continues after the event `lastSeq`, in an empty log. */
    void start(CommitLog &log, quint64 lastSeq);
    /** Commits the waiting events, if the disk allows it, and ends the thread. */
    void stop();

private:
    void run();
    bool commit(Work &work);

    WriteQueue &m_queue;
    JournalWriter &m_writer;
    JournalHealth &m_health;
    const Committed m_committed;
    CommitLog *m_log = nullptr; ///< not owned; only for the thread while it runs
    std::thread m_thread;
    quint64 m_lastSeq = 0;
};

} // namespace lockkeeper::agent::journal
