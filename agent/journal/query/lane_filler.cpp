// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/lane_filler.h"

#include "agent/journal/storage/wait_store.h"
#include "shared/base/text.h"

#include <QMap>

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
constexpr qint64 kMostRead = 30'000;       ///< rows for the slices that are finer than roll-ups
constexpr qint64 kMostRenewals = 1'000;    ///< of one hold
constexpr qint64 kRenewalSlices = 4; ///< slices between two renewals; nearer ones would merge on the screen
constexpr qint64 kRolledFromUs = 3 * kHourUs;
constexpr qint64 kDaysFromUs = 40 * kDayUs;

} // namespace

LaneFiller::LaneFiller(QueryContext &context, RollupReader &rollups, HoldQueries &holds,
                       const protocol::TimelineQuery &query)
    : m_context(context),
      m_rollups(rollups),
      m_holds(holds),
      m_query(query),
      m_nowUs(context.nowUs()),
      m_by(query.keys.isEmpty() ? query.by : protocol::TimelineLanes::Lock),
      m_range{query.fromUs, query.toUs}
{
    for (const QueryContext::QueriedSource &source : context.sources()) {
        if ((query.source.isEmpty() || source.name == query.source) && context.sight().sees(source.name) &&
            !m_sources.contains(source.name))
            m_sources.append(source.name);
    }
    takeRange();
}

/** True if all locks of the sources are in sight, because a source's roll-up covers all its locks. */
bool LaneFiller::areWhole() const
{
    return std::all_of(m_sources.cbegin(), m_sources.cend(),
                       [this](const QString &name) { return m_context.sight().seesAllOf(name); });
}

void LaneFiller::takeRange()
{
    const qint64 lengthUs = m_range.toUs - m_range.fromUs;
    m_mayRoll = m_rollups.untilUs() != RollupStore::kNever && m_query.holderGlob.isEmpty() &&
                (m_by == protocol::TimelineLanes::Lock ||
                 (m_by == protocol::TimelineLanes::Source && m_query.lockGlob.isEmpty() && areWhole()));
    m_onlyRolled = m_mayRoll && m_range.fromUs < m_rollups.keptUs();
    if (m_mayRoll && lengthUs > kDaysFromUs)
        m_unitUs = kDayUs;
    if (m_onlyRolled || m_unitUs == kDayUs)
        m_range = {floorTo(m_range.fromUs, m_unitUs), ceilTo(m_range.toUs, m_unitUs)};
    else if (!m_mayRoll) // some rows that ended before are deleted
        m_range.fromUs = std::min(std::max(m_range.fromUs, m_rollups.keptUs()), m_range.toUs - 1);
    m_mayRoll = m_mayRoll && (m_onlyRolled || lengthUs >= kRolledFromUs);
}

base::Result<void> LaneFiller::addTo(protocol::TimelinePage &page)
{
    page.fromUs = m_range.fromUs;
    page.toUs = m_range.toUs;
    const auto taken =
        m_query.keys.isEmpty() ? rank().and_then([&] { return takeRanked(page); }) : takeAsked(page);
    if (!taken)
        return taken;
    return expect().and_then([&] {
        makeTallies(page);
        return tally().and_then([&] { return fill(page); });
    });
}

bool LaneFiller::isHolderWanted(const MeasuredSpan &span) const
{
    if (m_query.holderGlob.isEmpty() || (span.ofWait && m_by != protocol::TimelineLanes::Holder))
        return true;
    return span.who && base::globMatches(m_query.holderGlob, *span.who);
}

base::Result<std::optional<LaneFiller::LaneNumber>> LaneFiller::laneOf(const MeasuredSpan &span)
{
    if (m_by == protocol::TimelineLanes::Lock)
        return LaneNumber{span.lockId, {}};
    const auto key = m_context.keyOf(span.lockId);
    if (!key)
        return tl::unexpected(key.error());
    const qint64 source = m_sources.indexOf(key->source);
    if (source < 0 || (m_by == protocol::TimelineLanes::Holder && !span.who))
        return std::nullopt;
    return LaneNumber{source, m_by == protocol::TimelineLanes::Holder ? span.who.value_or(QByteArray())
                                                                      : QByteArray()};
}

LaneFiller::LaneNumber LaneFiller::laneOf(const Rollup &rollup) const
{
    if (m_by == protocol::TimelineLanes::Lock)
        return {rollup.lockId > 0 && (!m_wanted || m_some.contains(rollup.lockId)) ? rollup.lockId : -1, {}};
    return {rollup.lockId < 0 ? m_sources.indexOf(m_context.sources().value(-rollup.lockId).name) : -1, {}};
}

