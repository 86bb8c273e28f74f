// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/guard.h"
#include "shared/domain/lock_state.h"

#include <QList>

namespace lockkeeper::domain {

/** The reason for a force-release; Expired and Stuck add the freshness to the guard. */
enum class Because : quint8 { Operator = 0, Expired, Stuck };

/** The result of a force-release or of another audited act. Stable names by outcomeName(). */
enum class Outcome : quint8 {
    Released = 0,
    HolderChanged,
    AlreadyFree,
    Refused,
    Unreachable,
    Partial,
    Unknown,
    Pending,          ///< an intent without an outcome yet; never final
    WouldRelease,     ///< a policy's dry run: everything was checked and nothing written
    Probed,           ///< for a probe: the agent listened to the store's commands
    AwaitingApproval, ///< a request that a second person must approve; never final
    Rejected,         ///< a request that the second person rejected
    Ended,            ///< a request that ended undecided
    LoggedIn,         ///< for a login: it succeeded
    Discovered,       ///< for a discovery: the store was scanned
    Accepted,         ///< for an audit that isn't intact: it was accepted and continues
};
inline constexpr Outcome kLastOutcome = Outcome::Accepted;

QByteArrayView becauseName(Because value);
std::optional<Because> becauseFromName(QByteArrayView name);
QByteArrayView outcomeName(Outcome value);
std::optional<Outcome> outcomeFromName(QByteArrayView name);

/** Other keys attached to a holder's lease. A break keeps them, as it keeps the lease. */
struct Companions
{
    qint64 count = 0;
    QList<QByteArray> names; ///< the first ones of the store's keys

    bool operator==(const Companions &) const = default;
};

/** The result of a release on one of several servers (Redlock). */
struct NodeOutcome
{
    QByteArray node; ///< the server's address, as configured
    Outcome outcome = Outcome::Unknown;
    base::Error error; ///< cause of the outcomes Refused, Unreachable and Unknown

    bool operator==(const NodeOutcome &) const = default;
};

/** One row of the audit: the intent, completed by its outcome. Times by the agent's wall clock. */
struct AuditEntry
{
    /** Used instead of a scheme if the entry is a probe of a whole source, not the release of a lock. */
    static constexpr const char *kProbe = "probe";
    /** Instead of a scheme, for a login, also a refused one: `place` is the client's machine, `reason` the
     * kind of login. */
    static constexpr const char *kLogin = "login";
    /** Instead of a scheme, for the scan of a store that is no configured source: `place` is its address,
     * without a password. */
    static constexpr const char *kDiscovery = "discovery";
    /** Instead of a scheme, for an audit that isn't intact and continues: `guard` is the signature made with
     * the agent's key, `detail` the fault. */
    static constexpr const char *kAcceptance = "audit";

    qint64 id = 0;
    qint64 timeUs = 0; ///< of the intent; 0: unknown, because the audit has lost that record
    QString who;       ///< the user as the agent knows it, or the reaper; for a failed login: the name given
    QString role;
    LockKey key;
    QByteArray holder; ///< holder of the guarded acquisition
    QString reason;
    Because because = Because::Operator;
    QByteArray guard; ///< the guard's digest
    Outcome outcome = Outcome::Pending;
    TimeUs outcomeTimeUs;
    QString detail;     ///< the cause of a refusal, "not replicated", …
    QByteArray command; ///< the command id
    QString approver;
    bool intact = true; ///< false: this row breaks the chain

    bool isProbe() const { return key.scheme == kProbe; }
    bool isLogin() const { return key.scheme == kLogin; }
    bool isDiscovery() const { return key.scheme == kDiscovery; }
    bool isAcceptance() const { return key.scheme == kAcceptance; }
    static bool isLockScheme(const QByteArray &scheme)
    {
        return scheme != kProbe && scheme != kLogin && scheme != kDiscovery && scheme != kAcceptance;
    }
    /** True if the entry is about a lock. */
    bool isRelease() const { return isLockScheme(key.scheme); }

    bool operator==(const AuditEntry &) const = default;
};

} // namespace lockkeeper::domain
