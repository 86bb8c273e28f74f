// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/deadlines.h"
#include "agent/engine/engine_context.h"
#include "agent/engine/point_reads.h"

#include <functional>

namespace lockkeeper::agent::engine {

/** Decides when to read: scans over everything, locks whose deadline has passed, attempts to connect. */
class ScanScheduler
{
public:
    ScanScheduler(EngineContext &context, quint64 seed) : m_context(context), m_backoff(seed) {}

    PointReads &reads() { return m_reads; }
    /** Schedules the record's next reading. */
    void schedule(LockRecord &record, quint32 index);
    void scheduleAll();
    void readDue(Instant now, EngineStep &step);

    void setPollUs(qint64 us) { m_scans.setPollUs(us); }
    bool isRunning() const { return m_scans.isRunning(); }
    /** The number of the running or last scan. */
    quint32 stamp() const { return m_scans.stamp(); }
    bool isScanDue(Instant now) const { return m_scans.isDue(now.monotonicUs); }
    void beginScan(Instant now, EngineStep &step);
    /** Makes a scan due then, or sooner. */
    void beginScanAt(qint64 monotonicUs) { m_scans.hurry(monotonicUs); }
    /** kNever while a scan is running. */
    qint64 scanDueUs() const { return m_scans.dueUs(); }
    void hurry(Instant now) { m_scans.hurry(now.monotonicUs); }
    /** Returns false if no scan was running. Call finish() afterwards if the scan was complete. */
    bool endScan(Instant now);
    /**
     * Reads the locks that the scan didn't show by name, or removes them if they were already absent.
     * `isPolled`: whether this lock's changes aren't pushed; null: false for all locks. `staleUs`: see Frame.
     */
    void finish(const stores::ScanEnd &end, qint64 staleUs,
                const std::function<bool(const stores::Subject &)> &isPolled);

    /** Whether the last whole scan read the place where the lock would be. */
    bool isCovered(const stores::Subject &lock) const { return !m_covers || m_covers(lock); }
    /** When the last whole scan began: locks that it didn't show were absent since. */
    qint64 absentSinceUs() const { return m_absentSinceUs; }
    /** When the last scan began that saw everything. */
    qint64 wholeSinceUs() const { return m_wholeSinceUs; }
    /** Acts as after a whole scan that began at `us` and didn't read the sets `unseen`. */
    void setAbsentSinceUs(qint64 us, const QList<quint16> &unseen);
    void clockSetBack(qint64 toUs);

    /** The connection failed; the next attempt comes after a pause. */
    void linkFailed(Instant now, bool transient);
    void linkMade();
    /** Requests the connection if the pause is over. */
    void retry(Instant now, EngineStep &step);
    /** Ends the pause. */
    void hurryRetry(Instant now);
    qint64 retryUs() const { return m_retryUs; }
    /** When something is due next, in monotonic microseconds; `otherUs`: another due time, by the store's
     * clock. */
    qint64 nextTickUs(qint64 otherUs) const;
    qint64 bytes() const { return m_deadlines.bytes(); }

private:
    EngineContext &m_context;
    Deadlines m_deadlines;
    PointReads m_reads;
    ScanClock m_scans;
    ConnectBackoff m_backoff;
    std::function<bool(const stores::Subject &)> m_covers; ///< of the last whole scan; null: everything
    qint64 m_wholeSinceUs = 0;
    qint64 m_absentSinceUs = 0;
    qint64 m_retryUs = kNever; ///< monotonic
};

} // namespace lockkeeper::agent::engine
