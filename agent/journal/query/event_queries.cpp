// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_queries.h"

#include "agent/journal/query/event_finder.h"
#include "agent/journal/query/page_limit.h"
#include "shared/base/text.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::milliseconds kSoon(100); ///< what a page has by then is told
constexpr int kSeqsBetweenLooks = 64;           ///< at the clock

} // namespace

base::Result<protocol::EventPage> EventQueries::replay(quint64 afterSeq, int limit)
{
    if (auto begun = m_context.begin(); !begun)
        return tl::unexpected(begun.error());
    protocol::EventPage page;
    const protocol::HistoryQuery all;
    if (auto range = eventRange(all, page); !range)
        return tl::unexpected(range.error());
    PageLimit room(std::max(limit, 1));
    Statement &rows = m_context.connection().statement("event_replay");
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
    Statement &bounds = m_context.connection().statement("event_bounds");
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
    if (query.fromUs || query.toUs)
        return narrowed(range, query);
    return range;
}

/** Without the events at both ends that can't lie in the time: the snapshots tell of the times of the locks'
 * events between two of them, and an index of those of the sources. */
base::Result<SeqRange> EventQueries::narrowed(SeqRange range, const protocol::HistoryQuery &query)
{
    const qint64 fromUs = query.fromUs.value_or(std::numeric_limits<qint64>::min());
    const qint64 toUs = query.toUs.value_or(std::numeric_limits<qint64>::max());
    std::optional<SeqRange> within;
    const auto widen = [&within](SeqRange some) {
        within = within ? SeqRange{std::min(within->low, some.low), std::max(within->high, some.high)} : some;
    };
    Statement &snapshots = m_context.connection().statement("snapshot_all");
    if (!m_context.connection().run(snapshots))
        return tl::unexpected(m_context.connection().error());
    qint64 low = 0;
    while (snapshots.next()) {
        if (snapshots.integer(1) <= toUs && snapshots.integer(2) >= fromUs)
            widen({low, snapshots.integer(0)});
        low = snapshots.integer(0);
    }
    widen({low, range.high}); // since the last one
    Statement &marks = m_context.connection().statement("source_marks_between");
    if (!m_context.connection().run(marks.bind(fromUs).bind(toUs)) || !marks.next())
        return tl::unexpected(m_context.connection().error());
    if (!marks.isNull(0))
        widen({marks.integer(0) - 1, marks.integer(1)});
    marks.finish();
    return SeqRange{std::max(range.low, within->low), std::min(range.high, within->high)};
}

base::Result<std::optional<events::LockEvent>> EventQueries::wanted(qint64 seq, const EventFinder &finder,
                                                                    const protocol::HistoryQuery &query)
{
    Statement &rows = m_context.connection().statement("event_at");
    if (!m_context.connection().run(rows.bind(seq)))
        return tl::unexpected(m_context.connection().error());
    if (!rows.next())
        return std::nullopt;
    auto row = readEvent(rows, false);
    rows.finish();
    if (!row)
        return tl::unexpected(row.error());
    const events::LockEvent &event = row->event;
    if ((query.fromUs && event.timeUs < *query.fromUs) || (query.toUs && event.timeUs > *query.toUs) ||
        (!query.kinds.isEmpty() && !query.kinds.contains(event.kind)) ||
        (!query.command.isEmpty() && event.command != query.command) ||
        (!query.source.isEmpty() && m_context.sources().value(row->sourceId).name != query.source) ||
        !finder.isLockWanted(row->lockId))
        return std::nullopt;
    if (!query.holderGlob.isEmpty() &&
        (!event.ownerKnown || !base::globMatches(query.holderGlob, event.owner)))
        return std::nullopt;
    return m_context.complete(std::move(*row)).map([](events::LockEvent whole) {
        return std::optional(std::move(whole));
    });
}

base::Result<void> EventQueries::addEvents(const protocol::HistoryQuery &query, EventFinder &finder,
                                           protocol::EventPage &page)
{
    PageLimit room(std::min(query.limit, kMaxRows));
    bool isDue = false;
    for (int looked = 1;; ++looked) {
        if (isDue) {
            if (auto time = m_context.checkTime(); !time)
                return time;
            page.more = !page.events.isEmpty() && m_context.elapsed() >= kSoon;
            if (page.more)
                return {};
        }
        const auto seq = finder.next();
        if (!seq)
            return tl::unexpected(seq.error());
        if (*seq == EventFinder::kNone)
            return {};
        isDue = *seq == EventFinder::kNotYet || looked % kSeqsBetweenLooks == 0;
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
    if (auto begun = m_context.begin(); !begun)
        return tl::unexpected(begun.error());
    const auto locks = m_context.matchingLocks(query.source, query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    const auto range = eventRange(query, page);
    if (!range)
        return tl::unexpected(range.error());
    if (*locks && (*locks)->isEmpty())
        return page;
    EventFinder finder(m_context, query, *range);
    return finder.begin(*locks).and_then([&] { return addEvents(query, finder, page); }).map([&page] {
        return std::move(page);
    });
}

} // namespace lockkeeper::agent::journal
