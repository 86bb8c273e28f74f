// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/joined_lanes.h"

#include "app/session/source_names.h"
#include "shared/events/observed.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::session {

namespace {

using events::Interval;
using protocol::TimelineGap;
using protocol::TimelineLane;

constexpr qint64 kBegin = std::numeric_limits<qint64>::min();
constexpr qint64 kEnd = std::numeric_limits<qint64>::max();

/** Ascending and disjoint. */
using Times = QList<Interval>;

Times joined(Times times)
{
    std::sort(times.begin(), times.end(), [](const auto &a, const auto &b) { return a.fromUs < b.fromUs; });
    Times all;
    for (const Interval &one : std::as_const(times)) {
        if (!all.isEmpty() && one.fromUs <= all.constLast().toUs)
            all.last().toUs = std::max(all.constLast().toUs, one.toUs);
        else
            all.append(one);
    }
    return all;
}

Times inBoth(const Times &a, const Times &b)
{
    Times both;
    for (qsizetype i = 0, k = 0; i < a.size() && k < b.size();) {
        const Interval common{std::max(a.at(i).fromUs, b.at(k).fromUs), std::min(a.at(i).toUs, b.at(k).toUs)};
        if (common.fromUs < common.toUs)
            both.append(common);
        a.at(i).toUs < b.at(k).toUs ? ++i : ++k;
    }
    return both;
}

const Interval *around(const Times &times, qint64 us)
{
    const auto it = std::find_if(times.cbegin(), times.cend(),
                                 [us](const Interval &one) { return one.fromUs <= us && us < one.toUs; });
    return it == times.cend() ? nullptr : &*it;
}

/** Adds bars that began while `blind` wasn't observing, cut off at the end of that time. */
template <typename Bar> void takeBars(QList<Bar> &into, const QList<Bar> &from, const Times &blind)
{
    const qsizetype before = into.size();
    for (Bar bar : from) {
        const Interval *unseen = around(blind, bar.fromUs);
        if (!unseen)
            continue;
        if (unseen->toUs != kEnd)
            bar.toUs = std::min(bar.toUs.value_or(kEnd), unseen->toUs);
        into.append(bar);
    }
    if (into.size() != before)
        std::stable_sort(into.begin(), into.end(),
                         [](const auto &a, const auto &b) { return a.fromUs < b.fromUs; });
}

void takeLane(TimelineLane &into, const TimelineLane &from, const Times &blind)
{
    takeBars(into.holds, from.holds, blind);
    takeBars(into.waits, from.waits, blind);
    into.waitUs = std::max(into.waitUs, from.waitUs);
    for (const protocol::TimelineSlice &slice : from.slices) {
        const auto at = std::lower_bound(into.slices.cbegin(), into.slices.cend(), slice.fromUs,
                                         [](const auto &one, qint64 us) { return one.fromUs < us; });
        if (around(blind, slice.fromUs) && (at == into.slices.cend() || at->fromUs != slice.fromUs))
            into.slices.insert(at, slice);
    }
}

} // namespace

void joinLanes(protocol::TimelinePage &page, const SameStores &stores, const QHash<QString, qint64> &firstUs)
{
    const QStringList shared = stores.shared();
    if (shared.isEmpty())
        return;
    const auto beginOf = [&firstUs](const QString &source) {
        const qint64 first = firstUs.value(splitName(source).agent);
        return first > 0 ? first : kEnd;
    };
    QHash<QString, Times> blind;
    for (const QString &source : shared)
        blind.insert(source, {{kBegin, beginOf(source)}});
    for (const TimelineGap &gap : std::as_const(page.gaps)) {
        if (gap.part.isEmpty() && blind.contains(gap.source))
            blind[gap.source].append({gap.fromUs, gap.toUs.value_or(kEnd)});
    }
    for (Times &times : blind)
        times = joined(times);

    // The best source's lane stands for the others', each of which fills what those before it left blind.
    const auto rankOf = [&stores](const TimelineLane &lane) {
        return lane.key ? stores.of(lane.key->source).indexOf(lane.key->source) : 0;
    };
    QHash<domain::LockKey, qsizetype> first;
    QHash<domain::LockKey, Times> left;
    QList<qsizetype> order(page.lanes.size());
    for (qsizetype i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) {
        return rankOf(page.lanes.at(a)) < rankOf(page.lanes.at(b));
    });
    QList<bool> goes(page.lanes.size(), false);
    for (const qsizetype i : std::as_const(order)) {
        const TimelineLane lane = page.lanes.at(i);
        if (!lane.key || !blind.contains(lane.key->source))
            continue;
        domain::LockKey lock = *lane.key;
        lock.source = stores.bestOf(lock.source);
        const Times &own = *blind.constFind(lane.key->source);
        if (!first.contains(lock)) {
            first.insert(lock, i);
            left.insert(lock, own);
            continue;
        }
        takeLane(page.lanes[first.value(lock)], lane, left.value(lock));
        left[lock] = inBoth(left.value(lock), own);
        goes[i] = true;
    }
    for (qsizetype i = page.lanes.size() - 1; i >= 0; --i) {
        if (goes.at(i))
            page.lanes.removeAt(i);
    }

    const QList<TimelineGap> before = page.gaps;
    page.gaps.removeIf(
        [&blind](const TimelineGap &gap) { return gap.part.isEmpty() && blind.contains(gap.source); });
    for (const QString &source : shared) {
        Times none = *blind.constFind(source);
        qint64 beginUs = beginOf(source); // no journal reaches further back, which isn't a gap
        for (const QString &other : stores.of(source)) {
            none = inBoth(none, *blind.constFind(other));
            beginUs = std::min(beginUs, beginOf(other));
        }
        for (const Interval &one : std::as_const(none)) {
            const qint64 fromUs = std::max(one.fromUs, beginUs);
            if (fromUs >= one.toUs)
                continue;
            const auto why = std::find_if(before.cbegin(), before.cend(), [&](const TimelineGap &gap) {
                return gap.part.isEmpty() && gap.source == source && gap.fromUs <= fromUs &&
                       fromUs < gap.toUs.value_or(kEnd);
            });
            page.gaps.append({source,
                              fromUs,
                              one.toUs == kEnd ? std::nullopt : std::optional(one.toUs),
                              {},
                              why == before.cend() ? QString() : why->cause});
        }
    }
}

} // namespace lockkeeper::app::session
