// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/engine_context.h"
#include "agent/engine/gap_tracker.h"
#include "agent/engine/lock_observer.h"
#include "agent/engine/pending_releases.h"
#include "agent/engine/push_follower.h"
#include "agent/engine/scan_scheduler.h"

namespace lockkeeper::agent::engine {

/** The engine's parts, and its reactions to the connection (link.cpp). */
class SourceEngine::Private
{
public:
    Private(stores::SourceSpec spec, quint64 seed);

    void restore(const Restored &restored, EngineStep &step);
    void linkUp(const stores::ServerInfo &info, Instant now, EngineStep &step);
    void linkDown(const base::Error &error, Instant now, EngineStep &step);
    void takeStanding(const stores::Standing &standing, Instant now, EngineStep &step);
    /** Another run, or another server, is at the other end. */
    void instanceChanged(bool failover, bool wentBack);
    /** Requests the scans and readings that are due. */
    void readOn(Instant now, EngineStep &step);
    /** The store doesn't push its changes: the engine polls. */
    bool polls() const
    {
        return context.source.link == domain::Link::Up && !follower.isFollowing() && !follower.awaitsState();
    }
    QList<domain::Finding> findings(Instant now) const;
    LastServer presentServer() const { return {context.source.instance, context.standing}; }
    /** Remembers the present server: another server, or older data, may be seen from now on. */
    void keepServer()
    {
        if (!gaps.awaitsReturned())
            serverBefore = presentServer();
    }

    EngineContext context;
    ScanScheduler scheduler;
    PendingReleases releases;
    GapTracker gaps;
    LockObserver observer;
    PushFollower follower;
    ObservedTable table;
    QByteArrayList sets;          ///< watchedSets() of this configuration
    QByteArrayList scannedSets;   ///< see Restored::sets
    LastServer serverBefore;      ///< the previous server, until a scan has shown the new one
    QList<domain::Finding> found; ///< the store's findings over this link
    int restarts = 0;
    qint64 restartedUs = 0; ///< when the last restart was noticed
};

} // namespace lockkeeper::agent::engine
