// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/approval.h"
#include "shared/domain/audit_signature.h"
#include "shared/domain/contention.h"
#include "shared/domain/discovery.h"
#include "shared/domain/election_state.h"
#include "shared/domain/grants.h"
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
 * The messages between an agent and its clients: the one vocabulary of the wire. PROTOCOL.md gives the bytes.
 * Every request carries an `id` that the client chose; the answer repeats it, and an answer to an
 * id that nobody waits for is dropped. Plain values.
 */
namespace lockkeeper::protocol {

inline constexpr int kVersion = 1;       ///< what this build speaks
inline constexpr int kOldestVersion = 1; ///< what it still understands
inline constexpr quint32 kMaxFrameBeforeLogin = 16u << 10;
inline constexpr quint32 kMaxFrame = 8u << 20;
inline constexpr int kMaxNesting = 16;     ///< containers within each other in one payload
inline constexpr int kMaxItems = 100'000;  ///< elements of any list in a message
inline constexpr int kMaxDetailItems = 64; ///< members of one object or array in an event's `detail`
inline constexpr int kMaxDetailDepth = 8;  ///< objects and arrays within each other in `detail`

/** Named in Hello and Welcome where both sides know it: ChainsQuery and ChainsPage. */
inline constexpr const char *kFeatureChains = "chains";
/** ContentionQuery and ContentionPage. */
inline constexpr const char *kFeatureContention = "contention";
/** ContentionQuery::byWaiter. */
inline constexpr const char *kFeatureWaiters = "waiters";
/** The findings of a source state: without it, that there are none says nothing. */
inline constexpr const char *kFeatureLens = "lens";
/** ProbeRequest and ProbeResult. */
inline constexpr const char *kFeatureProbe = "probe";
/** LocksQuery::atUs. */
inline constexpr const char *kFeatureAsOf = "as_of";

/** WhoAmI and Identified. */
inline constexpr const char *kFeatureWhoAmI = "whoami";
/** EventBatch::throughSeq. Without it a user who may look at a part gets no stream with a table. */
inline constexpr const char *kFeaturePart = "part";
/** Force-releases that wait for a second person, and the decision. Without it such a release is refused. */
inline constexpr const char *kFeatureApprovals = "approvals";
/** WaitingQuery and WaitingPage. */
inline constexpr const char *kFeatureWaiting = "waiting";
/** TimelineQuery and TimelinePage. */
inline constexpr const char *kFeatureTimeline = "timeline";

/** DiscoverRequest and DiscoverResult. */
inline constexpr const char *kFeatureDiscover = "discover";

/** LoginNeeded and Login. */
inline constexpr const char *kFeatureLogin = "login";

/** Named in Hello and Welcome where both sides know it: the nodes of a lock state and of a release. Where it
 * isn't in force, a lock without nodes may have some. */
inline constexpr const char *kFeatureNodes = "nodes";

/** Client → agent, first. */
struct Hello
{
    int version = kVersion;
    int oldest = kOldestVersion;
    QString program; ///< "lockkeeper 0.1.0"
    QString user;    ///< who asks, for the audit; over a local socket the agent replaces it by the peer's
    QStringList features; ///< by name; unknown ones are kept and ignored
    bool operator==(const Hello &) const = default;
};

/** Agent → client, after Hello: who is at the other end isn't told by the connection. Sent only where Hello
 * names the feature "login". */
struct LoginNeeded
{
    QStringList ways; ///< which the agent takes: "password"
    bool operator==(const LoginNeeded &) const = default;
};
/** Client → agent, the answer; Welcome or Goodbye follows. */
struct Login
{
    QString user;
    QByteArray password;
    bool operator==(const Login &) const = default;
};

/** Agent → client: the session stands. */
struct Welcome
{
    int version = kVersion;
    QString agent; ///< the configured name
    QString program;
    QStringList features; ///< those in force
    QString user;         ///< as the agent knows the client
    QString role;         ///< "viewer", "operator", "approver", "admin": the highest, wherever it holds
    QByteArray journal;   ///< id of the journal: numbers of another journal mean nothing
    quint64 firstSeq = 0; ///< oldest event that is still kept; 0: none
    quint64 lastSeq = 0;
    domain::Grants grants = {}; ///< none: an agent of before them, whose role is valid everywhere
    bool operator==(const Welcome &) const = default;
};

/** Agent → client: refused; the connection closes. */
struct Goodbye
{
    base::Error error;
    bool operator==(const Goodbye &) const = default;
};

/** Either way, every few seconds; the peer answers with the same number. Lag is measured from it. */
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
 * Starts the stream. With `since` (exclusive) and the same journal the events after it follow; otherwise,
 * or where the journal no longer reaches back, a fresh start: snapshot pages and then events.
 */
struct Subscribe
{
    quint64 id = 0;
    std::optional<quint64> since;
    QByteArray journal;    ///< which journal `since` counts in; empty: the agent's current one
    bool snapshot = true;  ///< false: events only, even after a fresh start (`lockkeeperctl watch`)
    bool renewals = false; ///< send unsequenced renewals as events with seq 0 as well
    bool operator==(const Subscribe &) const = default;
};

/** `fresh`: the client's state is void; `fromSeq` is the state's number: events from fromSeq + 1 follow. */
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
    quint64 id = 0; ///< of Subscribe or LocksQuery
    quint64 atSeq = 0;
    bool last = false;
    QList<domain::LockState> locks;
    QList<domain::SourceState> sources; ///< in the last page
    bool operator==(const SnapshotPage &) const = default;
};

