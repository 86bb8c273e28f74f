// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/rules.h"

#include <algorithm>

namespace lockkeeper::agent::advice {

namespace {

using domain::Advice;
using domain::AdviceCode;
using domain::AdviceConfidence;

constexpr qsizetype kLeastWaited = 10; ///< hand-overs with a waiter
constexpr qint64 kSlowUs = 200'000;    ///< people notice a gap of this length
constexpr qint64 kIdlePermille = 100;
constexpr qsizetype kLeastRaces = 30;
constexpr qint64 kFastUs = 100'000;
constexpr qsizetype kHerd = 5;        ///< holders
constexpr qsizetype kTimesEach = 3;   ///< holds of each: a name that appears once may be a random token
constexpr qint64 kHerdPermille = 900; ///< of the time that the lock was held
constexpr qint64 kHerdHolds = 900;    ///< thousandths of all holds that belong to the herd

/** The free time between one hold and the next, as far as it was observed. */
struct HandOver
{
    qint64 endUs = 0;     ///< of the hold before, at the latest …
    qint64 endLowUs = 0;  ///< … and at the earliest
    qint64 nextUs = 0;    ///< the next hold had begun by then …
    qint64 nextLowUs = 0; ///< … and not before
    qint64 gapLowUs() const { return std::max<qint64>(0, nextLowUs - endUs); }
    qint64 gapHighUs() const { return std::max<qint64>(0, nextUs - endLowUs); }
};

QList<HandOver> handOversOf(const LockEvidence &lock, const QList<Interval> &observed)
{
    QList<HandOver> all;
    for (qsizetype i = 1; i < lock.holds.size(); ++i) {
        const EvidenceHold &before = lock.holds.at(i - 1);
        const EvidenceHold &next = lock.holds.at(i);
        if (before.end != EvidenceEnd::Released || !next.startSeen || next.fromUs < *before.toUs)
            continue;
        if (events::overlapUs(observed, *before.toUs, next.fromUs) != next.fromUs - *before.toUs)
            continue; // others may have held it meanwhile
        all.append(
            {*before.toUs, *before.toUs - before.toWindowUs, next.fromUs, next.fromUs - next.fromWindowUs});
    }
    return all;
}

qint64 medianOf(QList<qint64> values)
{
    std::sort(values.begin(), values.end());
    return values.isEmpty() ? 0 : percentileOf(values, 50);
}

qint64 heldUs(const LockEvidence &lock)
{
    qint64 us = 0;
    for (const EvidenceHold &hold : lock.holds)
        us += hold.toUs && hold.isObserved ? std::max<qint64>(0, *hold.toUs - hold.fromUs) : 0;
    return us;
}

/** The number of holders that have the lock in turn; 0 unless they have nearly all of its holds. */
qsizetype herdOf(const LockEvidence &lock)
{
    QHash<QByteArray, qsizetype> times;
    for (const EvidenceHold &hold : lock.holds) {
        if (const QByteArray holder = identityOf(hold); !holder.isEmpty())
            ++times[holder];
    }
    qsizetype herd = 0;
    qsizetype holds = 0;
    for (const qsizetype count : std::as_const(times)) {
        herd += count >= kTimesEach ? 1 : 0;
        holds += count >= kTimesEach ? count : 0;
    }
    return holds * 1000 >= lock.holds.size() * kHerdHolds ? herd : 0;
}

} // namespace

MaybeAdvice pollsTooSlowly(const LockEvidence &lock, const QList<Interval> &observed)
{
    if (!lock.waitersVisible || lock.isShared)
        return std::nullopt;
    const WaitCover waits(lock.waits);
    QList<qint64> gaps;
    qint64 gapTotalUs = 0;
    for (const HandOver &one : handOversOf(lock, observed)) {
        if (!waits.covers(one.endLowUs, one.nextLowUs))
            continue;
        gaps.append(one.gapLowUs());
        gapTotalUs += one.gapLowUs();
    }
    const qint64 gapUs = medianOf(gaps);
    if (gaps.size() < kLeastWaited || gapUs < kSlowUs)
        return std::nullopt;
    const qint64 idlePermille = gapTotalUs * 1000 / std::max<qint64>(1, gapTotalUs + heldUs(lock));
    if (idlePermille < kIdlePermille)
        return std::nullopt;
    Advice advice;
    advice.code = AdviceCode::PollsTooSlowly;
    advice.confidence =
        gaps.size() >= 10 * kLeastWaited ? AdviceConfidence::Certain : AdviceConfidence::Likely;
    advice.lock = lock.key;
    advice.figures = {{QStringLiteral("hand_overs"), qint64(gaps.size())},
                      {QStringLiteral("gap_us"), gapUs},
                      {QStringLiteral("gap_total_us"), gapTotalUs},
                      {QStringLiteral("idle_permille"), idlePermille}};
    return advice;
}

MaybeAdvice pollsTooFast(const LockEvidence &lock, const QList<Interval> &observed)
{
    // A queue lets its clients take turns without a race.
    if (lock.waitersVisible || lock.isShared || domain::isConnectionScheme(lock.key.scheme))
        return std::nullopt;
    const qsizetype holders = herdOf(lock);
    if (holders < kHerd)
        return std::nullopt;
    QList<qint64> gaps;
    qint64 gapTotalUs = 0;
    for (const HandOver &one : handOversOf(lock, observed)) {
        gaps.append(one.gapHighUs());
        gapTotalUs += one.gapHighUs();
    }
    const qint64 gapUs = medianOf(gaps);
    const qint64 us = heldUs(lock);
    const qint64 heldPermille = us * 1000 / std::max<qint64>(1, us + gapTotalUs);
    if (gaps.size() < kLeastRaces || gapUs > kFastUs || heldPermille < kHerdPermille)
        return std::nullopt;
    Advice advice;
    advice.code = AdviceCode::PollsTooFast;
    advice.confidence = AdviceConfidence::Likely; // the attempts that failed leave no trace
    advice.lock = lock.key;
    advice.figures = {{QStringLiteral("holders"), qint64(holders)},
                      {QStringLiteral("hand_overs"), qint64(gaps.size())},
                      {QStringLiteral("gap_us"), gapUs},
                      {QStringLiteral("held_permille"), heldPermille}};
    return advice;
}

} // namespace lockkeeper::agent::advice
