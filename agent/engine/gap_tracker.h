// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/engine_context.h"

#include <QHash>

#include <functional>

namespace lockkeeper::agent::engine {

class ScanScheduler;

/** Why a server may lack what was seen, or have what was gone. */
enum class Return : quint8 {
    Restart,
    Failover, ///< another server took its place
    WentBack, ///< its data are older than what was seen
};

/** Knows what of a source isn't seen, or wasn't until a moment ago, and tells of it as gaps. */
class GapTracker
{
public:
    GapTracker(EngineContext &context, const ScanScheduler &scheduler)
        : m_context(context), m_scheduler(scheduler)
    {
    }

    /** The whole source isn't seen since `timeUs` (0: it never was). Nothing where a gap is open. */
    void open(qint64 timeUs, const QString &cause, Step &step);
    void close(qint64 timeUs, Step &step);
    void linkMade();
    /** Another server, or another run of it, is at the other end. */
    /** `rows`: also what survives a restart may be missing. */
    void instanceChanged(Return why, bool rows);
    /** No scan has ended yet that began after the last such change. */
    bool awaitsReturned() const { return !m_returned.isEmpty(); }
    /** What was seen until now may be newer than what there is. */
    void wentBack(Step &step) { breakOff(QStringLiteral("went_back"), step, true); }
    /** A scan couldn't read everything, of a source whose changes aren't told. The second in a row opens a
     * gap: what one leaves out, the windows of the next say. */
    void scanFailed(const base::Error &why, Step &step);
    /** This process stood still until now, and its source's changes aren't told. */
    void stoodStill(Step &step) { breakOff(QStringLiteral("agent_stalled"), step); }
    void shardDown(const stores::ShardState &part, Instant now, Step &step);
    void shardUp(const stores::ShardState &part);
    /** A whole scan has ended. */
    void scanFinished(const stores::ScanEnd &end, Step &step);
    /** Each part that isn't seen, or wasn't until a moment ago. */
    QList<domain::Finding> unseenParts() const;
    /** True where there are locks that nobody tells of, though changes are pushed … */
    bool hasPolled() const;
    /** … and whether this is one. */
    bool isPolled(const stores::Subject &lock) const;
    /** `event` found where a server has taken another's place, or is back: taken since, or what that one knew
     * of earlier. */
    void noteReturn(events::LockEvent &event, const Record &record, const Past &past, const Verdict &verdict,
                    bool replaced) const;

private:
    /** A server of several that isn't seen, or locks of one that aren't followed, or weren't until a moment
     * ago.
     */
    struct BlindShard
    {
        QByteArray node;
        QString ranges;
        std::function<bool(const stores::Subject &)> polled; ///< locks that only scans show; null: a server
        qint64 sinceUs = 0;
        bool up = false;
        quint32 upAt = 0; ///< the scan that was under way, or the last one, when it was seen again
    };

    /** A server that isn't the run that was seen before: what it has may be older than what was seen last. */
    struct Returned
    {
        Return why = Return::Restart;
        std::function<bool(const stores::Subject &)> holds; ///< null: all locks
        quint32 at = 0;                                     ///< the scan that was under way, or the last one
        bool rows = false;                                  ///< see instanceChanged()
    };

    void breakOff(const QString &cause, Step &step, bool always = false);
    void closeShards(const stores::ScanEnd &end, Step &step);

    EngineContext &m_context;
    const ScanScheduler &m_scheduler;
    QHash<QByteArray, BlindShard> m_blind;
    QList<Returned> m_returned; ///< until a scan has ended that began after it
    int m_failedScans = 0;      ///< since the last whole one
};

} // namespace lockkeeper::agent::engine