/** Journalled events in order; also unsequenced renewals (seq 0) where asked for. */
struct EventBatch
{
    QList<events::LockEvent> events;
    /** Set where the user may look at a part: it tells of all numbers in (afterSeq, throughSeq], and those
     * that it leaves out are of what isn't seen. */
    std::optional<quint64> afterSeq = {};
    std::optional<quint64> throughSeq = {};
    bool operator==(const EventBatch &) const = default;
};

/**
 * Unsequenced changes of state (renewals, looks), conflated for a slow client, and sources' health. While the
 * journal can't write (`unjournalled`), the live view goes on by these alone: locks are then inserted
 * as well as replaced, and `removed` ones taken out; the events follow once there is space again.
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
 * The table once, without a subscription: now, or as it was at `atUs` by each source's clock, as far as the
 * journal tells. Answered by SnapshotPages. Of a past moment a source that wasn't observed then is Down, with
 * `gapSinceUs` the last observation before; no lock can be released.
 */
struct LocksQuery
{
    quint64 id = 0;
    QString source;                  ///< empty: all
    QByteArray nameGlob;             ///< empty: all
    std::optional<qint64> atUs = {}; ///< empty: now. Feature `as_of`
    bool operator==(const LocksQuery &) const = default;
};

/** Events of the journal. Newest first with `descending`. Answered by one EventPage. */
struct HistoryQuery
{
    quint64 id = 0;
    QString source;
    QByteArray lockGlob;
    QByteArray holderGlob;
    QList<events::Kind> kinds;    ///< empty: all
    std::optional<qint64> fromUs; ///< on timeUs
    std::optional<qint64> toUs;
    std::optional<quint64> afterSeq;  ///< exclusive
    std::optional<quint64> beforeSeq; ///< exclusive
    QByteArray command;
    int limit = 200; ///< at most 1,000 a page
    bool descending = false;
    /** Takes a page without events that tells how far was read, instead of waiting for one that has some. */
    bool inSlices = false;
    bool operator==(const HistoryQuery &) const = default;
};
struct EventPage
{
    quint64 id = 0;
    QList<events::LockEvent> events; ///< without `after`
    bool more = false;
    quint64 firstSeq = 0; ///< what the journal reaches back to
    quint64 lastSeq = 0;
    /** With `more`: all up to this event, in the question's direction, was looked at, and none of it that
     * isn't here fits. Empty: that is so up to the last of `events`. */
    std::optional<quint64> reachedSeq = {};
    std::optional<qint64> reachedUs = {}; ///< its time
    /** Where to ask on; empty: there is no more. */
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
    qint64 id = 0; ///< the journal's: what began later has a greater one; 0: an agent that doesn't tell
    std::optional<qint64> waitedUs =
        {};                  ///< its holder's wait, which ended as this began; empty: none was seen
    bool waitSeen = true;    ///< false: it had waited at least so long
    QByteArray command = {}; ///< of the force-release that ended it; empty: none, or not known
    QString by = {};         ///< who ran that, in which role and why, as the audit has it
    QString role = {};
    QString reason = {};
    QByteArray mayBe = {}; ///< "released": nothing proves the end, which may have been this; empty: proven
    std::optional<qint64> renewedUs = {}; ///< the last renewal that was journalled; empty: none was
    std::optional<qint64> expiresUs = {}; ///< until when that was to last
    QList<qint64> renewalsUs =
        {}; ///< of a timeline's bar: all in its range, or none where they'd be too many
    bool operator==(const Hold &) const = default;
};
/** Holds of locks whose name fits, newest first. Answered by one HoldPage. */
struct HoldsQuery
{
    quint64 id = 0;
    QString source;
    QByteArray lockGlob;
    std::optional<domain::LockKey> key; ///< exactly this lock instead
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    int limit = 200;
    QByteArray holderGlob = {};          ///< empty: all
    std::optional<qint64> beforeId = {}; ///< of a hold, exclusive: the next page
    bool operator==(const HoldsQuery &) const = default;
};
struct HoldPage
{
    quint64 id = 0;
    QList<Hold> holds;
    bool more = false;
    bool operator==(const HoldPage &) const = default;
};

