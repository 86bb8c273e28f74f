// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/checkpointer.h"
#include "agent/journal/storage/retention.h"
#include "agent/journal/write/commit_log.h"
#include "agent/journal/write/filing_queue.h"
#include "agent/journal/write/health.h"
#include "agent/journal/write/opening.h"
#include "shared/base/clock.h"

#include <atomic>
#include <future>
#include <thread>

namespace lockkeeper::agent::journal {

/**
 * The thread that owns the writing connection: it files into the database what is committed, and writes the
 * audit. Everything it tells comes through Hooks and Health, called in its own thread. A transaction that
 * fails is rolled back and kept; it is tried again each second until the disk is well. Where retention or a
 * roll-up comes to a page that can't be read, it is left alone for an hour, and writing goes on.
 */
class Writer
{
public:
    struct Hooks
    {
        std::function<void(qint64)> filed; ///< work of this cost is in the database
        /** The first event that is left, 0: none; the last filed. */
        std::function<void(quint64, quint64)> trimmed;
        /** What is old stays, for this reason; Unknown and no cause: not any more. */
        std::function<void(const base::Error &)> damaged;
    };

    Writer(const base::Clock &clock, Health &health, Hooks hooks)
        : m_clock(clock), m_health(health), m_hooks(std::move(hooks))
    {
    }
    ~Writer() { stop(); }
    Q_DISABLE_COPY_MOVE(Writer)

    /**
     * Starts the thread and waits until it has opened the journal and `log`, and has filed what a crash left
     * in the log; it is empty then.
     */
    base::Result<Opened> start(const Options &options, CommitLog &log);
    /** Files what waits, if the disk lets it, and ends the thread; whether all is filed. */
    bool stop();
    void setRetention(int keepDays, int keepMib, int keepRollupsDays);

    /** From any thread. Committed events, and what else belongs into the database, in order. */
    void file(Work work) { m_queue.push(std::move(work)); }
    /** From any thread. In order; it doesn't wait for events that aren't committed yet. */
    void fileAudit(AuditTask task) { m_queue.pushAudit(std::move(task)); }
    /** From any thread: `reached` is called in the writer's, once what was committed before can be read. */
    void whenFiled(std::function<void()> reached) { m_queue.pushMark(std::move(reached)); }
    /** From any thread: kept in the table `meta`, once what was committed before is. */
    void note(const QByteArray &key, const QByteArray &value);
    /** From any thread: the last event in the database. */
    quint64 filedSeq() const { return m_filedSeq; }
    /** From any thread: outcomes that could not be written yet. */
    qsizetype lateOutcomes() const { return m_lateCount; }

private:
    base::Result<Opened> open(const Options &options, CommitLog &log);
    bool fileLeftovers(const QList<CommitLog::Record> &records);
    void run();
    void loop();
    void take();
    bool commit();
    bool writeWorks();
    static void tellReached(const std::vector<std::function<void()>> &reached);
    bool audit(AuditTask &task);
    bool writeLateOutcomes();
    bool retain();
    bool tellTrimmed();
    bool giveUpRound();
    void setDamaged(const base::Error &why);
    qint64 trustedWallUs();
    void tidy();
    void fail();
    void answerUrgent();
    void refuse(AuditTask task);
    bool recover();

    const base::Clock &m_clock;
    qint64 m_trustedUs = m_clock.monotonicUs();        ///< when retention last went by the wall clock …
    qint64 m_aheadUs = m_clock.wallUs() - m_trustedUs; ///< … and how far it was ahead of the other
    Health &m_health;
    Hooks m_hooks;
    FilingQueue m_queue;
    std::thread m_thread;
    Connection m_connection;
    WriterLock m_lock;
    EventStore m_events{m_connection};
    std::unique_ptr<AuditStore> m_audit;
    Retention m_retention{m_connection};
    std::atomic<qint64> m_limits{0}; ///< days << 48 | days of roll-ups << 32 | MiB, as last set
    bool m_rolling = false;          ///< retention comes after it
    Checkpointer m_checkpointer;
    FilingQueue::Clock::time_point m_nextRound;
    FilingQueue::Clock::time_point m_restUntil; ///< no roll-ups and no retention before
    bool m_damaged = false;                     ///< … because of a page that can't be read
    FilingQueue::Clock::time_point m_nextRelease;
    quint64 m_releasedSeq = 0; ///< the last number when memory was given back
    FilingQueue::Batch m_batch;
    std::atomic<quint64> m_filedSeq{0};
    RenewalNotes m_notes;
    std::deque<AuditTask> m_late; ///< outcomes that could not be written yet
    std::atomic<qsizetype> m_lateCount{0};
    bool m_flushing = false; ///< renewals are being written, 1,000 a transaction
    bool m_failing = false;
    bool m_unfiled = false; ///< at the end
};

} // namespace lockkeeper::agent::journal
