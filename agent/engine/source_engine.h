// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/observed_table.h"
#include "shared/domain/source_state.h"
#include "shared/domain/wait_graph.h"
#include "shared/events/lock_event.h"
#include "shared/stores/store.h"

#include <QList>

#include <memory>

namespace lockkeeper::agent::engine {

/** Two readings of time that belong together: the process's monotonic clock and its wall clock. */
struct Instant
{
    qint64 monotonicUs = 0;
    qint64 wallUs = 0;
};

/**
 * The actions that one step of the engine requests. A lock is in the `events` or in the `updates` of a step,
 * never in both. Locks that nobody holds (a free row, an unreadable value) come and go by `updates` alone,
 * because no event reports them: see events::applyUpdate(). When the link goes down or comes back, the step
 * doesn't list every lock: a state's release capability is valid only while its source's link is Up.
 */
struct EngineStep
{
    QList<events::LockEvent> events;   ///< to be journalled, in order; seq 0
    QList<domain::LockState> updates;  ///< renewed or re-read, nothing to journal
    QList<events::LockEvent> renewals; ///< the same renewals as events with seq 0, for `watch --renewals`
    QList<stores::Subject> pointReads; ///< locks to read now
    bool scan = false;                 ///< a scan is due
    bool open = false;                 ///< (re)open the store
    bool sourceChanged = false;        ///< state() has something new to show
};

/** The server at which a source's locks were seen last. */
struct LastServer
{
    QByteArray instance; ///< empty: not known
    stores::Standing standing = {};

    bool operator==(const LastServer &) const = default;
};

/** A source's state that a restarted agent gets from its journal, or a new runner from the previous one. */
struct Restored
{
    qint64 lastSeenUs = 0; ///< 0: never seen
    bool gapOpen = false;
    QByteArray position;            ///< where the pushed changes ended; empty: can't resume
    QList<domain::LockState> locks; ///< the locks of the journal's table: see SourceEngine::journalled()
    qint64 gapSinceUs = 0;          ///< with gapOpen, or if never seen: the gap's beginning; 0: lastSeenUs
    /** The watchedSets() of the last whole scan: locks of other sets were never seen. Empty: not known. */
    QByteArrayList sets = {};
    events::EventCause cause =
        events::EventCause::AgentRestarted; ///< of the gap until the source is seen again
    LastServer server = {};
};

/** For each set of a source, a text to be compared that identifies the locks it shows. */
QByteArrayList watchedSets(const stores::SourceSpec &spec);

/**
 * The observer's brain for one source: lock table, differ, deadlines, conditions, gaps, reconnection. Pure:
 * no socket, thread, timer or clock inside; every input carries its Instant and the answer is a Step. Tests
 * drive it step by step.
 *
 * The store's time now is estimated from the last page and the monotonic time since; an expiry is decided by
 * reading again, never by the estimate alone.
 */
class SourceEngine
{
public:
    /** `seed` jitters the back-off; equal seeds give equal steps. */
    SourceEngine(stores::SourceSpec spec, quint64 seed);
    ~SourceEngine();

    EngineStep start(const Restored &restored, Instant now);
    EngineStep opened(const stores::ServerInfo &info, Instant now);
    EngineStep failed(const base::Error &error, Instant now);
    /** A page of a scan or of a point read. */
    EngineStep pageRead(const stores::Page &page, Instant now) { return takePage(page, false, now); }
    /** The pages of this point read have arrived: locks that they left out are read again when due. */
    EngineStep pointsRead(const QList<stores::Subject> &asked);
    /** A page that the engine didn't request, see Store::pageTold(). */
    EngineStep pageTold(const stores::Page &page, Instant now) { return takePage(page, true, now); }
    EngineStep scanEnded(const stores::ScanEnd &end, Instant now);
    /** Changes that the store pushes; the runner saves their position with the events of this step. */
    EngineStep pushed(const stores::Push &push, Instant now);
    /** One of a store's several servers is no longer seen, or is seen again. */
    EngineStep shardChanged(const stores::ShardState &part, Instant now);
    EngineStep pushStateChanged(const stores::PushState &state, Instant now);
    /** The server's position: later readings are no older. */
    EngineStep standingRead(const stores::Standing &standing, Instant now);
    /** The store's findings about dangers to its locks; they replace its earlier findings. */
    EngineStep findingsRead(const QList<domain::Finding> &findings, Instant now);
    /** Call at or after nextTick(): due deadlines, due scans, retries, locks that become stuck. */
    EngineStep tick(Instant now);
    /** An operator asks for a scan now. */
    EngineStep readNow(Instant now);
    /**
     * A force-release goes to the store now. Until releaseAnswered() the engine holds back the end of this
     * acquisition, and later observations of the lock: only the outcome shows what caused the end.
     */
    void releaseSent(const domain::LockKey &key, const QByteArray &identity, Instant now);
    /** A force-release succeeded: the end of this acquisition that is observed next is `force_released`. */
    EngineStep releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                 const QByteArray &command, Instant now);
    /**
     * The answer was lost. The acquisition's end is `force_released` as well if it is observed after the
     * order was sent, and not long after the lock was seen still held. It may be the holder's own release. A
     * late answer decides.
     */
    void releaseUnanswered(const domain::LockKey &key, const QByteArray &identity, const QByteArray &command);
    void releaseAnsweredLate(const domain::LockKey &key, const QByteArray &identity, bool released,
                             Instant now);
    /**
     * A liveness probe found the holder of this acquisition dead (`isGone`) or alive. Dead makes the lock
     * stuck until a probe finds the holder alive, the holder renews or the acquisition ends. A renewal is
     * better evidence than a probe: after it, `isGone` counts only once a probe has found the holder alive.
     */
    EngineStep holderChecked(const domain::LockKey &key, const QByteArray &guard, bool isGone, Instant now);
    /** The outcome is known, or never will be. If the release succeeded, call releasedByCommand() first.
     * `storeUs`: by the clock of the server that answered; 0: not reported. */
    EngineStep releaseAnswered(const domain::LockKey &key, qint64 storeUs, Instant now);
    /** Applies a changed configuration of this source: same URL and sets, other figures. */
    void reconfigure(const stores::SourceSpec &spec);

    /** When tick() is due next, monotonic microseconds. */
    qint64 nextTickUs() const;

    /** The locks as this engine knows them; valid as long as the engine. */
    const ObservedTable &table() const;
    domain::SourceState state(Instant now) const;
    /** See Restored::sets. */
    const QByteArrayList &scannedSets() const;
    /** See Restored::server. After a change of server this is the previous server until the new one was
     * scanned. */
    LastServer lastServer() const;
    /**
     * True if the table reflects all changes up to the last position, so that another process can resume
     * there without a gap.
     */
    bool canResume() const;
    /** Bytes that the table holds, for metrics. */
    qint64 memoryBytes() const;

private:
    EngineStep takePage(const stores::Page &page, bool unasked, Instant now);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::agent::engine
