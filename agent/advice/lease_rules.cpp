// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/rules.h"

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::agent::advice {

namespace {

using domain::Advice;
using domain::AdviceCode;
using domain::AdviceConfidence;

constexpr qint64 kSecondUs = 1'000'000;
constexpr qsizetype kLeastHolds = 20;
constexpr qsizetype kManyHolds = 100;
constexpr qsizetype kLeastLate = 3; ///< a single slow hold is an exception
constexpr qsizetype kLeastDead = 3;
constexpr qint64 kLeastCostUs = 60 * kSecondUs;
constexpr qint64 kLeaseLengths = 5; ///< a lease longer than this many usual holds is too long
constexpr quint32 kLeastRenewals = 10;
constexpr qint64 kLongestLooks = 10; ///< looks in a lease, so that no renewal goes unseen
constexpr int kInterval = 55;        ///< percent of the lease: at exactly half, clocks decide
constexpr qint64 kNoExpiryUs = 60 * kSecondUs;
constexpr qsizetype kLeastNoExpiry = 3;

Advice adviceOn(const LockEvidence &lock, AdviceCode code, AdviceConfidence confidence)
{
    Advice advice;
    advice.code = code;
    advice.confidence = confidence;
    advice.lock = lock.key;
    return advice;
}

/** The median of the known leases; 0: none is known. Configurations change, and with them the lease. */
qint64 usualTtlUs(const LockEvidence &lock)
{
    QList<qint64> ttls;
    for (const EvidenceHold &hold : lock.holds) {
        if (hold.ttlUs > 0)
            ttls.append(hold.ttlUs);
    }
    std::sort(ttls.begin(), ttls.end());
    return ttls.isEmpty() ? 0 : percentileOf(ttls, 50);
}

bool hasTtl(const EvidenceHold &hold, qint64 ttlUs)
{
    return hold.ttlUs > 0 && std::abs(hold.ttlUs - ttlUs) <= ttlUs / 50;
}

/** The exact lengths of holds that were never renewed, with the usual lease. */
struct LeaseHolds
{
    qint64 ttlUs = 0;
    QList<qint64> released; ///< sorted
    qsizetype expired = 0;

    explicit LeaseHolds(const LockEvidence &lock) : ttlUs(usualTtlUs(lock))
    {
        for (const EvidenceHold &hold : lock.holds) {
            const auto lengthUs =
                hold.renewals == 0 && hasTtl(hold, ttlUs) ? exactLengthUs(hold) : std::nullopt;
            if (lengthUs && hold.end == EvidenceEnd::Released)
                released.append(*lengthUs);
            else if (lengthUs)
                ++expired;
        }
        std::sort(released.begin(), released.end());
    }
};

/** Whether somebody waited when the lease of a dead holder ended. Without visible waiters the next holder
 * proves it by its haste. */
bool madeOthersWait(const LockEvidence &lock, const WaitCover &waits, qsizetype index, qint64 ttlUs)
{
    const EvidenceHold &hold = lock.holds.at(index);
    if (lock.waitersVisible)
        return waits.covers(*hold.toUs - hold.toWindowUs, *hold.toUs);
    if (index + 1 >= lock.holds.size() || !lock.holds.at(index + 1).startSeen)
        return false;
    return lock.holds.at(index + 1).fromUs - *hold.toUs <= std::min(kSecondUs, ttlUs / 50);
}

} // namespace

MaybeAdvice leaseTooShort(const LockEvidence &lock)
{
    const LeaseHolds holds(lock);
    const qsizetype all = holds.released.size() + holds.expired;
    if (lock.isShared || holds.ttlUs == 0 || all < kLeastHolds)
        return std::nullopt;
    // Holds that expired don't count as late: their holders may have died.
    const qint64 lateUs = holds.ttlUs / 5 * 4;
    const auto firstLate = std::lower_bound(holds.released.cbegin(), holds.released.cend(), lateUs);
    const qsizetype late = std::distance(firstLate, holds.released.cend());
    if (late < kLeastLate || (late + holds.expired) * 100 < all)
        return std::nullopt;
    const bool hasRunOut = holds.expired >= kLeastLate;
    Advice advice = adviceOn(lock, AdviceCode::LeaseTooShort,
                             hasRunOut           ? AdviceConfidence::Certain
                             : all >= kManyHolds ? AdviceConfidence::Likely
                                                 : AdviceConfidence::Possible);
    QList<qint64> lengths = holds.released;
    lengths.resize(all, holds.ttlUs); // they took at least the whole lease
    std::sort(lengths.begin(), lengths.end());
    const qint64 p99Us = percentileOf(lengths, 99);
    advice.figures = {{QStringLiteral("holds"), qint64(all)},
                      {QStringLiteral("p99_us"), p99Us},
                      {QStringLiteral("ttl_us"), holds.ttlUs},
                      {QStringLiteral("late"), qint64(late)},
                      {QStringLiteral("expired"), qint64(holds.expired)}};
    advice.ttlUs = roundedUpUs(2 * std::max(p99Us, hasRunOut ? holds.ttlUs : 0));
    return advice;
}

MaybeAdvice leaseTooLong(const LockEvidence &lock)
{
    const LeaseHolds holds(lock);
    if (lock.isShared || holds.ttlUs == 0 || holds.released.size() < kLeastHolds)
        return std::nullopt;
    const qint64 p99Us = percentileOf(holds.released, 99);
    if (holds.ttlUs < kLeaseLengths * p99Us)
        return std::nullopt;
    const WaitCover waits(lock.waits);
    qint64 dead = 0;
    qint64 costUs = 0;
    for (qsizetype i = 0; i < lock.holds.size(); ++i) {
        const EvidenceHold &hold = lock.holds.at(i);
        const auto lengthUs = hold.renewals == 0 ? exactLengthUs(hold) : std::nullopt;
        if (!lengthUs || hold.end != EvidenceEnd::Expired || !madeOthersWait(lock, waits, i, holds.ttlUs))
            continue;
        ++dead;
        costUs += std::max<qint64>(0, *lengthUs - p99Us);
    }
    if (dead < kLeastDead || costUs < kLeastCostUs)
        return std::nullopt;
    Advice advice = adviceOn(lock, AdviceCode::LeaseTooLong,
                             lock.waitersVisible ? AdviceConfidence::Certain : AdviceConfidence::Likely);
    advice.figures = {{QStringLiteral("holds"), qint64(holds.released.size())},
                      {QStringLiteral("p99_us"), p99Us},
                      {QStringLiteral("ttl_us"), holds.ttlUs},
                      {QStringLiteral("dead"), dead},
                      {QStringLiteral("cost_us"), costUs}};
    advice.ttlUs = roundedUpUs(2 * p99Us);
    return advice;
}

MaybeAdvice renewalTooLate(const LockEvidence &lock, qint64 lookUs)
{
    const qint64 ttlUs = usualTtlUs(lock);
    if (lock.isShared || ttlUs == 0 || lookUs > ttlUs / kLongestLooks)
        return std::nullopt;
    QList<qint64> intervals;
    quint32 renewals = 0;
    qint64 expired = 0;
    for (const EvidenceHold &hold : lock.holds) {
        if (hold.renewals == 0 || !hold.renewedUs || !hold.isObserved || !hold.startSeen ||
            !hasTtl(hold, ttlUs))
            continue;
        // Renewals may go unseen, but only those within one look.
        intervals.append((*hold.renewedUs - hold.fromUs) / hold.renewals - lookUs);
        renewals += hold.renewals;
        expired += hold.end == EvidenceEnd::Expired ? 1 : 0;
    }
    if (renewals < kLeastRenewals)
        return std::nullopt;
    std::sort(intervals.begin(), intervals.end());
    const qint64 intervalUs = percentileOf(intervals, 50);
    if (intervalUs <= ttlUs / 100 * kInterval)
        return std::nullopt;
    Advice advice = adviceOn(lock, AdviceCode::RenewalTooLate,
                             expired > 0 ? AdviceConfidence::Certain : AdviceConfidence::Likely);
    advice.figures = {{QStringLiteral("holds"), qint64(intervals.size())},
                      {QStringLiteral("renewals"), qint64(renewals)},
                      {QStringLiteral("interval_us"), intervalUs},
                      {QStringLiteral("ttl_us"), ttlUs},
                      {QStringLiteral("expired"), expired}};
    advice.ttlUs = roundedUpUs(3 * intervalUs);
    return advice;
}

MaybeAdvice noExpiry(const LockEvidence &lock, qint64 nowUs)
{
    if (!lock.key.scheme.startsWith("redis.") && !lock.key.scheme.startsWith("etcd."))
        return std::nullopt; // other schemes keep a lock until its session ends, or have no expiry at all
    qint64 holds = 0;
    qint64 longestUs = 0;
    bool isHeld = false;
    for (const EvidenceHold &hold : lock.holds) {
        const qint64 lengthUs = hold.toUs.value_or(nowUs) - hold.fromUs;
        // Some clients set the expiry by a second command.
        if (!hold.hasNoExpiry || hold.end == EvidenceEnd::Expired || lengthUs < kSecondUs)
            continue;
        ++holds;
        longestUs = std::max(longestUs, lengthUs);
        isHeld = isHeld || (hold.end == EvidenceEnd::Open && lengthUs >= kNoExpiryUs);
    }
    if (holds < kLeastNoExpiry && !isHeld)
        return std::nullopt;
    Advice advice = adviceOn(lock, AdviceCode::NoExpiry, AdviceConfidence::Certain);
    advice.figures = {{QStringLiteral("holds"), holds}, {QStringLiteral("longest_us"), longestUs}};
    return advice;
}

} // namespace lockkeeper::agent::advice
