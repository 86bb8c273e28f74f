// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/advice/rules.h"

#include <QSet>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockkeeper::agent::advice {

namespace {

using domain::Advice;
using domain::AdviceCode;
using domain::AdviceConfidence;

constexpr qint64 kLeastOfEach = 4;
constexpr qsizetype kMostAtOnce = 8; ///< holds of one holder; more show that it is a host, not a thread
constexpr qint64 kPartialShare = 10; ///< a tenth may overlap without being nested
constexpr qint64 kSharePerTwo = 2;   ///< half of the holds of the rarer lock are nested

struct OwnedHold
{
    qsizetype lock = 0;
    const EvidenceHold *hold = nullptr;
};

/** How holds of two locks by the same holder overlap. `first` is the one with the lower index. */
struct PairOrders
{
    qint64 firstOuter = 0;
    qint64 secondOuter = 0;
    qint64 partial = 0;
    QSet<QByteArray> holders;
};

using Pairs = QHash<std::pair<qsizetype, qsizetype>, PairOrders>;

/** Orders the overlaps of one holder's holds. `owned` is sorted by the beginning. */
void countOverlaps(const QByteArray &owner, const QList<OwnedHold> &owned, Pairs &pairs)
{
    QList<OwnedHold> active;
    for (const OwnedHold &inner : owned) {
        active.removeIf([&](const OwnedHold &one) { return *one.hold->toUs <= inner.hold->fromUs; });
        for (const OwnedHold &outer : std::as_const(active)) {
            if (outer.lock == inner.lock ||
                inner.hold->fromUs - inner.hold->fromWindowUs <= outer.hold->fromUs)
                continue; // within the window either may have been first
            PairOrders &pair = pairs[std::minmax(outer.lock, inner.lock)];
            if (*inner.hold->toUs - inner.hold->toWindowUs > *outer.hold->toUs)
                ++pair.partial;
            else
                ++(outer.lock < inner.lock ? pair.firstOuter : pair.secondOuter);
            pair.holders.insert(owner);
        }
        if (active.size() < kMostAtOnce)
            active.append(inner);
    }
}

/** Independent threads of one holder overlap by chance, and then as often partly as nested. */
bool isDeliberate(const PairOrders &pair, qint64 holdsOfRarer)
{
    const qint64 nested = pair.firstOuter + pair.secondOuter;
    return pair.firstOuter >= kLeastOfEach && pair.secondOuter >= kLeastOfEach &&
           pair.partial * kPartialShare <= nested && nested * kSharePerTwo >= holdsOfRarer;
}

} // namespace

QList<Advice> oppositeOrders(const QList<LockEvidence> &locks)
{
    QHash<std::pair<QString, QByteArray>, QList<OwnedHold>> owners; // by source and holder
    for (qsizetype lock = 0; lock < locks.size(); ++lock) {
        if (locks.at(lock).isShared)
            continue;
        for (const EvidenceHold &hold : locks.at(lock).holds) {
            const QByteArray holder = identityOf(hold);
            if (!holder.isEmpty() && hold.startSeen && hold.toUs && hold.isObserved)
                owners[{locks.at(lock).key.source, holder}].append({lock, &hold});
        }
    }
    Pairs pairs;
    for (auto it = owners.begin(); it != owners.end(); ++it) {
        std::sort(it->begin(), it->end(), [](const OwnedHold &a, const OwnedHold &b) {
            return std::tuple(a.hold->fromUs, a.lock) < std::tuple(b.hold->fromUs, b.lock);
        });
        countOverlaps(it.key().second, *it, pairs);
    }
    QList<Advice> all;
    for (auto it = pairs.cbegin(); it != pairs.cend(); ++it) {
        const LockEvidence &first = locks.at(it.key().first);
        const LockEvidence &second = locks.at(it.key().second);
        if (!isDeliberate(*it, std::min(first.holds.size(), second.holds.size())))
            continue;
        Advice advice;
        advice.code = AdviceCode::OppositeOrders;
        advice.confidence = it->holders.size() > 1 ? AdviceConfidence::Certain : AdviceConfidence::Likely;
        advice.lock = first.key;
        advice.other = second.key;
        advice.figures = {{QStringLiteral("first_order"), it->firstOuter},
                          {QStringLiteral("second_order"), it->secondOuter},
                          {QStringLiteral("holders"), qint64(it->holders.size())}};
        all.append(advice);
    }
    return all;
}

} // namespace lockkeeper::agent::advice
