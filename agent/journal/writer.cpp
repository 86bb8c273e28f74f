// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/writer.h"

#include <QLoggingCategory>

Q_LOGGING_CATEGORY(lcJournalWriter, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::seconds kRetentionPause(60);
constexpr std::chrono::milliseconds kRetryPause(1000);
constexpr std::chrono::seconds kReleasePause(10);
constexpr quint64 kFewEvents = 1'000; ///< in that time: the disk's cache will do for them

} // namespace

base::Result<Opened> Writer::start(const Options &options)
{
    setRetention(options.keepDays, options.keepMib);
    std::promise<base::Result<Opened>> promise;
    auto future = promise.get_future();
    m_thread = std::thread([this, options, promise = std::move(promise)]() mutable {
        auto opened = open(options);
        const bool well = opened.has_value();
        promise.set_value(std::move(opened));
        if (well) {
            m_checkpointer.start(options.path);
            run();
            m_checkpointer.stop();
        }
        m_connection.close();
    });
    auto opened = future.get();
    if (!opened)
        m_thread.join();
    return opened;
}

void Writer::stop()
{
    if (!m_thread.joinable())
        return;
    m_queue.stop();
    m_thread.join();
    m_lock.release();
}

void Writer::setRetention(int keepDays, int keepMib)
{
    m_limits = (qint64(keepDays) << 32) | quint32(keepMib);
    m_queue.wake();
}

base::Result<Opened> Writer::open(const Options &options)
{
    if (const auto locked = m_lock.take(options.path); !locked)
        return tl::unexpected(locked.error());
    Opened opened;
    const qint64 now = m_clock.wallUs();
    if (const auto done = openDatabase(m_connection, options.path, now, &opened.setAside); !done)
        return tl::unexpected(done.error());
    const auto id = journalId(m_connection, now);
    if (!id)
        return tl::unexpected(id.error());
    opened.id = *id;
    m_audit = std::make_unique<AuditStore>(m_connection, auditHeadFile(options.path));
    Statement &bounds = m_connection.statement("event_bounds");
    if (!m_events.fill() || !m_events.reload() || !m_audit->open(now, &opened.interruptedReleases) ||
        !m_connection.run(bounds) || !bounds.next())
        return tl::unexpected(m_connection.error());
    opened.firstSeq = quint64(bounds.integer(0));
    bounds.finish();
    opened.lastSeq = m_events.lastSeq();
    opened.sources = m_events.sources();
    auto held = m_events.held();
    if (!held)
        return tl::unexpected(held.error());
    opened.held = std::move(*held);
    return opened;
}

void Writer::run()
{
    m_nextRound = WriteQueue::Clock::now();
    loop();
    // What is left waits for a disk that did not come back; its askers are told.
    answerAudits();
    if (const qint64 lost = m_queue.queuedEvents(); lost > 0)
        qCCritical(lcJournalWriter) << lost << "events could not be journalled before the end";
}

void Writer::loop()
{
    qint64 limits = 0;
    for (;;) {
        if (m_limits != limits) {
            limits = m_limits;
            m_retention.setLimits(int(limits >> 32), int(limits & 0xFFFFFFFF));
            m_nextRound = WriteQueue::Clock::now();
        }
        if (m_work.isEmpty())
            m_work = m_queue.take(idleUntil(), m_notes);
        m_work.flushRenewals = m_work.flushRenewals || m_flushing;
        const bool stopping = m_queue.isStopping();
        if (stopping && m_work.isEmpty() && m_queue.queuedEvents() == 0)
            return;
        const bool well = (!m_failing || recover()) && (m_work.isEmpty() ? retain() : commit());
        if (well) {
            tidy();
            continue;
        }
        fail();
        if (stopping)
            return;
        m_queue.waitForRetry(kRetryPause);
        answerAudits();
    }
}

WriteQueue::Clock::time_point Writer::idleUntil() const
{
    const bool busy = m_failing || m_flushing || !m_retention.isDone();
    return busy ? WriteQueue::Clock::time_point::min() : m_nextRound;
}

