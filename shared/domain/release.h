// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/guard.h"
#include "shared/domain/lock_state.h"

#include <QList>

namespace lockkeeper::domain {

/** Why an operator breaks a lock; Expired and Stuck add freshness to the guard. */
enum class Because : quint8 { Operator = 0, Expired, Stuck };

/** What became of a force-release, or of what else is audited. Stable names by outcomeName(). */
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
    Probed,           ///< of a probe: the store's commands were listened to
    AwaitingApproval, ///< a request that a second person must approve; never final
    Rejected,         ///< by that person
    Ended,            ///< such a request, undecided
    LoggedIn,         ///< of a login: somebody came in
    Discovered,       ///< of a discovery: the store was looked through
    Accepted,         ///< of an audit that isn't whole: it goes on as it is
};
inline constexpr Outcome kLastOutcome = Outcome::Accepted;

QByteArrayView becauseName(Because value);
std::optional<Because> becauseFromName(QByteArrayView name);
QByteArrayView outcomeName(Outcome value);
std::optional<Outcome> outcomeFromName(QByteArrayView name);

/** What else hangs on a holder's lease. A break leaves it, as it leaves the lease. */
struct Companions
{
    qint64 count = 0;
    QList<QByteArray> names; ///< the first ones of the store's keys

    bool operator==(const Companions &) const = default;
};

/** What became of a release on one of several servers (Redlock). */
struct NodeOutcome
{
    QByteArray node; ///< its address, as configured
    Outcome outcome = Outcome::Unknown;
    base::Error error; ///< the cause of refused, unreachable and unknown

    bool operator==(const NodeOutcome &) const = default;
};

/** One row of the audit: the intent, completed by its outcome. Times by the agent's wall clock. */
struct AuditEntry
{
    /** Stands for the scheme where the act was a probe of a whole source, not the release of a lock. */
    static constexpr const char *kProbe = "probe";
    /** The same of a login, or of one that was refused: `place` is the client's machine, `reason` the way. */
    static constexpr const char *kLogin = "login";
    /** … of a look through a store that no source names: `place` is its address, without a password. */
    static constexpr const char *kDiscovery = "discovery";
    /** … of an audit that isn't whole, and goes on: `guard` is the signature of the agent's key, `detail` the
     * fault. */
    static constexpr const char *kAcceptance = "audit";

    qint64 id = 0;
    qint64 timeUs = 0;
    QString who; ///< the user as the agent knows it, or the reaper; of a login that failed: the name given
    QString role;
    LockKey key;
    QByteArray holder; ///< as the guard saw it
    QString reason;
    Because because = Because::Operator;
    QByteArray guard; ///< the digest
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
    /** It is about a lock. */
    bool isRelease() const { return isLockScheme(key.scheme); }

    bool operator==(const AuditEntry &) const = default;
};

} // namespace lockkeeper::domain
