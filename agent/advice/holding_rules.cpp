// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/rules.h"

#include <QSet>

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace lockkeeper::agent::advice {

namespace {

using domain::Advice;
using domain::AdviceCode;
using domain::AdviceConfidence;

constexpr qint64 kOneSecondUs = 1'000'000;
constexpr qint64 kWeekUs = 7 * 86'400 * kOneSecondUs;
constexpr qsizetype kLeastOthers = 20;
constexpr qint64 kTimesAsLong = 5;
constexpr qsizetype kLeastCalm = 1'000; ///< holds of a lock that is never contended
constexpr qsizetype kLeastChainWaits = 5;
constexpr qint64 kLeastChainUs = 60 * kOneSecondUs;
constexpr qint64 kLeastClockUs = 1'000'000;

/** A hold's length so far, and the hold. */
struct HoldLength
{
    qint64 us = 0;
    qsizetype hold = 0; ///< its index
};

/** All lengths that show how long the work takes, ascending. A hold that continues takes at least as long as
 * it has so far. */
QList<HoldLength> sortedLengths(const LockEvidence &lock, qint64 nowUs)
{
    QList<HoldLength> lengths;
    for (qsizetype i = 0; i < lock.holds.size(); ++i) {
        const EvidenceHold &hold = lock.holds.at(i);
        if (hold.end == EvidenceEnd::Open && hold.startSeen && hold.isObserved && i + 1 == lock.holds.size())
            lengths.append({std::max<qint64>(0, nowUs - hold.fromUs), i});
        else if (const auto us = hold.end == EvidenceEnd::Released ? exactLengthUs(hold) : std::nullopt)
            lengths.append({*us, i});
    }
    std::sort(lengths.begin(), lengths.end(), [](const HoldLength &a, const HoldLength &b) {
        return std::tuple(a.us, a.hold) < std::tuple(b.us, b.hold);
    });
    return lengths;
}

qint64 sharedUs(const EvidenceHold &hold, const EvidenceWait &wait, qint64 nowUs)
{
    return std::min(hold.toUs.value_or(nowUs), wait.toUs.value_or(nowUs)) -
           std::max(hold.fromUs, wait.fromUs);
}

} // namespace

MaybeAdvice unusuallyLongHold(const LockEvidence &lock, qint64 nowUs)
{
    if (lock.isShared)
        return std::nullopt;
    const QList<HoldLength> lengths = sortedLengths(lock, nowUs);
    // Without the unusual ones: otherwise they would be their own p99.
    const qsizetype most = 1 + lengths.size() / 100;
    for (qsizetype count = 1; count <= most && lengths.size() - count >= kLeastOthers; ++count) {
        const qsizetype others = lengths.size() - count;
        const qint64 p99Us = lengths.at((others * 99 + 99) / 100 - 1).us;
        const qint64 leastUs = lengths.at(others).us;
        if (leastUs <= kTimesAsLong * p99Us || leastUs - p99Us < kOneSecondUs)
            continue;
        const EvidenceHold &longest = lock.holds.at(lengths.constLast().hold);
        const bool isHeld =
            std::any_of(lengths.cbegin() + others, lengths.cend(), [&lock](const HoldLength &one) {
                return lock.holds.at(one.hold).end == EvidenceEnd::Open;
            });
        Advice advice;
        advice.code = AdviceCode::UnusuallyLongHold;
        advice.confidence = others >= 100 ? AdviceConfidence::Certain : AdviceConfidence::Likely;
        advice.lock = lock.key;
        advice.holder = longest.owner.value_or(QByteArray());
        advice.figures = {{QStringLiteral("holds"), qint64(others)},
                          {QStringLiteral("p99_us"), p99Us},
                          {QStringLiteral("longest_us"), lengths.constLast().us},
                          {QStringLiteral("long"), qint64(count)},
                          {QStringLiteral("held"), isHeld ? 1 : 0}};
        return advice;
    }
    return std::nullopt;
}

MaybeAdvice neverContended(const LockEvidence &lock, const QList<Interval> &observed)
{
    qint64 observedUs = 0;
    for (const Interval &one : observed)
        observedUs += one.toUs - one.fromUs;
    if (!lock.waitersVisible || !lock.waits.isEmpty() || lock.isShared || lock.holds.size() < kLeastCalm ||
        observedUs < kWeekUs)
        return std::nullopt;
    const QByteArray holder = identityOf(lock.holds.constFirst());
    const bool oneHolder = !holder.isEmpty() && std::all_of(lock.holds.cbegin(), lock.holds.cend(),
                                                            [&holder](const EvidenceHold &hold) {
                                                                return identityOf(hold) == holder;
                                                            });
    if (!oneHolder)
        return std::nullopt;
    Advice advice;
    advice.code = AdviceCode::NeverContended;
    advice.confidence = AdviceConfidence::Possible;
    advice.lock = lock.key;
    advice.figures = {{QStringLiteral("holds"), qint64(lock.holds.size())},
                      {QStringLiteral("observed_us"), observedUs}};
    return advice;
}

MaybeAdvice chainHeadStatement(const LockEvidence &lock, qint64 nowUs)
{
    struct StatementCost
    {
        qint64 waits = 0;
        qint64 us = 0;
        qint64 longestUs = 0;
    };
    if (!domain::isConnectionScheme(lock.key.scheme))
        return std::nullopt;
    QHash<QByteArray, StatementCost> costs;
    qint64 allUs = 0;
    for (const EvidenceWait &wait : lock.waits) {
        allUs += std::max<qint64>(0, wait.toUs.value_or(nowUs) - wait.fromUs);
        for (qsizetype i = firstEndingAfter(lock.holds, wait.fromUs); i < lock.holds.size(); ++i) {
            const EvidenceHold &hold = lock.holds.at(i);
            const qint64 us = sharedUs(hold, wait, nowUs);
            if (us <= 0)
                break;
            if (hold.statement.isEmpty() || us < kOneSecondUs)
                continue; // short waits are what row locks are for
            StatementCost &cost = costs[hold.statement];
            ++cost.waits;
            cost.us += us;
            cost.longestUs = std::max(cost.longestUs, us);
        }
    }
    const auto worst = std::max_element(costs.cbegin(), costs.cend(),
                                        [](const auto &a, const auto &b) { return a.us < b.us; });
    if (worst == costs.cend() || worst->waits < kLeastChainWaits || worst->us < kLeastChainUs ||
        worst->us < allUs / 2)
        return std::nullopt;
    Advice advice;
    advice.code = AdviceCode::ChainHeadStatement;
    advice.confidence = AdviceConfidence::Likely;
    advice.lock = lock.key;
    advice.statement = worst.key();
    advice.figures = {{QStringLiteral("waits"), worst->waits},
                      {QStringLiteral("waited_us"), worst->us},
                      {QStringLiteral("all_waited_us"), allUs},
                      {QStringLiteral("longest_us"), worst->longestUs}};
    return advice;
}

MaybeAdvice clientClockOff(const QString &source, const SourceEvidence &evidence)
{
    if (!evidence.clientsOffUs || std::abs(*evidence.clientsOffUs) < kLeastClockUs)
        return std::nullopt;
    Advice advice;
    advice.code = AdviceCode::ClientClockOff;
    advice.confidence = AdviceConfidence::Certain; // the store's clock proves it
    advice.lock.source = source;
    advice.figures = {{QStringLiteral("offset_us"), *evidence.clientsOffUs}};
    return advice;
}

} // namespace lockkeeper::agent::advice
