// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/timeline_queries.h"

#include "agent/journal/query/event_strip.h"
#include "agent/journal/query/lane_filler.h"
#include "agent/journal/query/source_gaps.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {

constexpr int kMostParts = 2'000; ///< of a strip
constexpr qint64 kLongestStripUs = 100 * 366 * 86'400'000'000;

} // namespace

base::Result<protocol::TimelinePage> TimelineQueries::timeline(const protocol::TimelineQuery &query)
{
    if (query.fromUs >= query.toUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the range ends before it begins"));
    if (std::min(query.fromUs, query.stripFromUs) < -kFarthestUs ||
        std::max(query.toUs, query.stripToUs) > kFarthestUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the time range is out of bounds"));
    return m_context.connection().inSnapshot([&] { return answer(query); });
}

base::Result<protocol::TimelinePage> TimelineQueries::answer(const protocol::TimelineQuery &query)
{
    protocol::TimelinePage page;
    page.id = query.id;
    // The time of its observation: the event itself may be older, and nobody looked then.
    const auto first = m_context.oldestEventUs();
    if (!first)
        return tl::unexpected(first.error());
    RollupReader rollups(m_context);
    page.firstUs = first->value_or(0);
    // Only if events were deleted. Otherwise an earlier hour belongs to a hold that began before it was
    // found, and nobody looked then.
    const auto rolledUs = rollups.firstUs();
    const bool pruned = m_context.connection().meta("events_deleted").has_value();
    if (rolledUs && pruned && (page.firstUs == 0 || *rolledUs + kHourUs <= page.firstUs))
        page.firstUs = *rolledUs;
    auto done = LaneFiller(m_context, rollups, m_holds, query)
                    .addTo(page)
                    .and_then([&] { return addGaps(query, page); })
                    .and_then([&] { return addStrip(query, rollups.eventSeq(), page); });
    if (!done)
        return tl::unexpected(done.error());
    return page;
}

base::Result<void> TimelineQueries::addGaps(const protocol::TimelineQuery &query,
                                            protocol::TimelinePage &page)
{
    for (auto it = m_context.sources().cbegin(); it != m_context.sources().cend(); ++it) {
        if ((!query.source.isEmpty() && it->name != query.source) || !m_context.sight().sees(it->name))
            continue;
        SourceGaps gaps(it->name, {page.fromUs, page.toUs});
        if (auto read = journal::addGaps(m_context, it.key(), gaps); !read)
            return read;
        page.gaps += gaps.result(it->gapOpen ? std::optional(it->lastSeenUs) : std::nullopt);
    }
    std::stable_sort(page.gaps.begin(), page.gaps.end(),
                     [](const auto &a, const auto &b) { return a.fromUs < b.fromUs; });
    return {};
}

/** The minutes count the events of a source, not of a lock. For a source that is seen in part, the right
 * number isn't known. */
bool TimelineQueries::countsEvents(const QString &source) const
{
    const QList<qint64> ids = m_context.seenSourceIds(source);
    return std::all_of(ids.cbegin(), ids.cend(), [this](qint64 id) {
        return m_context.sight().seesAllOf(m_context.sources().value(id).name);
    });
}

base::Result<void> TimelineQueries::addStrip(const protocol::TimelineQuery &query, qint64 rolledSeq,
                                             protocol::TimelinePage &page)
{
    const qint64 parts = std::clamp(query.stripSlices, 0, kMostParts);
    const qint64 lengthUs = query.stripToUs - query.stripFromUs;
    if (parts == 0 || lengthUs <= 0 || !countsEvents(query.source))
        return {};
    if (lengthUs > kLongestStripUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the strip is longer than a century"));
    EventStrip strip(m_context, query, parts, rolledSeq);
    return strip.count().map([&] { page.strip = strip.result(); });
}

} // namespace lockkeeper::agent::journal
