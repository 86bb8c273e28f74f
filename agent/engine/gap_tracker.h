// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/engine_context.h"

#include <QHash>

#include <functional>

namespace lockkeeper::agent::engine {

class ScanScheduler;

/** Why a server may lack locks that were seen, or have locks that no longer existed. */
enum class Return : quint8 {
    Restart,
    Failover, ///< another server took its place
    WentBack, ///< its data are older than already seen
};

/** Tracks the parts of a source that aren't seen, or weren't until a moment ago, and reports them as gaps. */
class GapTracker
{
public:
    GapTracker(EngineContext &context, const ScanScheduler &scheduler)
        : m_context(context), m_scheduler(scheduler)
    {
    }

    /** Opens a gap of the whole source since `timeUs`. Does nothing if a gap is open, or if `timeUs` is 0
     * (the source was never seen). */
    void open(qint64 timeUs, events::EventCause cause, EngineStep &step);
    void close(qint64 timeUs, EngineStep &step);
    void linkMade();
    /** Another server, or another run of it, is at the other end. `rows`: even locks that survive a restart
     * may be missing. */
    void instanceChanged(Return why, bool rows);
    /** True until a scan has ended that began after the last such change. */
    bool awaitsReturned() const { return !m_returned.isEmpty(); }
    /** The state that was seen may be newer than the server's present data. */
    void wentBack(EngineStep &step) { breakOff(events::EventCause::WentBack, step, true); }
    /** A scan of a source without pushed changes couldn't read everything. The second failure in a row opens
     * a gap; a single failure is covered by the windows of the next scan. */
    void scanFailed(const base::Error &why, EngineStep &step);
    /** This process was stopped until now, and the source doesn't push its changes. */
    void stoodStill(EngineStep &step) { breakOff(events::EventCause::AgentStalled, step); }
    void shardDown(const stores::ShardState &part, Instant now, EngineStep &step);
    void shardUp(const stores::ShardState &part);
    /** A whole scan has ended. */
    void scanFinished(const stores::ScanEnd &end, EngineStep &step);
    /** Each part that isn't seen, or wasn't until a moment ago. */
    QList<domain::Finding> unseenParts() const;
    /** True if changes are pushed, but not those of all locks. */
    bool hasPolled() const;
    /** Whether this lock's changes aren't pushed although others are. */
    bool isPolled(const stores::Subject &lock) const;
    /** Adds to `event` that its server was restarted or replaced, or that its data went back; also whether an
     * earlier hold came back. */
    void noteReturn(events::LockEvent &event, const LockRecord &record, const Past &past,
                    const Verdict &verdict, bool replaced) const;

private:
    /** One of several servers that isn't seen, or a server's locks whose changes aren't pushed; or weren't
     * until a moment ago. */
    struct BlindShard
    {
        QByteArray node;
        QString ranges;
        std::function<bool(const stores::Subject &)> polled; ///< locks that only scans show; null: a server
        qint64 sinceUs = 0;
        bool up = false;
        quint32 upAt = 0; ///< the running or last scan when it was seen again
    };

    /** A server that isn't the run that was seen before: its data may be older than the last sighting. */
    struct Returned
    {
        Return why = Return::Restart;
        std::function<bool(const stores::Subject &)> holds; ///< null: all locks
        quint32 at = 0;                                     ///< the running or last scan at that time
        bool rows = false;                                  ///< see instanceChanged()
    };

    void breakOff(events::EventCause cause, EngineStep &step, bool always = false);
    void closeShards(const stores::ScanEnd &end, EngineStep &step);

    EngineContext &m_context;
    const ScanScheduler &m_scheduler;
    QHash<QByteArray, BlindShard> m_blind;
    QList<Returned> m_returned; ///< each until a scan has ended that began after it
    int m_failedScans = 0;      ///< since the last whole scan
};

} // namespace lockkeeper::agent::engine
