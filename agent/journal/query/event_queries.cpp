// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_queries.h"

#include "agent/journal/query/event_finder.h"
#include "agent/journal/query/page_limit.h"
#include "shared/base/text.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace lockkeeper::agent::journal {

namespace {

constexpr int kSeqsBetweenLooks = 64; ///< events between two checks of the clock

} // namespace

base::Result<protocol::EventPage> EventQueries::replay(quint64 afterSeq, int limit)
{
    protocol::EventPage page;
    const protocol::HistoryQuery all;
    if (auto range = eventRange(all, page); !range)
        return tl::unexpected(range.error());
    PageLimit room(std::max(limit, 1));
    SqliteStatement &rows = m_context.connection().statement("event_replay");
    if (!m_context.connection().run(rows.bind(qint64(afterSeq)).bind(qint64(std::max(limit, 1)) + 1)))
        return tl::unexpected(m_context.connection().error());
    while (rows.next()) {
        if (room.isFull()) {
            page.more = true;
            break;
        }
        auto row = readEvent(rows, true);
        auto event = row ? m_context.complete(std::move(*row))
                         : base::Result<events::LockEvent>(tl::unexpected(row.error()));
        if (!event) {
            rows.finish();
            return tl::unexpected(event.error());
        }
        room.take(*event);
        page.events.append(std::move(*event));
    }
    rows.finish();
    return page;
}

base::Result<SeqRange> EventQueries::eventRange(const protocol::HistoryQuery &query,
                                                protocol::EventPage &page)
{
    SqliteStatement &bounds = m_context.connection().statement("event_bounds");
    if (!m_context.connection().run(bounds) || !bounds.next())
        return tl::unexpected(m_context.connection().error());
    page.firstSeq = quint64(bounds.integer(0));
    const quint64 newest = quint64(bounds.integer(1));
    bounds.finish();
    page.lastSeq = std::max(newest, m_context.connection().meta("last_seq").value_or("0").toULongLong());
    SeqRange range{qint64(page.firstSeq) - 1, qint64(newest)};
    constexpr quint64 kMost = quint64(std::numeric_limits<qint64>::max());
    if (query.afterSeq)
        range.low = std::max(range.low, qint64(std::min(*query.afterSeq, kMost)));
    if (query.beforeSeq)
        range.high = std::min(range.high, qint64(std::min(*query.beforeSeq, kMost)) - 1);
    return range;
}

/** The snapshots show between which times the lock events of each segment lie; an index has the times of the
 * sources' events. */
base::Result<QList<SeqRange>> EventQueries::partsOf(SeqRange range, std::optional<qint64> from,
                                                    std::optional<qint64> to)
{
    if (!from && !to)
        return QList{range};
    const qint64 fromUs = from.value_or(std::numeric_limits<qint64>::min());
    const qint64 toUs = to.value_or(std::numeric_limits<qint64>::max());
    struct Segment
    {
        SeqRange seqs;
        bool isWanted = false;
    };
    std::vector<Segment> segments;
    const auto snapshots = m_context.snapshots();
    if (!snapshots)
        return tl::unexpected(snapshots.error());
    qint64 low = 0;
    for (const SnapshotRow &end : *snapshots)
        segments.push_back({{std::exchange(low, end.lastSeq), end.lastSeq},
                            end.earliestUs <= toUs && end.latestUs >= fromUs});
    segments.push_back({{low, std::numeric_limits<qint64>::max()}, true}); // no snapshot covers these yet
    SqliteStatement &marks = m_context.connection().statement("source_marks_between");
    if (!m_context.connection().run(marks.bind(fromUs).bind(toUs)))
        return tl::unexpected(m_context.connection().error());
    while (marks.next()) {
        std::lower_bound(segments.begin(), segments.end(), marks.integer(0),
                         [](const Segment &segment, qint64 seq) { return segment.seqs.high < seq; })
            ->isWanted = true;
    }
    QList<SeqRange> parts;
    for (const Segment &segment : segments) {
        const SeqRange part{std::max(range.low, segment.seqs.low), std::min(range.high, segment.seqs.high)};
        if (!segment.isWanted || part.low >= part.high)
            continue;
        if (!parts.isEmpty() && parts.constLast().high == part.low)
            parts.last().high = part.high;
        else
            parts.append(part);
    }
    return parts;
}