/** The audit, newest first. `verify` checks the whole chain. Answered by one AuditPage. */
struct AuditQuery
{
    quint64 id = 0;
    std::optional<qint64> beforeId; ///< exclusive
    int limit = 200;
    bool verify = false;
    QByteArray command = {};    ///< the entry of this command alone; empty: all
    QByteArray keyId = {};      ///< with `verify`: whose signature is asked for; empty: the newest
    QByteArray soughtHash = {}; ///< with `verify`: of a record that the chain should have; empty: none
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
    qint64 records = 0;   ///< with `verify`: how many the chain has; an entry is two of them or three
    /** With `verify`, where there is one: its hash is that of the chain. Not checked against a key. */
    std::optional<domain::AuditSignature> signature = {};
    /** With `verify`: the last head that was signed, kept outside of the database; the chain was compared
     * with it. Empty: there was nothing to compare with. */
    std::optional<domain::AuditSignature> anchor = {};
    base::Error fault = {};      ///< why it isn't verified; no cause: it is, or wasn't asked for
    QList<qint64> accepted = {}; ///< entries by which an operator accepted an audit that wasn't whole
    QByteArray hash = {};        ///< with `verify`: of the last record
    std::optional<qint64> soughtRecord = {}; ///< the record that has `soughtHash`; empty: none has it
    bool operator==(const AuditPage &) const = default;
};

/** Reads one lock afresh from its store: what a dialog's guard rests on. Answered by Inspected. */
struct Inspect
{
    quint64 id = 0;
    domain::LockKey key;
    bool operator==(const Inspect &) const = default;
};
struct Inspected
{
    quint64 id = 0;
    bool present = false;    ///< false: nothing there (already free)
    domain::LockState state; ///< with `guard` and `release` as of this reading
    qint64 storeUs = 0;      ///< when, by the store's clock
    QByteArray ticket;       ///< names this reading with its freshness; void after 5 s
    QString willRun;         ///< the operation, for the operator to read; not to be parsed
    std::optional<base::Error> error;
    bool needsApproval = false;         ///< a release of this becomes a request. Feature `approvals`
    domain::Companions companions = {}; ///< without names for who doesn't see the whole source
    bool operator==(const Inspected &) const = default;
};

