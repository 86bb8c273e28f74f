// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/timeline_lanes.h"

#include "agent/journal/storage/wait_store.h"
#include "shared/base/text.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace lockkeeper::agent::journal {

namespace {

constexpr int kMostLanes = 200;
constexpr int kMostBars = 10'000;
constexpr qint64 kMostSlices = 60'000; ///< over all lanes: a page must fit into a frame
constexpr qint64 kMostSlicesOfALane = 2'000;
constexpr qsizetype kMostRanked = 500'000; ///< holders whose names are kept in memory

} // namespace

TimelineLanes::TimelineLanes(QueryContext &context, const protocol::TimelineQuery &query, Interval range,
                             qint64 nowUs)
    : m_context(context),
      m_query(query),
      m_range(range),
      m_nowUs(nowUs),
      m_by(query.keys.isEmpty() ? query.by : protocol::TimelineLanes::Lock)
{
    for (const QueryContext::Source &source : context.sources()) {
        if ((query.source.isEmpty() || source.name == query.source) && !m_sources.contains(source.name))
            m_sources.append(source.name);
    }
}

base::Result<void> TimelineLanes::addTo(protocol::TimelinePage &page)
{
    const auto taken =
        m_query.keys.isEmpty() ? rank().and_then([&] { return takeRanked(page); }) : takeAsked(page);
    if (!taken)
        return taken;
    makeTallies(page);
    return tally().and_then([&] { return fill(page); });
}

bool TimelineLanes::isHolderWanted(const Span &span) const
{
    if (m_query.holderGlob.isEmpty() || (span.ofWait && m_by != protocol::TimelineLanes::Holder))
        return true;
    return span.who && base::globMatches(m_query.holderGlob, *span.who);
}

base::Result<std::optional<TimelineLanes::LaneId>> TimelineLanes::laneOf(const Span &span)
{
    if (m_by == protocol::TimelineLanes::Lock)
        return LaneId{span.lockId, {}};
    const auto key = m_context.keyOf(span.lockId);
    if (!key)
        return tl::unexpected(key.error());
    const qint64 source = m_sources.indexOf(key->source);
    if (source < 0 || (m_by == protocol::TimelineLanes::Holder && !span.who))
        return std::nullopt;
    return LaneId{source,
                  m_by == protocol::TimelineLanes::Holder ? span.who.value_or(QByteArray()) : QByteArray()};
}

