// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/advice.h"
#include "shared/domain/alert.h"
#include "shared/domain/approval.h"
#include "shared/domain/audit_signature.h"
#include "shared/domain/contention.h"
#include "shared/domain/discovery.h"
#include "shared/domain/election_state.h"
#include "shared/domain/grants.h"
#include "shared/domain/holder_check.h"
#include "shared/domain/probe.h"
#include "shared/domain/release.h"
#include "shared/domain/source_state.h"
#include "shared/domain/wait_graph.h"
#include "shared/events/lock_event.h"
#include "shared/events/observed.h"

#include <QList>
#include <QStringList>

#include <optional>
#include <type_traits>
#include <variant>

/**
 * The messages between an agent and its clients. PROTOCOL.md specifies the bytes. Every request carries an
 * `id` that the client chose, and the answer repeats it. A client drops an answer whose id it doesn't wait
 * for. Plain values.
 */
namespace lockkeeper::protocol {

inline constexpr int kVersion = 1;       ///< newest version of the protocol that this build speaks
inline constexpr int kOldestVersion = 1; ///< oldest version that it still understands
inline constexpr quint32 kMaxFrameBeforeLogin = 16u << 10;
inline constexpr quint32 kMaxFrame = 8u << 20;
inline constexpr int kMaxNesting = 16;     ///< nesting depth of containers in one payload
inline constexpr int kMaxItems = 100'000;  ///< elements of any list in a message
inline constexpr int kMaxDetailItems = 64; ///< members of one object or array in an event's `detail`
inline constexpr int kMaxDetailDepth = 8;  ///< nesting depth of objects and arrays in `detail`

/**
 * The optional features of this build, by name. A release that extends the protocol adds a name here. The
 * client offers its names in Hello, and the agent answers with those that it knows as well.
 */
inline QStringList knownFeatures()
{
    return {};
}

/** The features of `offered` that `known` has, too. Ignores unknown names. */
inline QStringList commonFeatures(const QStringList &offered, const QStringList &known = knownFeatures())
{
    QStringList common;
    for (const QString &name : known) {
        if (offered.contains(name))
            common.append(name);
    }
    return common;
}

/**
 * A hub's statement to an agent: this session acts for this user. The hub has verified the user's login, and
 * signs text() with Ed25519. The agent knows the hub's public key from its configuration.
 */
struct OnBehalf
{
    QString user;
    QString way;          ///< how the user logged in at the hub: "local", "certificate", "password"
    qint64 issuedUs = 0;  ///< the hub's wall clock
    QByteArray signature; ///< 64 bytes
    /** The signed bytes: the statement holds for one agent only. `hub` is the hub's own login there. */
    QByteArray text(const QString &agent, const QString &hub) const;
    bool operator==(const OnBehalf &) const = default;
};

/** Client → agent: the first message. */
struct Hello
{
    int version = kVersion;
    int oldest = kOldestVersion;
    QString program; ///< "lockkeeper 0.1.0"
    QString user;    ///< the user, for the audit; over a local socket the agent replaces it by the peer's
    QStringList features = knownFeatures(); ///< by name; the agent ignores unknown ones
    /** To a hub: the agent that the session is about, by its name; empty: the hub itself. */
    QString agent = {};
    std::optional<OnBehalf> onBehalf = {}; ///< from a hub
    bool operator==(const Hello &) const = default;
};

/** Agent → client, after Hello: the connection doesn't identify the client, which must log in. */
struct LoginNeeded
{
    QStringList ways; ///< kinds of login that the agent accepts: "password"
    bool operator==(const LoginNeeded &) const = default;
};
/** Client → agent: the answer to LoginNeeded. Welcome or Goodbye follows. */
struct Login
{
    QString user;
    QByteArray password;
    bool operator==(const Login &) const = default;
};

/** Agent → client: the session is established. */
struct Welcome
{
    int version = kVersion;
    QString agent; ///< the configured name
    QString program;
    QStringList features; ///< those in force
    QString user;         ///< the client's user, as the agent knows it
    QString role;         ///< "viewer", "operator", "approver", "admin": the highest, whatever its scope
    QByteArray journal;   ///< id of the journal; sequence numbers of other journals have no meaning
    quint64 firstSeq = 0; ///< oldest event that is still kept; 0: none
    quint64 lastSeq = 0;
    domain::Grants grants = {};
    /** From a hub itself: the agents that it knows. The client opens a session with each of them. */
    QStringList agents = {};
    bool operator==(const Welcome &) const = default;
};

/** Agent → client: refused; the connection closes. */
struct Goodbye
{
    base::Error error;
    bool operator==(const Goodbye &) const = default;
};

/** Sent by both sides every few seconds; the peer answers with the same number. Used to measure the lag. */
struct Ping
{
    quint64 number = 0;
    bool operator==(const Ping &) const = default;
};
struct Pong
{
    quint64 number = 0;
    quint64 lastSeq = 0; ///< from an agent: its newest sequence number
    qint64 wallUs = 0;   ///< the answerer's clock
    bool operator==(const Pong &) const = default;
};

/**
 * Starts the stream. If `since` (exclusive) is set, the journal is the same and still has the events after
 * it, these events follow. Otherwise the stream starts over: snapshot pages, then events.
 */
struct Subscribe
{
    quint64 id = 0;
    std::optional<quint64> since;
    QByteArray journal;    ///< the journal to which `since` belongs; empty: the agent's current one
    bool snapshot = true;  ///< false: events only, even after a fresh start (`lockkeeperctl watch`)
    bool renewals = false; ///< send unsequenced renewals as events with seq 0 as well
    bool operator==(const Subscribe &) const = default;
};

/** `fresh`: the client must discard its state. `fromSeq` is the number of the state; the events after it
 * follow. */
struct Subscribed
{
    quint64 id = 0;
    bool fresh = false;
    quint64 fromSeq = 0;
    QByteArray journal;
    bool operator==(const Subscribed &) const = default;
};

/** A page of the table at `atSeq`. All pages of one snapshot carry the same number. */
struct SnapshotPage
{
    quint64 id = 0; ///< id of the Subscribe or LocksQuery
    quint64 atSeq = 0;
    bool last = false;
    QList<domain::LockState> locks;
    QList<domain::SourceState> sources; ///< in the last page
    bool operator==(const SnapshotPage &) const = default;
};

/** Journalled events in order; also unsequenced renewals (seq 0) if requested. */
struct EventBatch
{
    QList<events::LockEvent> events;
    /** Set for a user with a partial view: the batch covers all numbers in (afterSeq, throughSeq]. Missing
     * numbers in this range belong to events that the user may not see. */
    std::optional<quint64> afterSeq = {};
    std::optional<quint64> throughSeq = {};
    bool operator==(const EventBatch &) const = default;
};

/**
 * Changes of state without a sequence number (renewals, observations), and the health of sources. The agent
 * conflates them for a slow client. While the journal can't write (`unjournalled`), only these batches keep
 * the live view current: the client then also inserts new locks and deletes those in `removed`. The events
 * follow once the journal can write again.
 */
struct StateBatch
{
    QList<domain::LockState> locks;
    QList<domain::SourceState> sources;
    bool unjournalled = false;
    QList<domain::LockKey> removed;
    bool operator==(const StateBatch &) const = default;
};

/**
 * Requests the table once, without a subscription: now, or at the past moment `atUs` by each source's clock,
 * as far as the journal knows it. Answered by SnapshotPages. A source that wasn't observed at that moment is
 * Down, and its `gapSinceUs` is the last observation before. Locks of a past moment can't be released.
 */
struct LocksQuery
{
    quint64 id = 0;
    QString source;                  ///< empty: all
    QByteArray nameGlob;             ///< empty: all
    std::optional<qint64> atUs = {}; ///< empty: now.
    bool operator==(const LocksQuery &) const = default;
};

/** Requests events of the journal; newest first with `descending`. Answered by one EventPage. */
struct HistoryQuery
{
    quint64 id = 0;
    QString source;
    QByteArray lockGlob;
    QByteArray holderGlob;
    QList<events::EventKind> kinds; ///< empty: all
    std::optional<qint64> fromUs;   ///< compared with timeUs
    std::optional<qint64> toUs;
    std::optional<quint64> afterSeq;  ///< exclusive
    std::optional<quint64> beforeSeq; ///< exclusive
    QByteArray command;
    int limit = 200; ///< at most 1,000 a page
    bool descending = false;
    /** Accept a page without events that reports how far the agent read, instead of waiting for events. */
    bool inSlices = false;
    bool operator==(const HistoryQuery &) const = default;
};
struct EventPage
{
    quint64 id = 0;
    QList<events::LockEvent> events; ///< without `after`
    bool more = false;
    quint64 firstSeq = 0; ///< oldest event in the journal
    quint64 lastSeq = 0;
    /** With `more`: the agent has searched up to this event, in the direction of the query, and the page has
     * all matches up to there. Empty: it has searched up to the last of `events`. */
    std::optional<quint64> reachedSeq = {};
    std::optional<qint64> reachedUs = {}; ///< time of that event
    /** Where the next query continues; empty: nothing more. */
    std::optional<quint64> goOnFrom() const
    {
        if (!more || (!reachedSeq && events.isEmpty()))
            return std::nullopt;
        return reachedSeq ? reachedSeq : std::optional(events.constLast().seq);
    }
    bool operator==(const EventPage &) const = default;
};

/** One interval in which a lock was held. */
struct Hold
{
    domain::LockKey key;
    bool ownerKnown = true;
    QByteArray owner;
    qint64 fromUs = 0;
    qint64 fromWindowUs = 0;
    bool startSeen = true;      ///< false: held at least since fromUs
    std::optional<qint64> toUs; ///< empty: still held
    qint64 toWindowUs = 0;
    QByteArray end; ///< "released", "expired", "taken_over", "force_released", "gap", "lost"; empty: none yet
    quint32 renewals = 0;
    qint64 longestRenewalGapUs = 0;
    qint64 id = 0; ///< id in the journal: later holds have greater ids
    std::optional<qint64> waitedUs =
        {};                  ///< the holder's wait, which ended when this hold began; empty: none seen
    bool waitSeen = true;    ///< false: the wait was at least that long
    QByteArray command = {}; ///< id of the force-release that ended it; empty: none, or not known
    QString by = {};         ///< user of that force-release, from the audit; below: role and reason
    QString role = {};
    QString reason = {};
    QByteArray mayBe = {}; ///< "released": the end isn't proven and may have been a release; empty: proven
    std::optional<qint64> renewedUs = {}; ///< last journalled renewal; empty: none
    std::optional<qint64> expiresUs = {}; ///< deadline set by that renewal
    QList<qint64> renewalsUs = {}; ///< in a timeline: all renewals in its range, or none if they are too many
    bool operator==(const Hold &) const = default;
};
/** Requests the holds of locks with matching names, newest first. Answered by one HoldPage. */
struct HoldsQuery
{
    quint64 id = 0;
    QString source;
    QByteArray lockGlob;
    std::optional<domain::LockKey> key; ///< exactly this lock, instead of the glob
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    int limit = 200;
    QByteArray holderGlob = {};          ///< empty: all
    std::optional<qint64> beforeId = {}; ///< for the next page: id of a hold, exclusive
    bool operator==(const HoldsQuery &) const = default;
};
struct HoldPage
{
    quint64 id = 0;
    QList<Hold> holds;
    bool more = false;
    bool operator==(const HoldPage &) const = default;
};

/** Requests the audit, newest first. `verify` checks the whole chain. Answered by one AuditPage. */
struct AuditQuery
{
    quint64 id = 0;
    std::optional<qint64> beforeId; ///< exclusive
    int limit = 200;
    bool verify = false;
    QByteArray command = {};    ///< only the entry of this command; empty: all
    QByteArray keyId = {};      ///< with `verify`: return this key's newest signature; empty: any key's
    QByteArray soughtHash = {}; ///< with `verify`: hash of a record to find in the chain; empty: none
    bool operator==(const AuditQuery &) const = default;
};
struct AuditPage
{
    quint64 id = 0;
    QList<domain::AuditEntry> entries;
    bool more = false;
    bool verified = false; ///< the chain was checked and holds
    std::optional<qint64> firstBadId;
    qint64 checkedUs = 0; ///< the agent's clock
    qint64 records = 0;   ///< with `verify`: number of records in the chain; an entry has two or three
    /** With `verify`: a signature whose hash matches the chain's. Not checked against a key. Empty: none. */
    std::optional<domain::AuditSignature> signature = {};
    /** With `verify`: the last signed head, kept outside the database; the chain was compared with it. Empty:
     * no signed head exists. */
    std::optional<domain::AuditSignature> anchor = {};
    base::Error fault = {};      ///< why it isn't verified; no cause: it is, or wasn't requested
    QList<qint64> accepted = {}; ///< entries by which an operator accepted an audit that wasn't intact
    QByteArray hash = {};        ///< with `verify`: hash of the last record
    std::optional<qint64> soughtRecord = {}; ///< the record with `soughtHash`; empty: none
    bool operator==(const AuditPage &) const = default;
};

/** Reads one lock again from its store: a dialog guards a release with the result. Answered by Inspected. */
struct Inspect
{
    quint64 id = 0;
    domain::LockKey key;
    bool operator==(const Inspect &) const = default;
};
struct Inspected
{
    quint64 id = 0;
    bool present = false;    ///< false: the store has no such lock (already free)
    domain::LockState state; ///< with `guard` and `release` as of this reading
    qint64 storeUs = 0;      ///< time of the reading, by the store's clock
    QByteArray ticket;       ///< identifies this reading and its freshness; expires after 5 s
    QString willRun;         ///< the operation, for the operator to read; don't parse it
    std::optional<base::Error> error;
    bool needsApproval = false;         ///< a release becomes a request for approval.
    domain::Companions companions = {}; ///< without names for users with a partial view of the source
    bool operator==(const Inspected &) const = default;
};

/**
 * Releases a lock by force. Needs `ticket` (of an Inspect ≤ 5 s ago), or `guard` (an acquisition's digest),
 * or `holder` (the acquisition shown at that moment, if this is its owner). Answered by one ReleaseResult. A
 * repeated `command` gets the recorded outcome.
 */
struct ForceRelease
{
    quint64 id = 0;
    QByteArray command; ///< 16 random bytes as hex, chosen by the client
    domain::LockKey key;
    QByteArray ticket;
    QByteArray guard;
    std::optional<QByteArray> holder;
    domain::Because because = domain::Because::Operator;
    bool ifNotRenewed = false;
    QString reason;
    bool dryRun = false;
    bool operator==(const ForceRelease &) const = default;
};
struct ReleaseResult
{
    quint64 id = 0;
    QByteArray command;
    domain::Outcome outcome = domain::Outcome::Unknown;
    base::Error error; ///< cause, if not released
    bool dryRun = false;
    bool replicated = true;
    std::optional<qint64> storeUs; ///< time of the release, by the store's clock
    qint64 auditId = 0;
    QList<domain::NodeOutcome> nodes = {}; ///< for a lock on several servers
    qint64 endsUs = 0; ///< when a request that awaits approval (`auditId`) ends, by the agent's clock
    bool operator==(const ReleaseResult &) const = default;
};

/**
 * Counts the attempts of a store's clients to acquire locks, at a cost for the store. Answered by one
 * ProbeResult when the probe has ended; the same `command` is
 * never carried out twice.
 */
struct ProbeRequest
{
    quint64 id = 0;
    QByteArray command; ///< 16 random bytes as hex, chosen by the client
    QString source;
    qint64 forUs = 2'000'000; ///< at most 10 s
    qint64 mostCommands = 100'000;
    QString reason; ///< for the audit
    bool operator==(const ProbeRequest &) const = default;
};
struct ProbeResult
{
    quint64 id = 0;
    QByteArray command;
    base::Error error;  ///< cause, if the probe wasn't carried out or not completed
    qint64 beganUs = 0; ///< the store's clock; 0: no command was seen
    qint64 endedUs = 0;
    qint64 commands = 0;   ///< number of commands seen
    qint64 unreadable = 0; ///< number of those that couldn't be parsed
    domain::ProbeEnd end = domain::ProbeEnd::Time;
    QList<domain::ProbeCount> counts; ///< most attempts first
    qint64 leftOut = 0;               ///< number of omitted counts
    qint64 auditId = 0;
    bool operator==(const ProbeResult &) const = default;
};

/**
 * Asks the agent to scan a store that it doesn't observe, from its own machine, and to report the locks in
 * it. Writes nothing to the store. The user must be an admin with unlimited scope, because the agent connects
 * to any address that the request names. Answered by one DiscoverResult; Cancel ends the scan. The same
 * `command` is never carried out twice.
 */
struct DiscoverRequest
{
    quint64 id = 0;
    QByteArray command;  ///< 16 random bytes as hex, chosen by the client
    QString url;         ///< as in a `[[source]]`; refused if it contains a password
    QByteArray password; ///< the password itself, never a reference to it
    QString verify;      ///< TLS verification: "full", "ca", "off"; empty: as in the URL
    QString reason;      ///< for the audit
    bool operator==(const DiscoverRequest &) const = default;
};
struct DiscoverResult
{
    quint64 id = 0;
    QByteArray command;
    base::Error error; ///< why the scan failed
    domain::discovery::Discovery discovery;
    qint64 auditId = 0;
    bool operator==(const DiscoverResult &) const = default;
};

/** Requests a scan now. The observations arrive in the stream, and Done follows once the scan has ended. */
struct ReadNow
{
    quint64 id = 0;
    QString source; ///< empty: all
    bool operator==(const ReadNow &) const = default;
};
struct Done
{
    quint64 id = 0;
    bool operator==(const Done &) const = default;
};

struct StatusQuery
{
    quint64 id = 0;
    bool operator==(const StatusQuery &) const = default;
};
struct Status
{
    quint64 id = 0;
    QString agent;
    QString version;
    quint64 firstSeq = 0;
    quint64 lastSeq = 0;
    qint64 startedWallUs = 0;
    qint64 wallUs = 0;
    qint64 journalBytes = 0;
    qint64 diskFreeBytes = 0;
    qint64 sessions = 0;
    base::Error journalError; ///< code Unknown and no cause: the journal works
    QList<domain::SourceState> sources;
    std::optional<domain::ElectionState> election = {}; ///< none: the agent takes part in no election
    bool operator==(const Status &) const = default;
};

/** Requests the latest wait graphs. Answered by a ChainsPage.
 */
struct ChainsQuery
{
    quint64 id = 0;
    QString source; ///< empty: all
    bool operator==(const ChainsQuery &) const = default;
};
/** One graph for each source whose locks belong to sessions; domain::chainsOf() makes the tree. */
struct ChainsPage
{
    quint64 id = 0;
    QList<domain::WaitGraph> graphs;
    bool operator==(const ChainsPage &) const = default;
};

/**
 * Requests the cost of the locks that had waiters or changed hands in a time range, ranked by waiting, then
 * by hand-overs. Answered by one ContentionPage.
 */
struct ContentionQuery
{
    quint64 id = 0;
    QString source;               ///< empty: all
    QByteArray lockGlob;          ///< empty: all
    std::optional<qint64> fromUs; ///< empty: as far back as the journal reaches
    std::optional<qint64> toUs;   ///< empty: now
    int limit = 20;               ///< at most 1,000
    domain::ContentionRanking ranking = domain::ContentionRanking::Lock;
    bool sums = false; ///< also count acquisitions and forced of all locks, which reads all their holds
    bool operator==(const ContentionQuery &) const = default;
};
struct ContentionPage
{
    quint64 id = 0;
    qint64 fromUs = 0; ///< range that was used
    qint64 toUs = 0;
    QList<domain::Contention> locks;
    bool more = false;                      ///< locks or waiters beyond the limit exist
    QList<domain::WaiterCost> waiters = {}; ///< longest waiting first; of ContentionRanking::Waiter
    /** Sums over all locks in the range, including those beyond the limit; empty: with another ranking. */
    std::optional<qint64> waitedUs = {};
    std::optional<qint64> waits = {};
    /** Likewise, and including unranked locks; empty: not requested. */
    std::optional<qint64> acquisitions = {};
    std::optional<qint64> forced = {};
    QList<domain::BlockerCost> blockers = {}; ///< costliest first; of Holder and Statement
    /** Waiting in the range while nobody was known to hold the lock; empty: not of Holder and Statement. */
    std::optional<qint64> unattributedUs = {};
    bool operator==(const ContentionPage &) const = default;
};

/** One interval in which one waiter waited for a lock. */
struct Wait
{
    domain::LockKey key;
    QByteArray waiter;
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: still waiting
    qint64 id = 0;              ///< id in the journal
    bool operator==(const Wait &) const = default;
};
/** The sums of one slice (TimelinePage::sliceUs long) of a lane that has more bars than were requested. */
struct TimelineSlice
{
    qint64 fromUs = 0;
    qint64 heldUs = 0; ///< time held in the slice, summed over the lane's locks
    qint64 waitUs = 0; ///< time waited in the slice, summed over all waiters
    qint64 holds = 0;  ///< holds that ended in the slice
    qint64 waits = 0;  ///< waits that ended in the slice
    qint64 forced = 0; ///< number of those holds that were broken
    bool operator==(const TimelineSlice &) const = default;
};
/** The subject of each lane in a timeline. */
enum class TimelineLanes : quint8 { Lock = 0, Holder, Source };
/** One lane: bars sorted by their beginning, or slices if the bars would be too many. */
struct TimelineLane
{
    std::optional<domain::LockKey> key; ///< for a lane of a lock
    QString source;                     ///< for a lane of a source or a holder
    QByteArray holder;                  ///< for a lane of a holder
    qint64 waitUs = 0;                  ///< waiting in the range; the lanes are ranked by it
    QList<Hold> holds;
    QList<Wait> waits;
    QList<TimelineSlice> slices; ///< non-empty slices; ascending
    bool operator==(const TimelineLane &) const = default;
};
/** A time in which a source, or a part of it, wasn't observed. */
struct TimelineGap
{
    QString source;
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: it continues
    QString part;               ///< part of the source; empty: all of it
    QString cause;
    bool operator==(const TimelineGap &) const = default;
};
/**
 * Requests holds and waits in a range of time, no finer than a screen can show.
 * Answered by one TimelinePage.
 */
struct TimelineQuery
{
    quint64 id = 0;
    TimelineLanes by = TimelineLanes::Lock;
    QString source;              ///< empty: all
    QByteArray lockGlob;         ///< empty: all
    QByteArray holderGlob;       ///< filters holds; empty: all
    QList<domain::LockKey> keys; ///< only these locks, one lane each in this order, instead of the ranking
    qint64 fromUs = 0;           ///< by the stores' clocks
    qint64 toUs = 0;             ///< exclusive
    qint64 sliceUs = 0;          ///< the time of one or two pixels: shorter bars may be merged into slices
    int lanes = 50;              ///< at most 200; longest waiting first, then longest held
    int bars = 4000;             ///< at most 10,000 over all lanes
    int stripSlices = 0;         ///< number of elements in `strip`; 0: none; at most 2,000
    qint64 stripFromUs = 0;
    qint64 stripToUs = 0;
    bool operator==(const TimelineQuery &) const = default;
};
struct TimelinePage
{
    quint64 id = 0;
    qint64 fromUs = 0; ///< range that was used
    qint64 toUs = 0;
    qint64 sliceUs = 0; ///< slice length that was used; may be greater than requested
    QList<TimelineLane> lanes;
    bool more = false; ///< lanes beyond the limit exist
    QList<TimelineGap> gaps;
    QList<qint64> strip; ///< number of events in each of the equal parts of the strip's range
    qint64 firstUs = 0;  ///< beginning of the journal; 0: it is empty
    bool operator==(const TimelinePage &) const = default;
};

/**
 * Requests the waiting in each slice of a range of time, and the gaps in the observation.
 * Answered by one WaitingPage.
 */
struct WaitingQuery
{
    quint64 id = 0;
    qint64 fromUs = 0;
    qint64 toUs = 0;
    int slices = 0; ///< number of equal slices, at most 1,440; 0: request only the gaps
    bool operator==(const WaitingQuery &) const = default;
};
/** The waiting for one source's locks in a range. */
struct SourceWaiting
{
    QString source;
    qint64 seenUntilUs = 0;       ///< last observation of a healthy source, otherwise the range's end
    QList<events::Interval> gaps; ///< times before `seenUntilUs` in which the source wasn't observed
    QList<qint64> waitedUs;       ///< per slice: observed waiting, summed over all waiters
    bool operator==(const SourceWaiting &) const = default;
};
/** Covers every source that the agent observes now. */
struct WaitingPage
{
    quint64 id = 0;
    qint64 fromUs = 0;
    qint64 toUs = 0;
    QList<SourceWaiting> sources;
    bool operator==(const WaitingPage &) const = default;
};

/** Requests the session's user and grants. */
struct WhoAmI
{
    quint64 id = 0;
    bool operator==(const WhoAmI &) const = default;
};
/** The answer to WhoAmI. Also sent unrequested, with id 0, when it changes during the session. */
struct Identified
{
    quint64 id = 0;
    QString way; ///< how the user was authenticated: "local", "certificate", "password"
    QString user;
    domain::Grants grants;
    bool operator==(const Identified &) const = default;
};

/** Requests the open approval requests, and those decided or ended within the last minutes. */
struct ApprovalsQuery
{
    quint64 id = 0;
    bool operator==(const ApprovalsQuery &) const = default;
};
struct ApprovalsPage
{
    quint64 id = 0;
    QList<domain::ApprovalRequest> requests; ///< newest last
    bool operator==(const ApprovalsPage &) const = default;
};
/** A second person's decision on a request. Answered by a ReleaseResult once the release has ended. */
struct Decision
{
    quint64 id = 0;
    qint64 request = 0;
    bool approve = false;
    QString reason; ///< reason for a rejection
    bool operator==(const Decision &) const = default;
};
/** Sent unrequested to subscribed sessions: a request is new, or its state has changed. */
struct ApprovalChanged
{
    domain::ApprovalRequest request;
    bool operator==(const ApprovalChanged &) const = default;
};

/** Requests the alerts that are not over, and those that ended within the last day, newest first. */
struct AlertsQuery
{
    quint64 id = 0;
    bool operator==(const AlertsQuery &) const = default;
};
/** The state of one receiver of alerts. Times by the agent's wall clock. */
struct AlertReceiver
{
    QString name;
    QByteArray type;                   ///< "alertmanager", "pagerduty", "webhook", "email", "command"
    std::optional<qint64> deliveredUs; ///< last delivery; empty: none yet
    std::optional<qint64> failingSinceUs;
    base::Error error;  ///< the cause while it fails
    qint64 waiting = 0; ///< alerts still to be delivered
    bool operator==(const AlertReceiver &) const = default;
};
struct AlertsPage
{
    quint64 id = 0;
    QList<domain::Alert> alerts;
    QList<AlertReceiver> receivers;
    qint64 nowUs = 0;  ///< the agent's wall clock: the phases and ages are as of then
    bool more = false; ///< further alerts were left out: see the limit of an answer in PROTOCOL.md
    bool operator==(const AlertsPage &) const = default;
};
/** Acknowledges or snoozes an alert that isn't over. Answered by Done. Needs the role to release its lock. */
struct AlertAction
{
    enum class AlertVerb : quint8 {
        Acknowledge = 0,
        Snooze,
        Wake, ///< ends a snooze
    };