/**
 * The operator's act. Needs `ticket` (of an Inspect ≤ 5 s ago), or `guard` (an acquisition's
 * digest), or `holder` (the acquisition shown at that moment, where its owner is this). Answered by one
 * ReleaseResult; a repeated `command` gets the recorded outcome.
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
    base::Error error; ///< the cause where not released
    bool dryRun = false;
    bool replicated = true;
    std::optional<qint64> storeUs; ///< when the store did it
    qint64 auditId = 0;
    QList<domain::NodeOutcome> nodes = {}; ///< of a lock kept on several servers
    qint64 endsUs = 0; ///< of a request that awaits approval, under auditId: the agent's clock
    bool operator==(const ReleaseResult &) const = default;
};

/**
 * The operator's look at what a store's clients attempt, at a cost for the store. Sent only where the feature
 * "probe" is in force. Answered by one ProbeResult, when the probe has ended; the same `command` is never
 * carried out twice.
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
    base::Error error;  ///< the cause where it wasn't carried out, or not to its end
    qint64 beganUs = 0; ///< the store's clock; 0: nothing passed by
    qint64 endedUs = 0;
    qint64 commands = 0;   ///< that passed by
    qint64 unreadable = 0; ///< of them
    domain::ProbeEnd end = domain::ProbeEnd::Time;
    QList<domain::ProbeCount> counts; ///< the most attempts first
    qint64 leftOut = 0;               ///< counts that didn't fit
    qint64 auditId = 0;
    bool operator==(const ProbeResult &) const = default;
};

/**
 * Has the agent look through a store that it doesn't observe, from where it stands, and tell what of it are
 * locks. Writes nothing to the store. Sent only where the feature "discover" is in force, to an agent whose
 * admin the user is everywhere: it connects to whatever address is named. Answered by one DiscoverResult;
 * Cancel ends the look. The same `command` is never carried out twice.
 */
struct DiscoverRequest
{
    quint64 id = 0;
    QByteArray command;  ///< 16 random bytes as hex, chosen by the client
    QString url;         ///< as in a `[[source]]`; one with a password in it is refused
    QByteArray password; ///< itself, never where it is
    QString verify;      ///< of TLS: "full", "ca", "off"; empty: as the URL has it
    QString reason;      ///< for the audit
    bool operator==(const DiscoverRequest &) const = default;
};
struct DiscoverResult
{
    quint64 id = 0;
    QByteArray command;
    base::Error error; ///< why nothing was found out
    domain::discovery::Discovery discovery;
    qint64 auditId = 0;
    bool operator==(const DiscoverResult &) const = default;
};

/** Asks for a scan now; the answer is the observations themselves, and Done once it has ended. */
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
    base::Error journalError; ///< code Unknown and no cause: the journal is well
    QList<domain::SourceState> sources;
    std::optional<domain::ElectionState> election = {}; ///< none: it is the only one for its sources
    bool operator==(const Status &) const = default;
};

/** Who waits for whom, as last read. Sent only where the feature "chains" is in force. Answered by one
 * ChainsPage. */
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
 * What locks cost in a range of time: those that were waited for or changed hands in it, by the waiting and
 * then by how often. Sent only where the feature "contention" is in force. Answered by one ContentionPage.
 */
