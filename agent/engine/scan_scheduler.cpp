// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/scan_scheduler.h"

#include "agent/engine/conditions.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

void ScanScheduler::schedule(LockRecord &record, quint32 index)
{
    // An undecidable lock isn't read again before the next scan: its servers are away.
    const qint64 next = record.indeterminate
                            ? kNever
                            : nextReadUs(record, m_context.spec.locks.at(record.set), record.seenUs);
    m_deadlines.arm(record, index, m_context.clock.ofServer(record.server, next));
}

void ScanScheduler::scheduleAll()
{
    for (quint32 index = 0; index < m_context.table.end(); ++index) {
        if (m_context.table.isUsed(index))
            schedule(m_context.table.at(index), index);
    }
}

void ScanScheduler::readDue(Instant now, EngineStep &step)
{
    LockTable &table = m_context.table;
    const qint64 storeUs = m_context.clock.nowUs(now.monotonicUs);
    for (quint32 i = m_deadlines.takeDue(table, storeUs); i != LockTable::kNone;
         i = m_deadlines.takeDue(table, storeUs))
        m_reads.add(table.at(i), i);
    m_reads.fill(table, step.pointReads);
}

void ScanScheduler::beginScan(Instant now, EngineStep &step)
{
    m_scans.begin(now.monotonicUs);
    step.scan = true;
}

bool ScanScheduler::endScan(Instant now)
{
    if (!m_scans.isRunning())
        return false;
    m_scans.end(now.monotonicUs);
    m_reads.checkStalled(m_context.table);
    return true;
}

/**
 * Locks that a whole scan didn't show are read by name before anything is reported about them. SCAN
 * guarantees only keys that existed all the time, and a lock may have been released and acquired again
 * meanwhile.
 */
void ScanScheduler::finish(const stores::ScanEnd &end, qint64 staleUs,
                           const std::function<bool(const stores::Subject &)> &isPolled)
{
    for (quint32 index = m_context.table.nextBusy(0, end.heldOnly); index < m_context.table.end();
         index = m_context.table.nextBusy(index + 1, end.heldOnly)) {
        if (!m_context.table.isUsed(index))
            continue;
        LockRecord &record = m_context.table.at(index);
        // Of a million free locks, visit only those that have changed.
        if (!record.gone && record.phase != domain::Phase::Held)
            m_context.table.setIdle(index);
        if (record.scanStamp == m_scans.stamp())
            continue;
        if (end.covers && !end.covers({record.set, record.name().toByteArray()}))
            continue; // the scan didn't read there
        if (!record.gone && record.phase != domain::Phase::Held && end.heldOnly.contains(record.set))
            continue; // nor free locks of this set
        if (isPolled && isPolled({record.set, record.name().toByteArray()})) {
            record.pushed = false; // its pushed state says nothing about its present state
            record.scanStamp = 0;
        }
        if (!record.gone || record.extras) { // or clients queue for it
            m_reads.add(record, index);
        } else if (record.seenUs <= end.beganUs) {
            m_reads.settle(record);
            m_context.table.remove(index);
        }
    }
    m_covers = end.covers;
    m_absentSinceUs = end.beganUs - staleUs;
    if (!m_covers)
        m_wholeSinceUs = m_absentSinceUs;
    m_deadlines.tidy(m_context.table);
    m_backoff.reset();
}

void ScanScheduler::linkFailed(Instant now, bool transient)
{
    m_scans.stop();
    m_reads.clear(m_context.table);
    const qint64 wait = m_backoff.nextUs(transient);
    m_retryUs = now.monotonicUs + wait;
    m_context.source.retryWallUs = now.wallUs + wait;
}

void ScanScheduler::linkMade()
{
    m_context.source.retryWallUs.reset();
    m_retryUs = kNever;
    m_scans.stop();
}

void ScanScheduler::retry(Instant now, EngineStep &step)
{
    if (m_retryUs > now.monotonicUs)
        return;
    m_retryUs = kNever;
    m_context.source.retryWallUs.reset();
    step.open = true;
    step.sourceChanged = true;
}

void ScanScheduler::hurryRetry(Instant now)
{
    if (m_retryUs != kNever)
        m_retryUs = now.monotonicUs;
}

qint64 ScanScheduler::nextTickUs(qint64 otherUs) const
{
    if (m_reads.isReady())
        return 0;
    const qint64 storeUs = std::min(m_deadlines.nextUs(), otherUs);
    return std::min(m_scans.dueUs(), m_context.clock.monotonicAt(storeUs));
}

void ScanScheduler::setAbsentSinceUs(qint64 us, const QList<quint16> &unseen)
{
    m_absentSinceUs = us;
    m_wholeSinceUs = unseen.isEmpty() ? us : 0;
    if (!unseen.isEmpty())
        m_covers = [unseen](const stores::Subject &lock) { return !unseen.contains(lock.set); };
}

/** Sightings from before the clock was set back would lie in the future: gives them a new date. */
void ScanScheduler::clockSetBack(qint64 toUs)
{
    m_deadlines.clear();
    for (quint32 index = 0; index < m_context.table.end(); ++index) {
        if (!m_context.table.isUsed(index))
            continue;
        LockRecord &record = m_context.table.at(index);
        record.seenUs = std::min(record.seenUs, toUs);
        record.quietSinceUs = std::min(record.quietSinceUs, toUs);
        record.dueUs = record.queuedUs = kNever;
        schedule(record, index);
    }
    m_absentSinceUs = std::min(m_absentSinceUs, toUs);
    m_wholeSinceUs = std::min(m_wholeSinceUs, toUs);
}

} // namespace lockkeeper::agent::engine
