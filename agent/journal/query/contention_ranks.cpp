// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/contention_ranks.h"

#include "agent/journal/query/lane_tally.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace lockkeeper::agent::journal {

ContentionRanks::ContentionRanks(QueryContext &context, const QueryContext::LockIds &wanted, Interval range)
    : m_context(context),
      m_rollups(context),
      m_waits(context, m_rollups, false, std::nullopt, SpanWalk::What::Waits),
      m_all(!wanted),
      m_range(range),
      m_rolled{range.fromUs, range.fromUs}
{
    if (wanted)
        m_wanted = QSet<qint64>(wanted->cbegin(), wanted->cend());
    const qint64 fromUs = std::max({range.fromUs, m_rollups.keptUs(), m_rollups.hours().fromUs});
    const qint64 toUs = std::min({range.toUs, m_rollups.untilUs(), m_rollups.hours().toUs});
    if (fromUs < toUs && ceilTo(fromUs, kHourUs) < floorTo(toUs, kHourUs))
        m_rolled = {ceilTo(fromUs, kHourUs), floorTo(toUs, kHourUs)};
}

base::Result<void> ContentionRanks::add()
{
    const Interval before{m_range.fromUs, m_rolled.fromUs};
    const Interval after{m_rolled.toUs, m_range.toUs + 1};
    return addHolds(before)
        .and_then([&] { return addWaits(before); })
        .and_then([this] { return addRolled(); })
        .and_then([&] { return addHolds(after); })
        .and_then([&] { return addWaits(after); });
}

/** Adds the holds that ended in `within`. */
base::Result<void> ContentionRanks::addHolds(Interval within)
{
    if (within.fromUs >= within.toUs)
        return {};
    SqliteStatement &rows = m_context.connection().statement("rank_holds");
    return m_context.each(rows.bind(within.fromUs).bind(within.toUs), [&] {
        if (!isWanted(rows.integer(0)))
            return;
        ContentionRank &rank = m_ranks[rows.integer(0)];
        ++rank.ended;
        addIds(rank.holdIds, {rows.integer(1), rows.integer(1)});
    });
}

/** Adds the part of each wait that lies in `within`. A wait counts where it ended, or in the last part of the
 * range if it ended later. */
base::Result<void> ContentionRanks::addWaits(Interval within)
{
    if (within.fromUs >= within.toUs)
        return {};
    const bool isLast = within.toUs > m_range.toUs;
    return m_waits.walk(within, [&](const MeasuredSpan &span) -> base::Result<void> {
        if (!isWanted(span.lockId))
            return {};
        ContentionRank &rank = m_ranks[span.lockId];
        rank.waitUs +=
            LaneTally::sharedUs(span, {within.fromUs, std::min(within.toUs, m_range.toUs)}, m_range.toUs);
        if (isLast || span.toUs < within.toUs) {
            ++rank.waits;
            addIds(rank.waitIds, {span.id, span.id});
        }
        return {};
    });
}

base::Result<void> ContentionRanks::addRolled()
{
    if (m_rolled.fromUs >= m_rolled.toUs)
        return {};
    const auto add = [this](const Rollup &rollup) -> base::Result<void> {
        if (!isWanted(rollup.lockId))
            return {};
        ContentionRank &rank = m_ranks[rollup.lockId];
        rank.waitUs += rollup.waitedUs;
        rank.waits += rollup.waits;
        rank.ended += rollup.holds;
        return {};
    };
    return m_rollups.visit(m_rolled, add).and_then([this] {
        return m_waits.walkApart(m_rolled, [this](const MeasuredSpan &span) -> base::Result<void> {
            if (isWanted(span.lockId))
                m_ranks[span.lockId].waitUs += LaneTally::sharedUs(span, m_rolled, m_range.toUs);
            return {};
        });
    });
}

base::Result<void> ContentionRanks::findRows(const QList<qint64> &locks)
{
    if (m_rolled.fromUs >= m_rolled.toUs)
        return {};
    const auto sums = m_rollups.sumsOf(locks, m_rolled);
    if (!sums)
        return tl::unexpected(sums.error());
    for (auto it = sums->cbegin(); it != sums->cend(); ++it) {
        ContentionRank &rank = m_ranks[it.key()];
        addIds(rank.holdIds, it->holdIds);
        addIds(rank.waitIds, it->waitIds);
    }
    return {};
}

QList<qint64> ContentionRanks::order() const
{
    using Place = std::tuple<qint64, qint64, qint64, qint64>;
    std::vector<Place> places;
    places.reserve(size_t(m_ranks.size()));
    for (auto it = m_ranks.cbegin(); it != m_ranks.cend(); ++it) {
        if (it->waits > 0 || it->ended > 0) // roll-ups also contain locks that were only held
            places.emplace_back(-it->waitUs, -it->waits, -it->ended, it.key());
    }
    std::sort(places.begin(), places.end());
    QList<qint64> order;
    order.reserve(qsizetype(places.size()));
    for (const Place &place : places)
        order.append(std::get<3>(place));
    return order;
}

} // namespace lockkeeper::agent::journal