base::Result<std::optional<events::LockEvent>> EventQueries::wanted(qint64 seq, const EventFinder &finder,
                                                                    const protocol::HistoryQuery &query)
{
    using Found = base::Result<std::optional<EventRow>>;
    Found found = finder.row() ? Found(readEvent(*finder.row(), false)) : m_context.eventAt(seq, false);
    if (!found)
        return tl::unexpected(found.error());
    std::optional<EventRow> &row = *found;
    if (!row)
        return std::nullopt;
    const events::LockEvent &event = row->event;
    if ((query.fromUs && event.timeUs < *query.fromUs) || (query.toUs && event.timeUs > *query.toUs) ||
        (!query.kinds.isEmpty() && !query.kinds.contains(event.kind)) ||
        (!query.command.isEmpty() && event.command != query.command) ||
        (!query.source.isEmpty() && m_context.sources().value(row->sourceId).name != query.source) ||
        !finder.isLockWanted(row->lockId) ||
        (!row->lockId && !m_context.sight().sees(m_context.sources().value(row->sourceId).name)))
        return std::nullopt;
    if (!query.holderGlob.isEmpty() &&
        (!event.ownerKnown || !base::globMatches(query.holderGlob, event.owner)))
        return std::nullopt;
    return m_context.complete(std::move(*row)).map([](events::LockEvent whole) {
        return std::optional(std::move(whole));
    });
}

/** True if the page is returned as it is. An empty page is returned only if the question allows it and
 * something was read for it. The reading must take no less time than the preparation, or a search would be
 * all preparation. */
bool EventQueries::isDue(const protocol::HistoryQuery &query, const protocol::EventPage &page,
                         bool hasLooked) const
{
    if (!page.events.isEmpty())
        return m_context.elapsed() >= m_soon;
    return query.inSlices && hasLooked &&
           m_context.elapsed() >=
               m_prepared + std::clamp<std::chrono::steady_clock::duration>(m_prepared, m_soon, 10 * m_soon);
}

base::Result<void> EventQueries::tellReached(const EventFinder &finder, protocol::EventPage &page)
{
    page.more = true;
    page.reachedSeq = quint64(finder.reached());
    SqliteStatement &time = m_context.connection().statement("event_times");
    const auto timeUs =
        m_context.connection().firstNumber(time.bind(finder.reached() - 1).bind(finder.reached()));
    if (!timeUs)
        return tl::unexpected(timeUs.error());
    page.reachedUs = *timeUs;
    return {};
}

base::Result<void> EventQueries::addEvents(const protocol::HistoryQuery &query, EventFinder &finder,
                                           PageLimit &room, protocol::EventPage &page)
{
    bool looksAtClock = true;
    for (int looked = 1;; ++looked) {
        if (looksAtClock) {
            if (auto time = m_context.checkTime(); !time)
                return time;
            if (isDue(query, page, looked > 1))
                return tellReached(finder, page);
        }
        const auto seq = finder.next();
        if (!seq)
            return tl::unexpected(seq.error());
        if (*seq == EventFinder::kNone)
            return {};
        looksAtClock = *seq == EventFinder::kNotYet || looked % kSeqsBetweenLooks == 0;
        if (*seq == EventFinder::kNotYet)
            continue;
        auto event = wanted(*seq, finder, query);
        if (!event)
            return tl::unexpected(event.error());
        if (!*event)
            continue;
        page.more = room.isFull();
        if (page.more)
            return {};
        room.take(**event);
        page.events.append(std::move(**event));
    }
}

base::Result<protocol::EventPage> EventQueries::history(const protocol::HistoryQuery &query)
{
    protocol::EventPage page;
    page.id = query.id;
    const auto locks = m_context.matchingLocks(query.source, query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    const auto range = eventRange(query, page);
    if (!range)
        return tl::unexpected(range.error());
    if (*locks && (*locks)->isEmpty() && !isAboutAll(query))
        return page;
    auto parts = partsOf(*range, query.fromUs, query.toUs);
    if (!parts)
        return tl::unexpected(parts.error());
    if (query.descending)
        std::reverse(parts->begin(), parts->end());
    PageLimit room(std::min(query.limit, kMaxRows));
    m_prepared = m_context.elapsed();
    for (const SeqRange &part : std::as_const(*parts)) {
        EventFinder finder(m_context, query, part);
        const auto added =
            finder.begin(*locks).and_then([&] { return addEvents(query, finder, room, page); });
        if (!added)
            return tl::unexpected(added.error());
        if (page.more)
            break;
    }
    return page;
}

} // namespace lockkeeper::agent::journal
