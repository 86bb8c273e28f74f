// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/checkpointer.h"
#include "agent/journal/storage/retention.h"
#include "agent/journal/write/commit_log.h"
#include "agent/journal/write/filing_queue.h"
#include "agent/journal/write/journal_health.h"
#include "agent/journal/write/opening.h"
#include "shared/base/clock.h"

#include <atomic>
#include <future>
#include <thread>

namespace lockkeeper::agent::journal {

/**
 * The thread that owns the writing connection. It files committed work into the database and writes the
 * audit. It reports through Hooks and Health, called in its own thread. It rolls a failed transaction back,
 * keeps the work, and retries each second until the disk has recovered. It does so for the journal and for
 * the audit, each in its own database file; while either fails, intents and decisions are refused. If
 * retention or a roll-up meets a page that can't be read, both pause for an hour while writing continues.
 */
class JournalWriter
{
public:
    struct Hooks
    {
        std::function<void(qint64)> filed; ///< work of this cost is in the database
        /** Called with the first event that is left (0: none) and the last filed event. */
        std::function<void(quint64, quint64)> trimmed;
        /** The reason why old rows aren't deleted any more; code Unknown and no cause: they are again. */
        std::function<void(const base::Error &)> damaged;
    };

    JournalWriter(const base::Clock &clock, JournalHealth &health, Hooks hooks)
        : m_clock(clock), m_health(health), m_hooks(std::move(hooks))
    {
    }
    ~JournalWriter() { stop(); }
    Q_DISABLE_COPY_MOVE(JournalWriter)

    /**
     * Starts the thread. Waits until it has opened the journal and `log`, and has filed the records that a
     * crash left in the log. The log is empty afterwards.
     */
    base::Result<Opened> start(const JournalOptions &options, CommitLog &log);
    /** Files the waiting work, if the disk allows it, and ends the thread. Returns true if everything is
     * filed. */
    bool stop();
    void setRetention(int keepDays, int keepMib, int keepRollupsDays);
    /** Callable from any thread. See Journal::setUnforwarded(). */
    void setUnforwarded(const QList<UnforwardedEvents> &unforwarded)
    {
        whenFiled([this, unforwarded] { m_retention.setUnforwarded(unforwarded); });
    }

    /** Callable from any thread. Queues committed events and other work for the database, in order. */
    void file(Work work) { m_queue.push(std::move(work)); }
    /** Callable from any thread. Queues an audit task, in order; it doesn't wait for uncommitted events. */
    void fileAudit(AuditTask task) { m_queue.pushAudit(std::move(task)); }
    /** Callable from any thread. Calls `reached` in the writer's thread, once earlier commits can be read. */
    void whenFiled(std::function<void()> reached) { m_queue.pushMark(std::move(reached)); }
    /** Callable from any thread. Stores the value in the table `meta`, after the work committed before. */
    void note(const QByteArray &key, const QByteArray &value);
    /** Callable from any thread. The last event in the database. */
    quint64 filedSeq() const { return m_filedSeq; }
    /** Callable from any thread. Number of outcomes that couldn't be written yet. */
    qsizetype lateOutcomes() const { return m_lateCount; }

private:
    /** A start whose writing isn't done: the log may hold events that aren't in the database. */
    struct Start
    {
        CommitLog *log = nullptr; ///< not owned
        QByteArray id;            ///< the journal's id from now on
    };

    base::Result<Opened> open(const JournalOptions &options, CommitLog &log);
    base::Result<void> beginStart(CommitLog &log, Opened &opened);
    base::Result<void> beginOnFullDisk(Opened &opened);
    bool writeStart();
    base::Result<void> finishStart();
    base::Result<void> readState(Opened &opened);
    base::Result<void> openAudit(const JournalOptions &options, Opened &opened, qint64 nowUs);
    void run();
    void loop();
    void take();
    bool commit();
    bool writeWorks();
    static void tellReached(const std::vector<std::function<void()>> &reached);
    void audit(AuditTask task);
    bool write(const AuditTask &task);
    void refuse(AuditTask task, const base::Error &why);
    void keepLate(AuditTask outcome);
    bool writeLateOutcomes();
    void failAudit();
    void recoverAudit();
    bool retain();
    bool tellTrimmed();
    bool giveUpRound();
    void setDamaged(const base::Error &why);
    qint64 trustedWallUs();
    void tidy();
    void fail();
    void answerUrgent();
    bool recover();

    const base::Clock &m_clock;
    qint64 m_trustedUs = m_clock.monotonicUs();        ///< when the wall clock was last trusted …
    qint64 m_aheadUs = m_clock.wallUs() - m_trustedUs; ///< … and how far it was ahead of the monotonic clock
    JournalHealth &m_health;
    Hooks m_hooks;
    FilingQueue m_queue;
    std::thread m_thread;
    SqliteConnection m_connection;
    WriterLock m_lock;
    EventStore m_events{m_connection};
    std::unique_ptr<AuditStore> m_audit;
    Retention m_retention{m_connection};
    std::atomic<qint64> m_limits{0}; ///< days << 48 | days of roll-ups << 32 | MiB, as last set
    bool m_rolling = false;          ///< roll-ups are being added; retention comes next
    Checkpointer m_checkpointer;
    FilingQueue::Clock::time_point m_nextRound;
    FilingQueue::Clock::time_point m_restUntil; ///< no roll-ups and no retention before then
    bool m_damaged = false;                     ///< … because of a page that can't be read
    FilingQueue::Clock::time_point m_nextRelease;
    quint64 m_releasedSeq = 0; ///< the last event when memory was released
    FilingQueue::FilingBatch m_batch;
    std::atomic<quint64> m_filedSeq{0};
    RenewalNotes m_notes;
    std::deque<AuditTask> m_late; ///< outcomes that couldn't be written yet
    std::atomic<qsizetype> m_lateCount{0};
    bool m_flushing = false;     ///< renewals are being written, 1,000 a transaction
    bool m_failing = false;      ///< the journal's database can't be written
    bool m_auditFailing = false; ///< the audit's can't
    FilingQueue::Clock::time_point m_auditRetry;
    std::optional<Start> m_unfinishedStart; ///< the disk was full at the start
    bool m_unfiled = false;                 ///< work was left when the thread ended
};

} // namespace lockkeeper::agent::journal
