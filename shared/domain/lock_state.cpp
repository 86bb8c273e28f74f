// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/lock_state.h"

#include "shared/base/enum_names.h"

#include <algorithm>

namespace lockkeeper::domain {

namespace {

constexpr base::EnumNames<8> kConditions{"unknown",  "stuck", "expired",    "contended",
                                         "expiring", "held",  "optimistic", "free"};
constexpr base::EnumNames<4> kAlive{"unknown", "renewed", "silent", "connected"};
constexpr base::EnumNames<3> kSafety{"off", "guarded", "unsafe"};
constexpr base::EnumNames<17> kReleaseOff{
    "none",        "free",          "break_never", "no_identity",     "truncated",  "wrong_type",
    "source_down", "not_permitted", "unsupported", "malformed",       "instrument", "system",
    "prepared_xa", "too_young",     "read_only",   "several_holders", "past"};
constexpr base::EnumNames<4> kStuck{"none", "no_expiry", "no_sign_of_life", "holder_gone"};
constexpr base::EnumNames<6> kEvidence{"none", "column", "ttl", "observation", "first_seen", "notification"};

bool isExpiring(const LockState &state, qint64 nowUs)
{
    const auto left = remainingUs(state, nowUs);
    return left && state.ttlMs > 0 && *left * 5 < state.ttlMs * 1000;
}

} // namespace

Condition condition(const LockState &state, qint64 nowUs)
{
    switch (state.phase) {
    case Phase::Unknown:
        return Condition::Unknown;
    case Phase::Free:
        return Condition::Free;
    case Phase::Optimistic:
        return Condition::Optimistic;
    case Phase::Held:
    case Phase::Expired:
        break;
    }
    if (state.stuck != StuckReason::None)
        return Condition::Stuck;
    if (state.phase == Phase::Expired)
        return Condition::Expired;
    if (state.isContended())
        return Condition::Contended;
    return isExpiring(state, nowUs) ? Condition::Expiring : Condition::Held;
}

QByteArrayView conditionName(Condition condition)
{
    return base::enumName(kConditions, condition);
}

std::optional<Condition> conditionFromName(QByteArrayView name)
{
    return base::enumFromName<Condition>(kConditions, name);
}

std::optional<qint64> remainingUs(const LockState &state, qint64 nowUs)
{
    if (!state.isHeld() || state.expiry != ExpiryKind::At || !state.expiresUs)
        return std::nullopt;
    return *state.expiresUs - nowUs;
}

std::optional<qint64> longestWaitUs(const LockState &state, qint64 nowUs)
{
    std::optional<qint64> longest;
    for (const Waiter &waiter : state.waiters) {
        if (waiter.sinceUs)
            longest = std::max(longest.value_or(0), nowUs - *waiter.sinceUs);
    }
    return longest;
}

Liveness liveness(const LockState &state, qint64 nowUs)
{
    // The journal doesn't show whether a connection was idle at a past moment.
    if (state.release.why == ReleaseOff::Past && state.session)
        return {};
    if (state.isHeld() && state.session && state.session->protectedAs != ReleaseOff::PreparedXa) {
        Liveness result{Alive::Connected, std::nullopt, 0, std::nullopt};
        if (state.session->idleSinceUs)
            result.idleUs = std::max<qint64>(0, nowUs - *state.session->idleSinceUs);
        return result;
    }
    if (!state.isHeld() || !state.renewedUs || state.renewals == 0)
        return {};
    Liveness result{Alive::Renewed, std::max<qint64>(0, nowUs - *state.renewedUs), 0, std::nullopt};
    if (state.renewals < 2 || state.longestRenewalGapUs <= 0)
        return result;
    result.missedRenewals =
        int(std::min<qint64>(*result.sinceRenewalUs / state.longestRenewalGapUs, 1'000'000));
    if (result.missedRenewals >= 2)
        result.verdict = Alive::Silent;
    else
        result.missedRenewals = 0;
    return result;
}

QByteArrayView aliveName(Alive value)
{
    return base::enumName(kAlive, value);
}

QByteArrayView safetyName(ReleaseSafety value)
{
    return base::enumName(kSafety, value);
}

QByteArrayView releaseOffName(ReleaseOff value)
{
    return base::enumName(kReleaseOff, value);
}

QByteArrayView stuckReasonName(StuckReason value)
{
    return base::enumName(kStuck, value);
}

QByteArrayView evidenceName(Evidence value)
{
    return base::enumName(kEvidence, value);
}

} // namespace lockkeeper::domain