base::Result<void> LaneFiller::rank()
{
    const auto locks = m_context.matchingLocks(m_query.source, m_query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    m_wanted = *locks;
    if (m_wanted)
        m_some = QSet<qint64>(m_wanted->cbegin(), m_wanted->cend());
    return m_mayRoll ? rankRollups() : rankSpans(m_range, false);
}

base::Result<void> LaneFiller::rankRollups()
{
    const Interval rolled = rolledRange();
    const auto add = [this](const Rollup &rollup) -> base::Result<void> {
        const LaneNumber id = laneOf(rollup);
        if (id.number < 0)
            return {};
        Rank &rank = m_ranks[id];
        rank.waitUs += rollup.waitedUs;
        rank.heldUs += rollup.heldUs;
        rank.holds += rollup.holds;
        rank.waits += rollup.waits;
        return {};
    };
    return m_rollups.visit(rolled, add)
        .and_then([&] { return rankSpans(rolled, true); })
        .and_then([&] {
            return rankSpans({m_range.fromUs, rolled.fromUs}, false);
        })
        .and_then([&] {
            return rankSpans({rolled.toUs, m_range.toUs}, false);
        });
}

/** Visits the spans of `locks` that lie in a part of the range and in a lane; `isApart`: see SpanWalk. */
template <typename Visit>
base::Result<void> LaneFiller::visitSpans(Interval within, bool isApart, const QueryContext::LockIds &locks,
                                          const Visit &visit)
{
    if (within.fromUs >= within.toUs)
        return {};
    const bool withWho = m_by == protocol::TimelineLanes::Holder || !m_query.holderGlob.isEmpty();
    SpanWalk spans(m_context, m_rollups, withWho, locks);
    const auto visitLane = [&](const MeasuredSpan &span) -> base::Result<void> {
        if (!isHolderWanted(span))
            return {};
        const auto lane = laneOf(span);
        if (!lane)
            return tl::unexpected(lane.error());
        return *lane ? visit(span, **lane) : base::Result<void>();
    };
    return isApart ? spans.walkApart(within, visitLane) : spans.walk(within, visitLane);
}

base::Result<void> LaneFiller::rankSpans(Interval within, bool isApart)
{
    return visitSpans(
        within, isApart, m_wanted,
        [&](const MeasuredSpan &span, const LaneNumber &lane) -> base::Result<void> {
            Rank &rank = m_ranks[lane];
            (span.ofWait ? rank.waitUs : rank.heldUs) += LaneTally::sharedUs(span, within, m_nowUs);
            ++(span.ofWait ? rank.waits : rank.holds);
            if (m_by != protocol::TimelineLanes::Holder || m_ranks.size() <= kMostRanked)
                return {};
            return base::failure(base::ErrorCode::Timeout,
                                 QStringLiteral("there are too many holders in this range"),
                                 QStringLiteral("Choose a shorter time range, a lock or a source"));
        });
}

base::Result<bool> LaneFiller::take(const LaneNumber &id, protocol::TimelinePage &page)
{
    Lane lane;
    if (m_by == protocol::TimelineLanes::Lock) {
        const auto key = m_context.keyOf(id.number);
        if (!key)
            return tl::unexpected(key.error());
        if (!m_sources.contains(key->source))
            return true;
        // A source that was moved to another store has a number for the lock in each store.
        const auto same = std::find_if(m_lanes.begin(), m_lanes.end(),
                                       [&key](const Lane &known) { return known.out.key == *key; });
        if (same != m_lanes.end()) {
            m_laneOf.insert(id, same - m_lanes.begin());
            same->out.waitUs += m_ranks.value(id).waitUs;
            same->ids.append(id.number);
            return true;
        }
        lane.out.key = *key;
        lane.ids = {id.number};
    } else {
        lane.out.source = m_sources.at(id.number);
        lane.out.holder = id.who;
        for (auto it = m_context.sources().cbegin(); it != m_context.sources().cend(); ++it) {
            if (m_by == protocol::TimelineLanes::Source && it->name == lane.out.source)
                lane.ids.append(-it.key());
        }
    }
    page.more = qint64(m_lanes.size()) == std::clamp(m_query.lanes, 1, kMostLanes);
    if (page.more)
        return false;
    lane.out.waitUs = m_ranks.value(id).waitUs;
    m_laneOf.insert(id, qsizetype(m_lanes.size()));
    m_lanes.push_back(std::move(lane));
    return true;
}

base::Result<void> LaneFiller::takeRanked(protocol::TimelinePage &page)
{
    QList<LaneNumber> order;
    for (auto it = m_ranks.cbegin(); it != m_ranks.cend(); ++it) {
        const bool ofHolder = m_query.holderGlob.isEmpty() || m_by == protocol::TimelineLanes::Holder;
        if (ofHolder || it->holds > 0)
            order.append(it.key());
    }
    std::sort(order.begin(), order.end(), [this](const LaneNumber &a, const LaneNumber &b) {
        const Rank x = m_ranks.value(a);
        const Rank y = m_ranks.value(b);
        return std::tuple(-x.waitUs, -x.heldUs, a.number, a.who) <
               std::tuple(-y.waitUs, -y.heldUs, b.number, b.who);
    });
    for (const LaneNumber &id : std::as_const(order)) {
        const auto goOn = take(id, page);
        if (!goOn)
            return tl::unexpected(goOn.error());
        if (!*goOn)
            break;
    }
    m_ranks = {};
    return {};
}

base::Result<void> LaneFiller::takeAsked(protocol::TimelinePage &page)
{
    for (const domain::LockKey &key : m_query.keys) {
        page.more = m_lanes.size() == kMostLanes;
        if (page.more)
            break;
        const auto ids = m_context.exactLock(key);
        if (!ids)
            return tl::unexpected(ids.error());
        for (const qint64 id : **ids)
            m_laneOf.insert({id, {}}, qsizetype(m_lanes.size()));
        Lane lane;
        lane.out.key = key;
        lane.ids = **ids;
        m_lanes.push_back(std::move(lane));
    }
    return {};
}

/** Decides which lanes are read from the roll-ups: those with so many bars that they can't be shown one by
 * one anyway. */
base::Result<void> LaneFiller::expect()
{
    if (!m_mayRoll)
        return {};
    for (Lane &lane : m_lanes) {
        for (const qint64 id : std::as_const(lane.ids)) {
            const auto sum = m_rollups.sumOf(id, m_range);
            if (!sum)
                return tl::unexpected(sum.error());
            lane.expected += sum->holds + sum->waits;
        }
        lane.isRolled = m_onlyRolled || m_by == protocol::TimelineLanes::Source;
    }
    const auto readable = [](const Lane &lane) { return lane.isRolled ? 0 : lane.expected; };
    const qint64 all = std::accumulate(m_lanes.cbegin(), m_lanes.cend(), qint64(0),
                                       [&](qint64 sum, const Lane &lane) { return sum + readable(lane); });
    if (all > kMostRead) {
        const qint64 most = kMostRead / qint64(m_lanes.size());
        for (Lane &lane : m_lanes)
            lane.isRolled = lane.isRolled || lane.expected > most;
    }
    return {};
}

void LaneFiller::makeTallies(protocol::TimelinePage &page)
{
    const qint64 lengthUs = m_range.toUs - m_range.fromUs;
    const qint64 lanes = std::max<qint64>(1, qint64(m_lanes.size()));
    const qint64 mostSlices = std::clamp<qint64>(kMostSlices / lanes, 1, kMostSlicesOfALane);
    page.sliceUs = std::max(m_query.sliceUs, (lengthUs + mostSlices - 1) / mostSlices);
    if (std::any_of(m_lanes.cbegin(), m_lanes.cend(), [](const Lane &lane) { return lane.isRolled; }))
        page.sliceUs = ceilTo(page.sliceUs, m_unitUs);
    qint64 mostBars = std::clamp(m_query.bars, 1, kMostBars);
    if (m_query.sliceUs > 0) // more bars than the screen has parts would merge
        mostBars = std::min(mostBars, std::max<qint64>(1, lengthUs / m_query.sliceUs));
    m_tallies.assign(m_lanes.size(), LaneTally({m_range, page.sliceUs}, m_nowUs, mostBars));
}

base::Result<void> LaneFiller::tally()
{
    const Interval rolled = rolledRange();
    return tallySpans(m_range, false, false)
        .and_then([&] { return tallyRollups(); })
        .and_then([&] { return tallySpans(rolled, true, true); })
        .and_then([&] {
            return tallySpans({m_range.fromUs, rolled.fromUs}, false, true);
        })
        .and_then([&] {
            return tallySpans({rolled.toUs, m_range.toUs}, false, true);
        });
}

base::Result<void> LaneFiller::tallyRollups()
{
    const bool isAsked = !m_query.keys.isEmpty();
    QMap<qint64, size_t> laneOf; // in the order of the roll-ups
    for (size_t at = 0; at < m_lanes.size(); ++at) {
        for (const qint64 id : std::as_const(m_lanes[at].ids)) {
            if (m_lanes[at].isRolled)
                laneOf.insert(id, at);
        }
    }
    if (laneOf.isEmpty())
        return {};
    return m_rollups.visitLocks(laneOf.keys(), rolledRange(), m_unitUs,
                                [&](const Rollup &rollup) -> base::Result<void> {
                                    const size_t at = laneOf.value(rollup.lockId);
                                    m_tallies[at].add(rollup);
                                    m_lanes[at].out.waitUs += isAsked ? rollup.waitedUs : 0;
                                    return {};
                                });
}

/** Adds the spans of the lanes that are read from the roll-ups, or of the others. */
base::Result<void> LaneFiller::tallySpans(Interval within, bool isApart, bool ofRolled)
{
    QList<qint64> locks;
    bool any = false;
    for (const Lane &lane : m_lanes) {
        any = any || lane.isRolled == ofRolled;
        if (lane.isRolled == ofRolled && m_by == protocol::TimelineLanes::Lock)
            locks += lane.ids;
    }
    if (!any)
        return {};
    const bool byLock = m_by == protocol::TimelineLanes::Lock;
    return visitSpans(within, isApart, byLock ? QueryContext::LockIds(locks) : m_wanted,
                      [&](const MeasuredSpan &span, const LaneNumber &lane) -> base::Result<void> {
                          const qsizetype at = m_laneOf.value(lane, -1);
                          if (at < 0 || m_lanes[size_t(at)].isRolled != ofRolled)
                              return {};
                          m_tallies[size_t(at)].add(span, within, !ofRolled);
                          if (span.ofWait && !m_query.keys.isEmpty())
                              m_lanes[size_t(at)].out.waitUs += LaneTally::sharedUs(span, within, m_nowUs);
                          return {};
                      });
}

base::Result<void> LaneFiller::fill(protocol::TimelinePage &page)
{
    // Lanes with the fewest bars come first. Each lane gets its share of the bars that are left.
    std::vector<size_t> order(m_lanes.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [this](size_t a, size_t b) { return m_tallies[a].bars() < m_tallies[b].bars(); });
    qint64 left = std::clamp(m_query.bars, 1, kMostBars);
    PageLimit room(kMostBars);
    for (size_t i = 0; i < order.size(); ++i) {
        protocol::TimelineLane &lane = m_lanes[order[i]].out;
        const LaneTally &tally = m_tallies[order[i]];
        const bool asBars = tally.fits() && tally.bars() <= left / qint64(order.size() - i);
        if (asBars) {
            left -= tally.bars();
            if (auto added = addBars(order[i], room); !added)
                return added;
        }
        if (!asBars || room.isFull()) {
            lane.holds.clear();
            lane.waits.clear();
            lane.slices = tally.slices();
        }
    }
    for (Lane &lane : m_lanes)
        page.lanes.append(std::move(lane.out));
    return {};
}

base::Result<void> LaneFiller::addBars(size_t at, PageLimit &room)
{
    Lane &lane = m_lanes[at];
    for (const qint64 id : m_tallies[at].holds()) {
        if (auto added = addHold(id, lane, room); !added || room.isFull())
            return added;
    }
    for (const qint64 id : m_tallies[at].waits()) {
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

base::Result<domain::LockKey> LaneFiller::keyOf(qint64 lockId, const Lane &lane)
{
    return lane.out.key ? base::Result<domain::LockKey>(*lane.out.key) : m_context.keyOf(lockId);
}

base::Result<void> LaneFiller::addHold(qint64 id, Lane &lane, PageLimit &room)
{
    SqliteStatement &rows = m_context.connection().statement("hold_by_id");
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
    if (auto added = m_holds.complete(*row).and_then([&] { return addRenewals(row->lockId, row->hold); });
        !added)
        return added;
    room.take(row->hold);
    lane.out.holds.append(std::move(row->hold));
    return {};
}

/** Adds all renewals in the range, or none: only a part of them would look as if renewals were missed. */
base::Result<void> LaneFiller::addRenewals(qint64 lockId, protocol::Hold &hold)
{
    if (hold.renewals == 0 && hold.toUs) // the renewals of an open hold are counted some seconds later
        return {};
    const Interval shown{std::max(hold.fromUs, m_range.fromUs),
                         std::min(hold.toUs.value_or(m_range.toUs), m_range.toUs)};
    const qint64 apartUs = std::max<qint64>(1, m_query.sliceUs * kRenewalSlices);
    const qint64 most = std::min(kMostRenewals, (shown.toUs - shown.fromUs) / apartUs);
    if (most <= 0)
        return {};
    SqliteStatement &rows = m_context.connection().statement("renewals_between");
    rows.bind(lockId).bind(shown.fromUs).bind(shown.toUs).bind(most + 1);
    return m_context.each(rows, [&] { hold.renewalsUs.append(rows.integer(0)); }).map([&] {
        if (hold.renewalsUs.size() > most)
            hold.renewalsUs.clear();
    });
}

base::Result<void> LaneFiller::addWait(qint64 id, Lane &lane, PageLimit &room)
{
    SqliteStatement &rows = m_context.connection().statement("wait_by_id");
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