bool Writer::commit()
{
    if (m_work.audit) {
        if (!audit(*m_work.audit))
            return false;
        m_work = {};
        return true;
    }
    m_flushing = m_flushing || m_work.flushRenewals;
    if (!m_connection.begin())
        return false;
    if (!writeWork() || !m_connection.commit()) {
        const base::Error cause = m_connection.error();
        m_connection.rollback();
        m_connection.restoreError(cause);
        m_events.undo(m_notes);
        return false;
    }
    if (!m_work.events.isEmpty())
        m_hooks.committed(m_work.events, m_work.cost);
    m_queue.release(m_work); // after it, so that what waits is counted twice rather than not
    m_flushing = m_flushing && !m_notes.isEmpty();
    m_work = {};
    return true;
}

bool Writer::writeWork()
{
    if (!m_events.write(m_work.events, m_notes) || !m_events.writeProgress(m_work.progress))
        return false;
    return !m_flushing || m_events.writeRenewals(m_notes, WriteQueue::kRows);
}

bool Writer::audit(AuditTask &task)
{
    if (!task.intent) {
        if (!m_audit->end(task.auditId, task.outcome, task.detail, task.timeUs))
            return false;
        task.ended({});
        return true;
    }
    Journal::Intent intent;
    if (!m_audit->begin(*task.intent, &intent))
        return false;
    task.began(intent);
    return true;
}

bool Writer::writeLateOutcomes()
{
    for (; !m_late.empty(); m_late.pop_front()) {
        const AuditTask &task = m_late.front();
        if (!m_audit->end(task.auditId, task.outcome, task.detail, task.timeUs))
            return false;
    }
    return true;
}

bool Writer::retain()
{
    if (m_retention.isDone()) {
        if (WriteQueue::Clock::now() < m_nextRound)
            return true;
        m_nextRound = WriteQueue::Clock::now() + kRetentionPause;
        m_retention.start(m_clock.wallUs());
    }
    const bool well = m_retention.step();
    // Also after a failure: what was remembered must be true, and reading it again is cheap.
    if (m_retention.removedLocks())
        m_events.forgetLocks();
    if (well && m_retention.isDone()) {
        Statement &bounds = m_connection.statement("event_bounds");
        if (!m_connection.run(bounds) || !bounds.next())
            return false;
        m_hooks.trimmed(quint64(bounds.integer(0)));
        bounds.finish();
    }
    return well;
}

/** Keeps the log and the memory small. */
void Writer::tidy()
{
    if (m_checkpointer.isDue(m_connection.walPages()))
        m_connection.checkpoint();
    const auto now = WriteQueue::Clock::now();
    if (now < m_nextRelease)
        return;
    m_nextRelease = now + kReleasePause;
    if (m_events.lastSeq() - std::exchange(m_releasedSeq, m_events.lastSeq()) < kFewEvents)
        m_connection.releaseMemory();
}

void Writer::fail()
{
    const base::Error error = m_connection.error();
    if (!m_failing) {
        m_failing = true;
        m_queue.setFailing(true);
        qCWarning(lcJournalWriter).noquote() << "failing:" << error.line();
        m_hooks.failed(error);
    }
    if (m_work.audit)
        refuse(std::move(*m_work.audit));
    m_work.audit.reset();
    answerAudits();
}

void Writer::answerAudits()
{
    if (!m_failing)
        return;
    for (AuditTask &task : m_queue.takeAudits())
        refuse(std::move(task));
}

void Writer::refuse(AuditTask task)
{
    if (task.intent) {
        task.began(tl::unexpected(m_connection.error()));
        return;
    }
    // The asker learns that it isn't durable yet; the outcome itself is kept and written when it can be.
    const auto ended = std::move(task.ended);
    m_late.push_back(std::move(task));
    ended(tl::unexpected(m_connection.error()));
}

bool Writer::recover()
{
    // Numbers given in a transaction that was rolled back are given again: from what the file says.
    if (!m_events.reload())
        return false;
    const bool probed = m_connection.begin() &&
                        m_connection.setMeta("last_seq", QByteArray::number(m_events.lastSeq())) &&
                        m_connection.commit();
    if (!probed) {
        const base::Error cause = m_connection.error();
        m_connection.rollback();
        m_connection.restoreError(cause);
        return false;
    }
    if (!writeLateOutcomes() || (!m_work.isEmpty() && !commit()))
        return false;
    m_failing = false;
    m_queue.setFailing(false);
    qCInfo(lcJournalWriter) << "writing again";
    m_hooks.recovered();
    return true;
}

} // namespace lockkeeper::agent::journal
