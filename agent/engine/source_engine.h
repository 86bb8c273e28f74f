// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/source_state.h"
#include "shared/domain/wait_graph.h"
#include "shared/events/lock_event.h"
#include "shared/stores/store.h"

#include <QList>

#include <memory>

namespace lockkeeper::agent::engine {

/** Two readings of time that belong together: this process's monotonic clock and its wall clock. */
struct Instant
{
    qint64 monotonicUs = 0;
    qint64 wallUs = 0;
};

/**
 * What one step of the engine asks of its surroundings. A lock is in `events` or in `updates` of a step,
 * never in both. Locks that nobody holds (a free row, a value that can't be read) come and go by `updates`
 * alone, as there is no event to tell of them: see events::applyUpdate(). When the link goes down or comes
 * back nothing is said about each lock: what a state says of its release holds only while its source's link
 * is Up.
 */
struct Step
{
    QList<events::LockEvent> events;   ///< to be journalled, in order; seq 0
    QList<domain::LockState> updates;  ///< renewed or re-read, nothing to journal
    QList<events::LockEvent> renewals; ///< the same renewals as events with seq 0, for `watch --renewals`
    QList<stores::Subject> pointReads; ///< to be read now
    bool scan = false;                 ///< a scan is due
    bool open = false;                 ///< the store is to be (re)opened
    bool sourceChanged = false;        ///< state() has something new to show
};

/** The server that a source's locks were seen at last. */
struct LastServer
{
    QByteArray instance; ///< empty: not known
    stores::Standing standing = {};

    bool operator==(const LastServer &) const = default;
};

/** What a restarted agent knows of a source from its journal, or a new runner of it from the one before. */
struct Restored
{
    qint64 lastSeenUs = 0; ///< 0: never seen
    bool gapOpen = false;
    QByteArray position;            ///< where the changes that were pushed ended; empty: nowhere to go on
    QList<domain::LockState> locks; ///< that the journal's table has: see SourceEngine::journalled()
    qint64 gapSinceUs = 0;          ///< with gapOpen, or never seen: since then; 0: since lastSeenUs
    /** The watchedSets() of the last whole scan: what others show was seen by nobody. Empty: not known. */
    QByteArrayList sets = {};
    QString cause = QStringLiteral("agent_restarted"); ///< of the gap until it is seen again
    LastServer server = {};
};

/** The longest hold and wait in a source now, by its store's clock; 0: there is none. */
struct Ages
{
    qint64 holdUs = 0;
    qint64 waitUs = 0; ///< of what began when somebody saw it
};

/** Which locks each set of a source shows, as a text to be compared. */
QByteArrayList watchedSets(const stores::SourceSpec &spec);

/**
 * The observer's brain for one source: lock table, differ, deadlines, conditions, gaps, reconnection. Pure:
 * no socket, thread, timer or clock inside; every input carries its Instant and the answer is a Step. Tests
 * drive it step by step.
 *
 * The store's time now is estimated from the last page and the monotonic time since; what has
 * expired is decided by reading again, never by the estimate alone.
 */
class SourceEngine
{
public:
    /** `seed` jitters the back-off; equal seeds give equal steps. */
    SourceEngine(stores::SourceSpec spec, quint64 seed);
    ~SourceEngine();

