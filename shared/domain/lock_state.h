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

/** The phase that the store reported, before time is taken into account. */
enum class Phase : quint8 {
    Free = 0,
    Held,
    Expired,    ///< past its deadline by the store's clock and still present
    Optimistic, ///< nobody holds it: a version is compared and incremented
    Unknown,    ///< seen, but the stored data makes no sense (a bad time, another type)
};

/** The summary of a lock that a row shows, worst first. Derived by condition(). */
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
    HolderGone,   ///< a liveness probe found its holder dead
};

/** How a lease ends. */
enum class ExpiryKind : quint8 {
    Unknown = 0, ///< not known, or nonsense; never treated as expired
    None,        ///< it doesn't expire
    At,          ///< at `expiresUs`
};

/** The evidence for a time of a LockState. */
enum class Evidence : quint8 {
    None = 0,
    Column,       ///< a column or field that the application wrote
    Ttl,          ///< the store's own expiry
    Observation,  ///< the comparison of two observations: has a window
    FirstSeen,    ///< already present when first seen: at least this old
    Notification, ///< pushed by the store
};

/** Whether the holder shows signs of life. */
enum class Alive : quint8 {
    Unknown = 0, ///< the scheme doesn't show it, or the agent hasn't observed it for long enough
    Renewed,     ///< renewed within the usual interval
    Silent,      ///< renewals were seen and have stopped
    Connected,   ///< the holder's connection is open
};

/** A waiter for a lock. `id` is text like an owner; times are by the store's clock. */
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
    Unsafe,  ///< the acquisition can't be distinguished from others; allowed by `break = "unsafe"`
};

/** Why a force-release isn't possible (stable codes, worded by the console). */
enum class ReleaseOff : quint8 {
    None = 0,
    Free,           ///< there is nothing to release
    BreakNever,     ///< the configuration says `break = "never"`
    NoIdentity,     ///< nothing identifies the acquisition, so it can't be guarded
    Truncated,      ///< the value is longer than the part that is read
    WrongType,      ///< the key isn't of the scheme's type
    SourceDown,     ///< the store can't be reached, or the observation is stale
    NotPermitted,   ///< the agent's grants or the asker's role don't allow it
    Unsupported,    ///< locks of this scheme can't be broken
    Malformed,      ///< the stored data doesn't match the scheme
    Instrument,     ///< the server's transaction instrument is off: a kill couldn't be guarded
    System,         ///< a connection of replication, of the system or of the agent: never killed
    PreparedXa,     ///< a prepared XA transaction holds it without a connection
    TooYoung,       ///< a session's acquisition that hasn't been seen twice and for 5 s
    ReadOnly,       ///< the server is a replica
    SeveralHolders, ///< a shared lock with several holders: a guard can't pin one of them
    Past,           ///< the state is a past one
};

/**
 * A connection to a database server, as the server describes it. It holds or waits for a lock that belongs to
 * a session. Text is the server's bytes, untrusted.
 */