base::Result<void> TimelineLanes::rank()
{
    const auto locks = m_context.matchingLocks(m_query.source, m_query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    m_locks = *locks;
    const bool withWho = m_by == protocol::TimelineLanes::Holder || !m_query.holderGlob.isEmpty();
    SpanWalk spans(m_context, withWho, m_locks);
    return spans.walk(m_range, [this](const Span &span) -> base::Result<void> {
        if (!isHolderWanted(span))
            return {};
        const auto lane = laneOf(span);
        if (!lane)
            return tl::unexpected(lane.error());
        if (!*lane)
            return {};
        Rank &rank = m_ranks[**lane];
        (span.ofWait ? rank.waitUs : rank.heldUs) += LaneTally::sharedUs(span, m_range, m_nowUs);
        ++(span.ofWait ? rank.waits : rank.holds);
        if (m_by != protocol::TimelineLanes::Holder || m_ranks.size() <= kMostRanked)
            return {};
        return base::failure(base::ErrorCode::Timeout,
                             QStringLiteral("there are too many holders in this range"),
                             QStringLiteral("Ask for a shorter time, a lock or a source"));
    });
}

base::Result<bool> TimelineLanes::take(const LaneId &id, protocol::TimelinePage &page)
{
    protocol::TimelineLane lane;
    if (m_by == protocol::TimelineLanes::Lock) {
        const auto key = m_context.keyOf(id.number);
        if (!key)
            return tl::unexpected(key.error());
        if (!m_sources.contains(key->source))
            return true;
        // A source that was given another store has a number for the lock in each.
        const auto same = std::find_if(m_taken.cbegin(), m_taken.cend(),
                                       [&key](const auto &known) { return known.key == *key; });
        if (same != m_taken.cend()) {
            m_laneOf.insert(id, same - m_taken.cbegin());
            m_taken[size_t(same - m_taken.cbegin())].waitUs += m_ranks.value(id).waitUs;
            return true;
        }
        lane.key = *key;
    } else {
        lane.source = m_sources.at(id.number);
        lane.holder = id.who;
    }
    page.more = qint64(m_taken.size()) == std::clamp(m_query.lanes, 1, kMostLanes);
    if (page.more)
        return false;
    lane.waitUs = m_ranks.value(id).waitUs;
    m_laneOf.insert(id, qsizetype(m_taken.size()));
    m_taken.push_back(std::move(lane));
    return true;
}

base::Result<void> TimelineLanes::takeRanked(protocol::TimelinePage &page)
{
    QList<LaneId> order;
    for (auto it = m_ranks.cbegin(); it != m_ranks.cend(); ++it) {
        const bool ofHolder = m_query.holderGlob.isEmpty() || m_by == protocol::TimelineLanes::Holder;
        if (ofHolder || it->holds > 0)
            order.append(it.key());
    }
    std::sort(order.begin(), order.end(), [this](const LaneId &a, const LaneId &b) {
        const Rank x = m_ranks.value(a);
        const Rank y = m_ranks.value(b);
        return std::tuple(-x.waitUs, -x.heldUs, a.number, a.who) <
               std::tuple(-y.waitUs, -y.heldUs, b.number, b.who);
    });
    for (const LaneId &id : std::as_const(order)) {
        const auto goOn = take(id, page);
        if (!goOn)
            return tl::unexpected(goOn.error());
        if (!*goOn)
            break;
    }
    m_ranks = {};
    if (m_by != protocol::TimelineLanes::Lock)
        return {};
    m_locks = QList<qint64>();
    for (auto it = m_laneOf.cbegin(); it != m_laneOf.cend(); ++it)
        m_locks->append(it.key().number);
    return {};
}

base::Result<void> TimelineLanes::takeAsked(protocol::TimelinePage &page)
{
    m_locks = QList<qint64>();
    for (const domain::LockKey &key : m_query.keys) {
        page.more = m_taken.size() == kMostLanes;
        if (page.more)
            break;
        const auto ids = m_context.exactLock(key);
        if (!ids)
            return tl::unexpected(ids.error());
        for (const qint64 id : **ids) {
            m_laneOf.insert({id, {}}, qsizetype(m_taken.size()));
            m_locks->append(id);
        }
        protocol::TimelineLane lane;
        lane.key = key;
        m_taken.push_back(std::move(lane));
    }
    return {};
}

void TimelineLanes::makeTallies(protocol::TimelinePage &page)
{
    const qint64 lengthUs = m_range.toUs - m_range.fromUs;
    const qint64 lanes = std::max<qint64>(1, qint64(m_taken.size()));
    const qint64 mostSlices = std::clamp<qint64>(kMostSlices / lanes, 1, kMostSlicesOfALane);
    page.sliceUs = std::max(m_query.sliceUs, (lengthUs + mostSlices - 1) / mostSlices);
    qint64 mostBars = std::clamp(m_query.bars, 1, kMostBars);
    if (m_query.sliceUs > 0) // more of them than parts that a screen shows: they would merge
        mostBars = std::min(mostBars, std::max<qint64>(1, lengthUs / m_query.sliceUs));
    for (protocol::TimelineLane &lane : m_taken)
        m_lanes.push_back({std::move(lane), LaneTally({m_range, page.sliceUs}, m_nowUs, mostBars)});
}

base::Result<void> TimelineLanes::tally()
{
    const bool withWho = m_by == protocol::TimelineLanes::Holder || !m_query.holderGlob.isEmpty();
    SpanWalk spans(m_context, withWho, m_locks);
    return spans.walk(m_range, [this](const Span &span) -> base::Result<void> {
        if (!isHolderWanted(span))
            return {};
        const auto id = laneOf(span);
        if (!id)
            return tl::unexpected(id.error());
        const qsizetype at = *id ? m_laneOf.value(**id, -1) : -1;
        if (at < 0)
            return {};
        Lane &lane = m_lanes[size_t(at)];
        lane.tally.add(span);
        if (span.ofWait && !m_query.keys.isEmpty())
            lane.out.waitUs += LaneTally::sharedUs(span, m_range, m_nowUs);
        return {};
    });
}

base::Result<void> TimelineLanes::fill(protocol::TimelinePage &page)
{
    // Those with the fewest first: each takes its share of what they leave.
    std::vector<size_t> order(m_lanes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
        return m_lanes[a].tally.bars() < m_lanes[b].tally.bars();
    });
    qint64 left = std::clamp(m_query.bars, 1, kMostBars);
    PageLimit room(kMostBars);
    for (size_t i = 0; i < order.size(); ++i) {
        Lane &lane = m_lanes[order[i]];
        const bool asBars = lane.tally.fits() && lane.tally.bars() <= left / qint64(order.size() - i);
        if (asBars) {
            left -= lane.tally.bars();
            if (auto added = addBars(lane, room); !added)
                return added;
        }
        if (!asBars || room.isFull()) {
            lane.out.holds.clear();
            lane.out.waits.clear();
            lane.out.slices = lane.tally.slices();
        }
    }
    for (Lane &lane : m_lanes)
        page.lanes.append(std::move(lane.out));
    return {};
}

