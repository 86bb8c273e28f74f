// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/wait_graph.h"
#include "shared/stores/store.h"

namespace lockkeeper::agent::engine {

struct EngineContext;
struct Instant;
class PushFollower;

/** The longest hold and wait in a source now, by its store's clock; 0: there is none. */
struct Ages
{
    qint64 holdUs = 0;
    qint64 waitUs = 0; ///< only waits whose beginning is known
};

/** The locks of a source, as its engine knows them. Reads only, and belongs to the engine. */
class ObservedTable
{
public:
    static constexpr quint32 kNoPlace = ~quint32(0);

    ObservedTable(const EngineContext &context, const PushFollower &follower)
        : m_context(context), m_follower(follower)
    {
    }

    /** Every lock, for snapshots. */
    QList<domain::LockState> locks() const;
    /**
     * The same in slices: returns the locks at the next `count` places from `place`, and moves `place` on; it
     * is kNoPlace after the last. A lock keeps its place while it is in the table; a new lock may get an
     * earlier place.
     */
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const;
    /** The locks that events have put into the journal's table, for Restored. */
    QList<domain::LockState> journalled() const;
    std::optional<domain::LockState> lock(const domain::LockKey &key) const;
    std::optional<stores::Subject> subjectOf(const domain::LockKey &key) const;
    /** The state that an inspection shows, without changing the table. */
    domain::LockState stateOf(const stores::Inspection &inspection) const;
    /** The graph of waits from the locks' queues, for a store that shows no sessions. */
    domain::WaitGraph queues() const;
    /** Dates the waits that the store's graph doesn't date, as those of the locks' waiters. */
    void dateWaits(domain::WaitGraph &graph) const;
    /** Visits every record. */
    Ages ages(Instant now) const;
    /** The time until which all locks were observed, by the store's clock; 0 before the first whole scan. */
    qint64 lastSeenUs() const;
    /** The store's time now, estimated; 0 before the first page. */
    qint64 storeNowUs(Instant now) const;
    /** Differences that only a scan showed while changes were pushed. */
    quint64 missedPushes() const;
    /** Pushed changes of locks that were free before and after; no hold is reported. */
    quint64 unreadPushes() const;

private:
    const EngineContext &m_context;
    const PushFollower &m_follower;
};

} // namespace lockkeeper::agent::engine