struct Session
{
    QByteArray id;          ///< the connection's id
    QByteArray user;        ///< the account
    QByteArray client;      ///< host and port
    QByteArray program;     ///< from connection attributes; empty: not known
    QByteArray transaction; ///< its id; empty: none open
    TimeUs transactionSinceUs;
    TimeUs idleSinceUs;   ///< set while it runs no statement
    QByteArray statement; ///< running, or the last one; plain text, cut at 1,024 bytes
    bool statementCut = false;
    ReleaseOff protectedAs = ReleaseOff::None; ///< why it can't be killed: System, PreparedXa, …
    /** Rows that a kill would unlock, and row changes that it would roll back, as far as the server counts
     * them. Only set in wait graphs; empty: not known. */
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

/** True if the store itself shows that the lock is stuck. A probe's verdict on the holder never relaxes a
 * rule of releases. */
constexpr bool isStuckInStore(StuckReason reason)
{
    return reason == StuckReason::NoExpiry || reason == StuckReason::NoSignOfLife;
}

/**
 * Everything known about one lock at one moment. A value: made by the agent's engine, carried by events and
 * snapshots, never edited by a console. Times are by the store's clock.
 */
struct LockState
{
    LockKey key;
    Phase phase = Phase::Unknown;
    StuckReason stuck = StuckReason::None;
    bool ownerKnown = true;               ///< false: NULL; true without `owner`: the scheme stores none
    QByteArray owner;                     ///< the holder, or the last holder of a Free lock
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
    bool waitersVisible = false;             ///< `waiters` is complete; false: not visible here or now
    QList<Waiter> waiters;                   ///< in the order of their turn
    std::optional<quint32> waiting;          ///< number of waiters, if the store reports only the number
    QByteArray mode;                         ///< "read" or "write" of a read-write lock; empty: other locks
    std::optional<Session> session;          ///< the holder's connection, if the lock belongs to one
    QList<NodeView> nodes;                   ///< for a lock on several servers, in the configured order
    std::optional<quint32> changesPerMinute; ///< optimistic locks: increments in the last minute
    ReleaseCapability release;
    /** Another acquisition may have the same identity, so the guard also pins the exact deadline. A renewal
     * invalidates the guard. */
    bool pinsDeadline = false;
    /** Only for a past moment: the lock may already have changed by then, because its next change can't be
     * dated more exactly, or because a part of its source wasn't observed. */
    bool mayHaveChanged = false;
    QByteArray guard; ///< digest (hex) that pins this acquisition; empty: nothing to guard
    TimeUs seenUs;    ///< last observed

    bool isHeld() const { return phase == Phase::Held || phase == Phase::Expired; }
    bool isContended() const { return !waiters.isEmpty() || waiting.value_or(0) > 0; }
    /** The number of waiters; empty: not known. */
    std::optional<qint64> waiterCount() const
    {
        return waitersVisible ? std::optional<qint64>(waiters.size()) : std::optional<qint64>(waiting);
    }
    bool operator==(const LockState &) const = default;
};

/**
 * The condition of `state` at `nowUs` (the store's clock). A deadline that has passed doesn't make a lock
 * Expired: only an observation does. A lock is Expiring if less than a fifth of its lease is left.
 */
Condition condition(const LockState &state, qint64 nowUs);

/** The stable name used in JSON and filters: "free", "held", "expiring", … */
QByteArrayView conditionName(Condition condition);
std::optional<Condition> conditionFromName(QByteArrayView name);

/** Time left in microseconds, negative once past; empty without a known deadline. */
std::optional<qint64> remainingUs(const LockState &state, qint64 nowUs);

/** How long the longest waiter has waited at `nowUs`; empty without waiters or times. */
std::optional<qint64> longestWaitUs(const LockState &state, qint64 nowUs);

/** The verdict on a holder's sign of life, and the numbers behind it. */
struct Liveness
{
    Alive verdict = Alive::Unknown;
    std::optional<qint64> sinceRenewalUs; ///< time since the last renewal that was seen
    int missedRenewals = 0;               ///< whole usual intervals that passed without one
    std::optional<qint64> idleUs;         ///< Connected: time without a statement; empty: it runs one

    bool operator==(const Liveness &) const = default;
};

/**
 * A session's lock is Connected, except for a prepared XA transaction, which has no connection. For other
 * locks only renewals count. With at least two renewals seen, a silence of at least twice the longest gap
 * between them is Silent. With at least one renewal and no such silence, the lock is Renewed; otherwise it is
 * Unknown.
 */
Liveness liveness(const LockState &state, qint64 nowUs);

/** Stable JSON names of the enumerations: "renewed", "guarded", "break_never", "no_expiry", "column", … */
QByteArrayView aliveName(Alive value);
QByteArrayView safetyName(ReleaseSafety value);
QByteArrayView releaseOffName(ReleaseOff value);
QByteArrayView stuckReasonName(StuckReason value);
QByteArrayView evidenceName(Evidence value);

} // namespace lockkeeper::domain

// Lets QList grow a list of a million states by realloc(), without moving them one by one.
Q_DECLARE_TYPEINFO(lockkeeper::domain::LockState, Q_RELOCATABLE_TYPE);
