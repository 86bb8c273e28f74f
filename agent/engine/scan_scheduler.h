// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/deadlines.h"
#include "agent/engine/engine_context.h"
#include "agent/engine/point_reads.h"

#include <functional>

namespace lockkeeper::agent::engine {

/** When what is read: scans over everything, locks whose deadline has come, attempts to connect. */
class ScanScheduler
{
public:
    ScanScheduler(EngineContext &context, quint64 seed) : m_context(context), m_backoff(seed) {}

    PointReads &reads() { return m_reads; }
    /** When the record is to be read again. */
    void schedule(Record &record, quint32 index);
    void scheduleAll();
    void readDue(Instant now, Step &step);

    void setPollUs(qint64 us) { m_scans.setPollUs(us); }
    bool isRunning() const { return m_scans.isRunning(); }
    /** The number of the scan that is under way, or was the last. */
    quint32 stamp() const { return m_scans.stamp(); }
    bool isScanDue(Instant now) const { return m_scans.isDue(now.monotonicUs); }
    void beginScan(Instant now, Step &step);
    /** One is due then, or sooner. */
    void beginScanAt(qint64 monotonicUs) { m_scans.hurry(monotonicUs); }
    /** kNever while one is under way. */
    qint64 scanDueUs() const { return m_scans.dueUs(); }
    void hurry(Instant now) { m_scans.hurry(now.monotonicUs); }
    /** False where none was under way. Call finish() after it where the scan was complete. */
    bool endScan(Instant now);
    /**
     * What the scan didn't show is read by name, or leaves the table where it was absent before already.
     * `isPolled`: nobody tells of this lock's changes; null: of none. `staleUs`: see Frame.
     */
    void finish(const stores::ScanEnd &end, qint64 staleUs,
                const std::function<bool(const stores::Subject &)> &isPolled);

    /** Whether the last whole scan looked where the lock would be. */
    bool isCovered(const stores::Subject &lock) const { return !m_covers || m_covers(lock); }
    /** When the last whole scan began: what it didn't show was absent since. */
    qint64 absentSinceUs() const { return m_absentSinceUs; }
    /** When the last scan began that saw everything. */
    qint64 wholeSinceUs() const { return m_wholeSinceUs; }
    /** As after a whole scan that began then, but for these sets, at which it didn't look. */
    void setAbsentSinceUs(qint64 us, const QList<quint16> &unseen);
    void clockSetBack(qint64 toUs);

    /** The connection failed; the next attempt comes after a pause. */
    void linkFailed(Instant now, bool transient);
    void linkMade();
    /** Asks for the connection where the pause is over. */
    void retry(Instant now, Step &step);
    /** The pause is over. */
    void hurryRetry(Instant now);
    qint64 retryUs() const { return m_retryUs; }
    /** When something is due next, monotonic microseconds; `otherUs` by the store's clock. */
    qint64 nextTickUs(qint64 otherUs) const;
    qint64 bytes() const { return m_deadlines.bytes(); }

private:
    EngineContext &m_context;
    Deadlines m_deadlines;
    PointReads m_reads;
    ScanClock m_scans;
    Backoff m_backoff;
    std::function<bool(const stores::Subject &)> m_covers; ///< of the last whole scan; null: everything
    qint64 m_wholeSinceUs = 0;
    qint64 m_absentSinceUs = 0;
    qint64 m_retryUs = kNever; ///< monotonic
};

} // namespace lockkeeper::agent::engine
