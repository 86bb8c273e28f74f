// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/committer.h"

#include <QLoggingCategory>

Q_LOGGING_CATEGORY(lcJournalCommitter, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

void Committer::start(CommitLog &log, quint64 lastSeq)
{
    stop();
    m_log = &log;
    m_lastSeq = lastSeq;
    m_thread = std::thread([this] { run(); });
}

void Committer::stop()
{
    if (!m_thread.joinable())
        return;
    m_queue.stop();
    m_thread.join();
}

void Committer::run()
{
    Work work;
    for (;;) {
        if (work.isEmpty())
            work = m_queue.take(WriteQueue::Clock::time_point::max());
        const bool stopping = m_queue.isStopping();
        if (work.isEmpty()) {
            if (stopping && m_queue.queuedEvents() == 0)
                return;
            continue;
        }
        if (!work.events.isEmpty() && !stopping && m_health.isFailing(JournalHealth::JournalPart::Database)) {
            m_queue.waitForRetry(kRetryPause);
            continue;
        }
        if (commit(work))
            continue;
        if (stopping) {
            qCCritical(lcJournalCommitter)
                << m_queue.queuedEvents() << "events were not written before shutdown";
            return;
        }
        m_queue.waitForRetry(kRetryPause);
    }
}

bool Committer::commit(Work &work)
{
    if (work.events.isEmpty()) {
        m_writer.file(std::exchange(work, {}));
        return true;
    }
    quint64 seq = m_lastSeq;
    for (events::LockEvent &event : work.events)
        event.seq = ++seq;
    if (const auto written = m_log->append({work.events, work.progress}, m_writer.filedSeq()); !written) {
        m_health.fail(JournalHealth::JournalPart::Log, written.error());
        return false;
    }
    m_health.recover(JournalHealth::JournalPart::Log);
    m_lastSeq = seq;
    const QList<events::LockEvent> events = work.events;
    const qint64 cost = work.cost;
    // First, so that a client can look up an event as soon as it is announced.
    m_writer.file(std::exchange(work, {}));
    m_queue.committed(events.size());
    m_committed(events, cost);
    return true;
}

} // namespace lockkeeper::agent::journal