base::Result<void> TimelineLanes::addBars(Lane &lane, PageLimit &room)
{
    for (const qint64 id : lane.tally.holds()) {
        if (auto added = addHold(id, lane, room); !added || room.isFull())
            return added;
    }
    for (const qint64 id : lane.tally.waits()) {
        if (auto added = addWait(id, lane, room); !added || room.isFull())
            return added;
    }
    const auto byBeginning = [](const auto &a, const auto &b) {
        return std::tuple(a.fromUs, a.id) < std::tuple(b.fromUs, b.id);
    };
    std::sort(lane.out.holds.begin(), lane.out.holds.end(), byBeginning);
    std::sort(lane.out.waits.begin(), lane.out.waits.end(), byBeginning);
    return {};
}

base::Result<domain::LockKey> TimelineLanes::keyOf(qint64 lockId, const Lane &lane)
{
    return lane.out.key ? base::Result<domain::LockKey>(*lane.out.key) : m_context.keyOf(lockId);
}

base::Result<void> TimelineLanes::addHold(qint64 id, Lane &lane, PageLimit &room)
{
    Statement &rows = m_context.connection().statement("hold_by_id");
    if (!m_context.connection().run(rows.bind(id)) || !rows.next())
        return tl::unexpected(m_context.connection().error());
    auto row = readHold(rows);
    rows.finish();
    if (!row)
        return tl::unexpected(row.error());
    auto key = keyOf(row->lockId, lane);
    if (!key)
        return tl::unexpected(key.error());
    row->hold.key = std::move(*key);
    room.take(row->hold);
    lane.out.holds.append(std::move(row->hold));
    return {};
}

base::Result<void> TimelineLanes::addWait(qint64 id, Lane &lane, PageLimit &room)
{
    Statement &rows = m_context.connection().statement("wait_by_id");
    if (!m_context.connection().run(rows.bind(id)) || !rows.next())
        return tl::unexpected(m_context.connection().error());
    const auto row = readWait(rows);
    const qint64 lockId = rows.integer(1);
    const QByteArray waiter = rows.bytes(2);
    rows.finish();
    if (!row)
        return tl::unexpected(row.error());
    auto key = keyOf(lockId, lane);
    if (!key)
        return tl::unexpected(key.error());
    const protocol::Wait wait{std::move(*key), waiter, row->fromUs, row->toUs, id};
    room.take(wait);
    lane.out.waits.append(wait);
    return {};
}

} // namespace lockkeeper::agent::journal
