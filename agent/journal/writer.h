// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/checkpointer.h"
#include "agent/journal/opening.h"
#include "agent/journal/retention.h"
#include "agent/journal/write_queue.h"

#include <atomic>
#include <future>
#include <thread>

namespace lockkeeper::agent::journal {

/**
 * The thread that owns the writing connection. Everything it tells comes through Hooks, called in its own
 * thread. A transaction that fails is rolled back and kept; it is tried again each second until the disk is
 * well.
 */
class Writer
{
public:
    struct Hooks
    {
        /** With the bytes that they took in the queue. */
        std::function<void(const QList<events::LockEvent> &, qint64)> committed;
        std::function<void(quint64)> trimmed; ///< the oldest event that is left, 0: none
        std::function<void(const base::Error &)> failed;
        std::function<void()> recovered;
    };

    Writer(const base::Clock &clock, Hooks hooks, qint64 queueBytes)
        : m_clock(clock), m_hooks(std::move(hooks)), m_queue(queueBytes)
    {
    }
    ~Writer() { stop(); }
    Q_DISABLE_COPY_MOVE(Writer)

    /** Starts the thread and waits until it has opened the journal. */
    base::Result<Opened> start(const Options &options);
    /** Writes what waits, if the disk lets it, and ends the thread. */
    void stop();
    void setRetention(int keepDays, int keepMib);
    WriteQueue &queue() { return m_queue; }

private:
    base::Result<Opened> open(const Options &options);
    void run();
    void loop();
    bool commit();
    bool writeWork();
    bool audit(AuditTask &task);
    bool writeLateOutcomes();
    bool retain();
    void tidy();
    void fail();
    void answerAudits();
    void refuse(AuditTask task);
    bool recover();
    WriteQueue::Clock::time_point idleUntil() const;

    const base::Clock &m_clock;
    Hooks m_hooks;
    WriteQueue m_queue;
    std::thread m_thread;
    Connection m_connection;
    WriterLock m_lock;
    EventStore m_events{m_connection};
    std::unique_ptr<AuditStore> m_audit;
    Retention m_retention{m_connection};
    std::atomic<qint64> m_limits{0}; ///< days << 32 | MiB, as last set
    Checkpointer m_checkpointer;
    WriteQueue::Clock::time_point m_nextRound;
    WriteQueue::Clock::time_point m_nextRelease;
    quint64 m_releasedSeq = 0; ///< the last number when memory was given back
    Work m_work;
    RenewalNotes m_notes;
    std::deque<AuditTask> m_late; ///< outcomes that could not be written yet
    bool m_flushing = false;      ///< renewals are being written, 1,000 a transaction
    bool m_failing = false;
};

} // namespace lockkeeper::agent::journal