    Step start(const Restored &restored, Instant now);
    Step opened(const stores::ServerInfo &info, Instant now);
    Step failed(const base::Error &error, Instant now);
    /** A page of a scan or of a point read. */
    Step pageRead(const stores::Page &page, Instant now) { return takePage(page, false, now); }
    /** The pages of this point read have come: what they left out is asked for again when it is due. */
    Step pointsRead(const QList<stores::Subject> &asked);
    /** One that nobody asked for, see Store::pageTold(). */
    Step pageTold(const stores::Page &page, Instant now) { return takePage(page, true, now); }
    Step scanEnded(const stores::ScanEnd &end, Instant now);
    /** Changes that the store tells of by itself; the runner keeps their position with what this step
     * journals. */
    Step pushed(const stores::Push &push, Instant now);
    /** One server of a store of several isn't seen, or is again. */
    Step shardChanged(const stores::ShardState &part, Instant now);
    Step pushStateChanged(const stores::PushState &state, Instant now);
    /** Where the server stands: what is read from now on is no older. */
    Step standingRead(const stores::Standing &standing, Instant now);
    /** What the store itself shows of dangers to its locks; replaces what it showed before. */
    Step findingsRead(const QList<domain::Finding> &findings, Instant now);
    /** Call at or after nextTick(): due deadlines, due scans, retries, locks that become stuck. */
    Step tick(Instant now);
    /** An operator asks for a scan now. */
    Step readNow(Instant now);
    /**
     * A force-release goes to the store now. Until releaseAnswered() what ends this acquisition, and what is
     * seen of the lock after it, isn't told: whose doing it was is known by the outcome.
     */
    void releaseSent(const domain::LockKey &key, const QByteArray &identity, Instant now);
    /** A force-release succeeded: the end of this acquisition that is observed next is `force_released`. */
    Step releasedByCommand(const domain::LockKey &key, const QByteArray &identity, const QByteArray &command,
                           Instant now);
    /**
     * The answer was lost: an end of this acquisition that is observed after it was sent, and not long after
     * the lock was seen still held, is `force_released` too, and may be its holder's own release. Where the
     * answer comes after all it decides.
     */
    void releaseUnanswered(const domain::LockKey &key, const QByteArray &identity, const QByteArray &command);
    void releaseAnsweredLate(const domain::LockKey &key, const QByteArray &identity, bool released,
                             Instant now);
    /** Its outcome is known, or never will be; call releasedByCommand() before where it succeeded. `storeUs`:
     * by the clock of the server that answered; 0: it didn't say. */
    Step releaseAnswered(const domain::LockKey &key, qint64 storeUs, Instant now);
    /** The configuration was read again and this source stays: same URL and sets, other figures. */
    void reconfigure(const stores::SourceSpec &spec);

    /** When tick() is due next, monotonic microseconds. */
    qint64 nextTickUs() const;

    domain::SourceState state(Instant now) const;
    /** Every lock, for snapshots. */
    QList<domain::LockState> locks() const;
    /**
     * The same in slices: what is at the next `count` places from `place` on, which moves on, and is kNoPlace
     * after the last. A lock keeps its place while it is in the table; one that came meanwhile may have got a
     * place before it.
     */
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const;
    static constexpr quint32 kNoPlace = ~quint32(0);
    /** Those that events have put into the journal's table, for Restored. */
    QList<domain::LockState> journalled() const;
    std::optional<domain::LockState> lock(const domain::LockKey &key) const;
    /** Who stands in whose queue, where a lock keeps one and its store shows no sessions. */
    domain::WaitGraph queues() const;
    std::optional<stores::Subject> subjectOf(const domain::LockKey &key) const;
    /** The state that an inspection shows, without changing the table. */
    domain::LockState stateOf(const stores::Inspection &inspection) const;
    /** The store's time now, estimated; 0 before the first page. */
    qint64 storeNowUs(Instant now) const;
    /** Until when all locks were observed, by the store's clock; 0 before the first whole scan. */
    qint64 lastSeenUs() const;
    /** See Restored::sets. */
    const QByteArrayList &scannedSets() const;
    /** See Restored::server. After a change of server it is the one before until the new one was scanned. */
    LastServer lastServer() const;
    /**
     * True where the table holds all that the changes up to the last position led to, so that another process
     * can go on there without a gap.
     */
    bool canResume() const;
    /** Differences that only a scan showed while changes were pushed. */
    quint64 missedPushes() const;
    /** Pushed changes of locks that were free before and after, of which no hold is told. */
    quint64 unreadPushes() const;
    /** Bytes that the table holds, for metrics. */
    qint64 memoryBytes() const;
    /** Visits every record. */
    Ages ages(Instant now) const;

private:
    Step takePage(const stores::Page &page, bool unasked, Instant now);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::agent::engine
