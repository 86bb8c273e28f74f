// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/waiting_queries.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr int kMostWaitingSlices = 1'440;
constexpr qsizetype kMostGaps = 10'000; ///< of one source: an answer must fit into a frame

/** The parts of [range.fromUs, untilUs) that aren't in `observed`. */
QList<Interval> gapsBetween(const QList<Interval> &observed, Interval range, qint64 untilUs)
{
    QList<Interval> gaps;
    qint64 fromUs = range.fromUs;
    for (const Interval &seen : observed) {
        if (seen.fromUs > fromUs)
            gaps.append({fromUs, std::min(seen.fromUs, untilUs)});
        fromUs = std::max(fromUs, seen.toUs);
    }
    if (fromUs < untilUs)
        gaps.append({fromUs, untilUs});
    return gaps;
}

} // namespace

WaitingMeter::WaitingMeter(Interval range, int slices, QList<Interval> observed)
    : m_range(range), m_observed(std::move(observed)), m_waitedUs(slices, 0)
{
}

qint64 WaitingMeter::boundOf(qint64 slice) const
{
    const qint64 length = m_range.toUs - m_range.fromUs;
    const qint64 slices = m_waitedUs.size();
    // In two steps, because years of microseconds times slices would overflow.
    return m_range.fromUs + length / slices * slice + length % slices * slice / slices;
}

void WaitingMeter::add(Interval wait)
{
    if (m_waitedUs.isEmpty())
        return;
    auto seen = std::lower_bound(m_observed.cbegin(), m_observed.cend(), wait.fromUs,
                                 [](const Interval &one, qint64 us) { return one.toUs <= us; });
    for (; seen != m_observed.cend() && seen->fromUs < wait.toUs; ++seen)
        spread({std::max(wait.fromUs, seen->fromUs), std::min(wait.toUs, seen->toUs)});
}

void WaitingMeter::spread(Interval part)
{
    const double share = double(part.fromUs - m_range.fromUs) / double(m_range.toUs - m_range.fromUs);
    qint64 slice =
        std::clamp<qint64>(qint64(share * double(m_waitedUs.size())) - 1, 0, m_waitedUs.size() - 1);
    for (; slice < m_waitedUs.size() && boundOf(slice) < part.toUs; ++slice)
        m_waitedUs[slice] += std::max<qint64>(0, std::min(part.toUs, boundOf(slice + 1)) -
                                                     std::max(part.fromUs, boundOf(slice)));
}

base::Result<void> WaitingQueries::feed(SqliteStatement &rows, Interval range,
                                        const std::optional<QSet<qint64>> &locks, Meters &meters)
{
    return m_context.each(rows, [&] {
        const auto meter = meters.find(m_context.sources().value(rows.integer(0)).name);
        if (meter != meters.end() && (!locks || locks->contains(rows.integer(3))))
            meter->add({rows.integer(1), rows.optionalInteger(2).value_or(range.toUs)});
    });
}

base::Result<void> WaitingQueries::feedWaits(Interval range, Meters &meters)
{
    const auto seen = m_context.matchingLocks({}, {});
    if (!seen)
        return tl::unexpected(seen.error());
    std::optional<QSet<qint64>> locks;
    if (*seen)
        locks.emplace((*seen)->cbegin(), (*seen)->cend());
    SqliteStatement &ended = m_context.connection().statement("waiting_ended");
    if (auto fed = feed(ended.bind(range.fromUs).bind(range.toUs), range, locks, meters); !fed)
        return fed;
    SqliteStatement &open = m_context.connection().statement("waiting_open");
    return feed(open.bind(range.toUs), range, locks, meters);
}

base::Result<protocol::WaitingPage> WaitingQueries::waiting(const protocol::WaitingQuery &query,
                                                            const QStringList &sources,
                                                            const SeenUntil &seenUntil)
{
    const Interval range{query.fromUs, query.toUs};
    if (range.fromUs >= range.toUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the range ends before it begins"));
    const int slices = std::clamp(query.slices, 0, kMostWaitingSlices);
    protocol::WaitingPage page{query.id, range.fromUs, range.toUs, {}};
    Meters meters;
    for (const QString &source : sources) {
        const auto last = seenUntil.constFind(source);
        const bool well = last != seenUntil.cend();
        auto observed =
            m_context.observedOf(source, range, well ? *last : std::numeric_limits<qint64>::min());
        if (!observed)
            return tl::unexpected(observed.error());
        // Time that hasn't been observed yet isn't a gap.
        const qint64 untilUs = well ? std::clamp(*last, range.fromUs, range.toUs) : range.toUs;
        page.sources.append({source, untilUs, gapsBetween(*observed, range, untilUs), {}});
        if (page.sources.last().gaps.size() > kMostGaps)
            return base::failure(base::ErrorCode::TooLarge, QStringLiteral("too many gaps in this range"),
                                 QStringLiteral("Choose a shorter range"));
        meters.insert(source, WaitingMeter(range, slices, std::move(*observed)));
    }
    if (slices > 0) {
        if (auto fed = feedWaits(range, meters); !fed)
            return tl::unexpected(fed.error());
    }
    for (protocol::SourceWaiting &one : page.sources)
        one.waitedUs = meters.constFind(one.source)->waitedUs();
    return page;
}

} // namespace lockkeeper::agent::journal
