// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"
#include "shared/domain/node.h"

#include <QList>

#include <optional>

namespace lockkeeper::domain {

/** Microseconds since the epoch by the store's clock; empty where it isn't known. */
using TimeUs = std::optional<qint64>;

/** What the store said, before time is taken into account. */
enum class Phase : quint8 {
    Free = 0,
    Held,
    Expired,    ///< past its deadline by the store's clock and still present
    Optimistic, ///< nobody holds it: a version is compared and incremented
    Unknown,    ///< seen, but what is stored makes no sense (a bad time, another type)
};

/** The one word for a lock that a row shows, worst first. Derived by condition(). */
enum class Condition : quint8 {
    Unknown = 0,
    Stuck,
    Expired,
    Contended,
    Expiring,
    Held,
    Optimistic,
    Free,
};

/** Why a lock counts as stuck. */
enum class StuckReason : quint8 {
    None = 0,
    NoExpiry,     ///< no expiry in a scheme that has expiries, for longer than `no_expiry_after`
    NoSignOfLife, ///< a scheme without expiries, no change for longer than `stuck_after`
};

/** How a lease ends. */
enum class ExpiryKind : quint8 {
    Unknown = 0, ///< not told, or nonsense; never taken for expired
    None,        ///< it doesn't expire
    At,          ///< at `expiresUs`
};

/** What a time of a LockState rests on. */
enum class Evidence : quint8 {
    None = 0,
    Column,       ///< a column or field that the application wrote
    Ttl,          ///< the store's own expiry
    Observation,  ///< seen by comparing two observations: carries a window
    FirstSeen,    ///< there already when first seen: at least this old
    Notification, ///< pushed by the store
};

/** Whether the holder shows signs of life. */
enum class Alive : quint8 {
    Unknown = 0, ///< the scheme, or the short time of watching, doesn't tell
    Renewed,     ///< renewed within the usual interval
    Silent,      ///< renewals were seen and have stopped
    Connected,   ///< the holder's connection is open
};

/** Someone who waits for a lock. `id` is text like an owner; times are by the store's clock. */
struct Waiter
{
    QByteArray id;
    TimeUs sinceUs; ///< the wait began in [sinceUs − windowUs, sinceUs]
    QByteArray detail;
    qint64 windowUs = 0;

    bool operator==(const Waiter &) const = default;
};

/** How safe a force-release of this acquisition would be. */
enum class ReleaseSafety : quint8 {
    Off = 0, ///< not possible now; `why` says so
    Guarded, ///< one atomic compare-and-release
    Unsafe,  ///< nothing tells the acquisition from others; allowed by `break = "unsafe"`
};

/** Why a force-release is off (stable codes, worded by the console). */
enum class ReleaseOff : quint8 {
    None = 0,
    Free,           ///< there is nothing to release
    BreakNever,     ///< the configuration says `break = "never"`
    NoIdentity,     ///< nothing to guard with
    Truncated,      ///< the value is longer than the part that is read
    WrongType,      ///< the key isn't of the scheme's type
    SourceDown,     ///< the store can't be reached, or the observation is stale
    NotPermitted,   ///< the agent's grants or the asker's role don't allow it
    Unsupported,    ///< this scheme can't be broken
    Malformed,      ///< what is stored doesn't fit the scheme
    Instrument,     ///< the server's transaction instrument is off: a kill couldn't be guarded
    System,         ///< a replication, system or own connection: never killed
    PreparedXa,     ///< a prepared XA transaction holds it without a connection
    TooYoung,       ///< a session's acquisition that hasn't been seen twice and for 5 s
    ReadOnly,       ///< the server is a replica
    SeveralHolders, ///< a shared lock that several hold: no guard fits one alone
    Past,           ///< the state is of a past moment
};

/**
 * A connection to a database server, as the server describes it: who holds or waits for a lock that belongs
 * to a session. Text is the server's own bytes, untrusted.
 */
struct Session
{
    QByteArray id;          ///< the connection's id
    QByteArray user;        ///< the account
    QByteArray client;      ///< host and port
    QByteArray program;     ///< from connection attributes; empty: not told
    QByteArray transaction; ///< its id; empty: none open
    TimeUs transactionSinceUs;
    TimeUs idleSinceUs;   ///< set while it runs no statement
    QByteArray statement; ///< running, or the last one; plain text, cut at 1,024 bytes
    bool statementCut = false;
    ReleaseOff protectedAs = ReleaseOff::None; ///< why it can't be killed: System, PreparedXa, …
    /** Of its transaction, as far as the server counts: what a kill gives free, and what it rolls back. Told
     * in wait graphs alone; empty: not told. */
    std::optional<qint64> rowsLocked;
    std::optional<qint64> rowsChanged;

    bool operator==(const Session &) const = default;
};

struct ReleaseCapability
{
    ReleaseSafety safety = ReleaseSafety::Off;
    ReleaseOff why = ReleaseOff::None;