struct ContentionQuery
{
    quint64 id = 0;
    QString source;               ///< empty: all
    QByteArray lockGlob;          ///< empty: all
    std::optional<qint64> fromUs; ///< empty: as far back as the journal reaches
    std::optional<qint64> toUs;   ///< empty: now
    int limit = 20;               ///< at most 1,000
    bool byWaiter = false;        ///< who waited, instead of what for. Feature `waiters`
    bool sums = false; ///< acquisitions and forced of all locks too, which costs a walk over their holds
    bool operator==(const ContentionQuery &) const = default;
};
struct ContentionPage
{
    quint64 id = 0;
    qint64 fromUs = 0; ///< the range as it was taken
    qint64 toUs = 0;
    QList<domain::Contention> locks;
    bool more = false;                      ///< there are locks, or waiters, past the limit
    QList<domain::WaiterCost> waiters = {}; ///< those that waited longest first; with `byWaiter` alone
    /** Of all locks in the range, those past the limit, too; empty: by waiters, or by an older agent. */
    std::optional<qint64> waitedUs = {};
    std::optional<qint64> waits = {};
    /** Likewise, and of locks that are in no ranking; empty: not asked for, or by an older agent. */
    std::optional<qint64> acquisitions = {};
    std::optional<qint64> forced = {};
    bool operator==(const ContentionPage &) const = default;
};

/** One interval in which somebody waited for a lock. */
struct Wait
{
    domain::LockKey key;
    QByteArray waiter;
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: still waiting
    qint64 id = 0;              ///< the journal's
    bool operator==(const Wait &) const = default;
};
/** What lies in one slice of a lane that holds more bars than were asked for; it covers `sliceUs` of the
 * page. */
struct TimelineSlice
{
    qint64 fromUs = 0;
    qint64 heldUs = 0; ///< of the slice, summed over the lane's locks
    qint64 waitUs = 0; ///< of the slice, summed over all waiters
    qint64 holds = 0;  ///< that ended in it
    qint64 waits = 0;  ///< likewise
    qint64 forced = 0; ///< of the holds, those that were broken
    bool operator==(const TimelineSlice &) const = default;
};
/** What the lanes of a timeline stand for. */
enum class TimelineLanes : quint8 { Lock = 0, Holder, Source };
/** One lane: bars by the beginning, or slices where the bars would be too many. */
struct TimelineLane
{
    std::optional<domain::LockKey> key; ///< of a lane of a lock
    QString source;                     ///< of a lane of a source or a holder
    QByteArray holder;                  ///< of a lane of a holder
    qint64 waitUs = 0;                  ///< in the range: what the lanes are ranked by
    QList<Hold> holds;
    QList<Wait> waits;
    QList<TimelineSlice> slices; ///< those in which something was; ascending
    bool operator==(const TimelineLane &) const = default;
};
/** A time in which a source, or a part of it, wasn't observed. */
struct TimelineGap
{
    QString source;
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: it goes on
    QString part;               ///< of the source; empty: all of it
    QString cause;
    bool operator==(const TimelineGap &) const = default;
};
/**
 * What was held and waited for in a range of time, no finer than a screen can show. Sent only where the
 * feature "timeline" is in force. Answered by one TimelinePage.
 */
struct TimelineQuery
{
    quint64 id = 0;
    TimelineLanes by = TimelineLanes::Lock;
    QString source;              ///< empty: all
    QByteArray lockGlob;         ///< empty: all
    QByteArray holderGlob;       ///< of the holds; empty: all
    QList<domain::LockKey> keys; ///< exactly these locks, a lane each in this order, instead of the ranking
    qint64 fromUs = 0;           ///< by the stores' clocks
    qint64 toUs = 0;             ///< exclusive
    qint64 sliceUs = 0;          ///< what one or two pixels stand for: shorter bars may be merged to slices
    int lanes = 50;              ///< at most 200: those that waited longest, then those held longest
    int bars = 4000;             ///< at most 10,000 over all lanes
    int stripSlices = 0;         ///< how many numbers `strip` has; 0: none; at most 2,000
    qint64 stripFromUs = 0;
    qint64 stripToUs = 0;
    bool operator==(const TimelineQuery &) const = default;
};
struct TimelinePage
{
    quint64 id = 0;
    qint64 fromUs = 0; ///< the range as it was taken
    qint64 toUs = 0;
    qint64 sliceUs = 0; ///< of the slices, as they were taken: may be wider than asked for
    QList<TimelineLane> lanes;
    bool more = false; ///< there are lanes past the limit
    QList<TimelineGap> gaps;
    QList<qint64> strip; ///< events in equal parts of the strip's range
    qint64 firstUs = 0;  ///< what the journal reaches back to; 0: it has nothing
    bool operator==(const TimelinePage &) const = default;
};