    quint64 id = 0;
    QByteArray alert; ///< its id
    AlertVerb verb = AlertVerb::Acknowledge;
    qint64 forUs = 0; ///< of a snooze: at most a week
    bool operator==(const AlertAction &) const = default;
};
/** Sends a test message to one receiver. Answered by Done once it was delivered. Needs the admin role. */
struct ReceiverTest
{
    quint64 id = 0;
    QString receiver;
    bool operator==(const ReceiverTest &) const = default;
};
/** Sent unrequested to subscribed sessions: an alert has fired, ended, or was acknowledged or snoozed. */
struct AlertChanged
{
    domain::Alert alert;
    bool operator==(const AlertChanged &) const = default;
};

/** Requests advice from the evidence of a range of time. The journal supplies the evidence. */
struct AdviceQuery
{
    quint64 id = 0;
    QString source;               ///< empty: all
    QByteArray lockGlob;          ///< empty: all
    std::optional<qint64> fromUs; ///< empty: as far back as the agent reads
    std::optional<qint64> toUs;   ///< empty: now
    bool operator==(const AdviceQuery &) const = default;
};
struct AdvicePage
{
    quint64 id = 0;
    QList<domain::Advice> advice; ///< the surest first
    qint64 fromUs = 0; ///< the range that was read: shorter than requested if it has too many holds
    qint64 toUs = 0;
    qint64 observedPermille = 0; ///< the share of the range in which the least observed source was observed
    qint64 locks = 0;            ///< with evidence in the range
    qint64 holds = 0;            ///< that were read
    bool more = false;           ///< earlier holds, further locks or further advice were left out
    bool operator==(const AdvicePage &) const = default;
};

/**
 * Asks whether a lock's holder is alive. The agent probes it unless its last verdict is recent enough, and
 * answers with one HolderChecksPage within the probe's time limit.
 */
struct HolderChecksQuery
{
    quint64 id = 0;
    domain::LockKey key; ///< empty: request every verdict that is known, without a probe
    bool operator==(const HolderChecksQuery &) const = default;
};
struct HolderChecksPage
{
    quint64 id = 0;
    QList<domain::HolderCheck> checks;
    qint64 nowUs = 0; ///< the agent's wall clock: the ages are as of then
    bool operator==(const HolderChecksPage &) const = default;
};

/** Cancels a query; no answer follows unless it has already been sent. */
struct Cancel
{
    quint64 id = 0;
    bool operator==(const Cancel &) const = default;
};

/** The answer to a request that failed as a whole. */
struct Failed
{
    quint64 id = 0;
    base::Error error;
    bool operator==(const Failed &) const = default;
};

// clang-format off
/** Every message and its number on the wire: a message needs one to compile. Never reuse a number. */
#define LOCKKEEPER_MESSAGES(X)                                                                               \
    X(Hello, 1) X(Welcome, 2) X(Goodbye, 3) X(Ping, 4) X(Pong, 5) X(Subscribe, 10) X(Subscribed, 11)         \
    X(SnapshotPage, 12) X(EventBatch, 13) X(StateBatch, 14) X(LocksQuery, 20) X(HistoryQuery, 21)            \
    X(EventPage, 22) X(HoldsQuery, 23) X(HoldPage, 24) X(AuditQuery, 25) X(AuditPage, 26)                    \
    X(Inspect, 40) X(Inspected, 41) X(ForceRelease, 42) X(ReleaseResult, 43) X(ReadNow, 44)                  \
    X(Done, 45) X(StatusQuery, 27) X(Status, 28) X(Cancel, 29) X(Failed, 30) X(ChainsQuery, 31)              \
    X(ChainsPage, 32) X(ContentionQuery, 33) X(ContentionPage, 34) X(WaitingQuery, 38)                       \
    X(WaitingPage, 39) X(ProbeRequest, 46) X(ProbeResult, 47) X(TimelineQuery, 35)                           \
    X(TimelinePage, 36) X(LoginNeeded, 60) X(Login, 61) X(WhoAmI, 70) X(Identified, 71)                      \
    X(ApprovalsQuery, 72) X(ApprovalsPage, 73) X(Decision, 74) X(ApprovalChanged, 75)                        \
    X(DiscoverRequest, 48) X(DiscoverResult, 49) X(AlertsQuery, 76) X(AlertsPage, 77) X(AlertAction, 78)     \
    X(ReceiverTest, 79) X(AlertChanged, 80) X(AdviceQuery, 81) X(AdvicePage, 82)     \
    X(HolderChecksQuery, 83) X(HolderChecksPage, 84)
// clang-format on

template <typename None, typename... Ms> using VariantOf = std::variant<Ms...>;
#define LOCKKEEPER_ALTERNATIVE(message, number) , message
using AnyMessage = VariantOf<void LOCKKEEPER_MESSAGES(LOCKKEEPER_ALTERNATIVE)>;
#undef LOCKKEEPER_ALTERNATIVE

template <typename M, typename Any> inline constexpr bool kIsOneOf = false;
template <typename M, typename... Ms>
inline constexpr bool kIsOneOf<M, std::variant<Ms...>> = (std::is_same_v<M, Ms> || ...);

/**
 * Any one of the messages. messages.cpp defines the special members, so that the code for all alternatives is
 * generated only once. Otherwise it took a fifth of the compile time of each source file that sends many
 * kinds of messages.
 */
struct Message : AnyMessage
{
    Message();
    template <typename M>
        requires kIsOneOf<M, AnyMessage>
    Message(M message);
    Message(const Message &other);
    Message(Message &&other) noexcept;
    Message &operator=(const Message &other);
    Message &operator=(Message &&other) noexcept;
    ~Message();
    bool operator==(const Message &other) const;
    bool operator<(const Message &other) const = delete; // otherwise QMetaType would use the variant's
};

} // namespace lockkeeper::protocol