    bool possible() const { return safety != ReleaseSafety::Off; }
    bool operator==(const ReleaseCapability &) const = default;
};

/**
 * All that is known of one lock at one moment. A value: made by the agent's engine, carried by events and
 * snapshots, never edited by a console. Times are by the store's clock.
 */
struct LockState
{
    LockKey key;
    Phase phase = Phase::Unknown;
    StuckReason stuck = StuckReason::None;
    bool ownerKnown = true;               ///< false: NULL; true with no owner: the scheme doesn't keep one
    QByteArray owner;                     ///< holds it; or, where Free, held it last
    QByteArray token;                     ///< the secret or id proving ownership
    TimeUs acquiredUs;                    ///< acquired in [acquiredUs − windowUs, acquiredUs]
    qint64 windowUs = 0;                  ///< 0: exact
    Evidence acquiredBy = Evidence::None; ///< FirstSeen: held at least since acquiredUs
    TimeUs renewedUs;                     ///< the last renewal that was seen
    quint32 renewals = 0;                 ///< seen in this acquisition
    qint64 longestRenewalGapUs = 0;
    ExpiryKind expiry = ExpiryKind::Unknown;
    TimeUs expiresUs; ///< set where expiry is At
    qint64 ttlMs = 0; ///< the lease's full length as last set; 0 unknown
    Evidence expiresBy = Evidence::None;
    quint32 depth = 0;                       ///< re-entry depth; 0 where the scheme has none
    QByteArray fencing;                      ///< a fencing token as text; empty: none
    bool waitersVisible = false;             ///< `waiters` are all; false: that can't be seen, here or now
    QList<Waiter> waiters;                   ///< in the order of their turn
    std::optional<quint32> waiting;          ///< how many wait, where the store tells only their number
    QByteArray mode;                         ///< "read" or "write" of a read-write lock; empty: any other
    std::optional<Session> session;          ///< the holder's connection, where the lock belongs to one
    QList<NodeView> nodes;                   ///< of a lock kept on several servers, in the configured order
    std::optional<quint32> changesPerMinute; ///< optimistic locks: increments in the last minute
    ReleaseCapability release;
    /** Another acquisition may have the same identity: the guard pins the exact deadline too, and a renewal
     * voids it. */
    bool pinsDeadline = false;
    /** Of a past moment alone: a change of it that can't be dated more exactly may have come before. */
    bool mayHaveChanged = false;
    QByteArray guard; ///< digest (hex) that pins this acquisition; empty where nothing to guard
    TimeUs seenUs;    ///< last observed

    bool isHeld() const { return phase == Phase::Held || phase == Phase::Expired; }
    bool isContended() const { return !waiters.isEmpty() || waiting.value_or(0) > 0; }
    /** How many wait; empty where nobody can tell. */
    std::optional<qint64> waiterCount() const
    {
        return waitersVisible ? std::optional<qint64>(waiters.size()) : std::optional<qint64>(waiting);
    }
    bool operator==(const LockState &) const = default;
};

/**
 * The word for `state` at `nowUs` (the store's clock). A deadline that has passed doesn't make a lock
 * Expired: only an observation does. Less than a fifth of the lease left makes it Expiring.
 */
Condition condition(const LockState &state, qint64 nowUs);

/** The stable name used in JSON and filters: "free", "held", "expiring", … */
QByteArrayView conditionName(Condition condition);
std::optional<Condition> conditionFromName(QByteArrayView name);

/** Time left in microseconds, negative once past; empty without a known deadline. */
std::optional<qint64> remainingUs(const LockState &state, qint64 nowUs);

/** How long the longest waiter has waited at `nowUs`; empty without waiters or times. */
std::optional<qint64> longestWaitUs(const LockState &state, qint64 nowUs);

/** A holder's sign of life and the numbers that it rests on. */
struct Liveness
{
    Alive verdict = Alive::Unknown;
    std::optional<qint64> sinceRenewalUs; ///< time since the last renewal that was seen
    int missedRenewals = 0;               ///< whole usual intervals that passed without one
    std::optional<qint64> idleUs;         ///< Connected: how long it has run no statement; empty: it runs one

    bool operator==(const Liveness &) const = default;
};

/**
 * A lock of a session is as alive as its connection: Connected, except for a prepared XA transaction, which
 * has none. Otherwise judges from renewals alone: with at least two seen, a silence of more than twice the
 * longest gap between them is Silent; at least one seen and no such silence is Renewed; otherwise Unknown.
 */
Liveness liveness(const LockState &state, qint64 nowUs);

/** Stable JSON names of the enumerations: "renewed", "guarded", "break_never", "no_expiry", "column", … */
QByteArrayView aliveName(Alive value);
QByteArrayView safetyName(ReleaseSafety value);
QByteArrayView releaseOffName(ReleaseOff value);
QByteArrayView stuckReasonName(StuckReason value);
QByteArrayView evidenceName(Evidence value);

} // namespace lockkeeper::domain

// A list of a million grows where it lies, and isn't moved one by one.
Q_DECLARE_TYPEINFO(lockkeeper::domain::LockState, Q_RELOCATABLE_TYPE);