/**
 * How many waited, slice by slice of a range of time, and when nobody could tell. Sent only where the feature
 * "waiting" is in force. Answered by one WaitingPage.
 */
struct WaitingQuery
{
    quint64 id = 0;
    qint64 fromUs = 0;
    qint64 toUs = 0;
    int slices = 0; ///< equally long, at most 1,440; 0: only when sources weren't observed
    bool operator==(const WaitingQuery &) const = default;
};
/** What one source's locks were waited for in a range. */
struct SourceWaiting
{
    QString source;
    qint64 seenUntilUs = 0;       ///< the range's end, or the last observation where nothing is amiss
    QList<events::Interval> gaps; ///< before that, in which nobody observed the source
    QList<qint64> waitedUs;       ///< of all who waited, what lay in the slice and was observed
    bool operator==(const SourceWaiting &) const = default;
};
/** Of every source that the agent watches now. */
struct WaitingPage
{
    quint64 id = 0;
    qint64 fromUs = 0;
    qint64 toUs = 0;
    QList<SourceWaiting> sources;
    /** Never sent. Of several agents' answers: sources of a store that another one of them sees better, and
     * whose waits `sources` tells already. */
    QList<SourceWaiting> copies = {};
    bool operator==(const WaitingPage &) const = default;
};

/** Who this session is, and what that may. Sent only where the feature "whoami" is in force. */
struct WhoAmI
{
    quint64 id = 0;
    bool operator==(const WhoAmI &) const = default;
};
/** The answer; with id 0 sent unasked where it changes while the session stands. */
struct Identified
{
    quint64 id = 0;
    QString way; ///< how it is proven: "local", "certificate", "password"
    QString user;
    domain::Grants grants;
    bool operator==(const Identified &) const = default;
};

/** The requests that are open, and those decided or ended within the last minutes. */
struct ApprovalsQuery
{
    quint64 id = 0;
    bool operator==(const ApprovalsQuery &) const = default;
};
struct ApprovalsPage
{
    quint64 id = 0;
    QList<domain::ApprovalRequest> requests; ///< the newest last
    bool operator==(const ApprovalsPage &) const = default;
};
/** A second person's word on a request. Answered by a ReleaseResult, once the release has ended. */
struct Decision
{
    quint64 id = 0;
    qint64 request = 0;
    bool approve = false;
    QString reason; ///< of a rejection
    bool operator==(const Decision &) const = default;
};
/** Unasked, to sessions that have subscribed: a request is new, or has another state. */
struct ApprovalChanged
{
    domain::ApprovalRequest request;
    bool operator==(const ApprovalChanged &) const = default;
};

/** Takes a query back; no answer follows if it had not been sent yet. */
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
/** Every message and its number on the wire: without one it doesn't compile, and none is used twice. */
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
    X(DiscoverRequest, 48) X(DiscoverResult, 49)
// clang-format on

template <typename None, typename... Ms> using VariantOf = std::variant<Ms...>;
#define LOCKKEEPER_ALTERNATIVE(message, number) , message
using AnyMessage = VariantOf<void LOCKKEEPER_MESSAGES(LOCKKEEPER_ALTERNATIVE)>;
#undef LOCKKEEPER_ALTERNATIVE

template <typename M, typename Any> inline constexpr bool kIsOneOf = false;
template <typename M, typename... Ms>
inline constexpr bool kIsOneOf<M, std::variant<Ms...>> = (std::is_same_v<M, Ms> || ...);

/**
 * One of them. What a compiler makes of so many alternatives is made once, in messages.cpp: in each source
 * that sends many kinds of them it was a fifth of the time to compile it.
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
    bool operator<(const Message &other) const = delete; // which QMetaType would take from the variant
};

} // namespace lockkeeper::protocol
