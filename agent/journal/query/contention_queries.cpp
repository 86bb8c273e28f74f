// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/contention_queries.h"

#include "agent/journal/query/blocker_costs.h"
#include "agent/journal/query/contention_ranks.h"
#include "agent/journal/query/event_queries.h"
#include "agent/journal/query/lane_tally.h"
#include "agent/journal/storage/packed_state.h"
#include "agent/journal/storage/wait_store.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kNever = std::numeric_limits<qint64>::min();
constexpr qsizetype kMostNames = 4 << 20; ///< bytes: a page must fit into a frame

} // namespace

/** The waits for a lock may lie in several slices, but the lock counts once. */
struct ContentionQueries::Cost
{
    domain::WaiterCost figures;
    QSet<qint64> locks;
};

base::Result<qint64> ContentionQueries::firstHoldFor(qint64 lockId, qint64 firstEnded, qint64 fromUs)
{
    // Start with the hold before the first one that ended in the range: the hand-over between them lies in
    // it.
    SqliteStatement &rows = m_context.connection().statement(firstEnded != 0 ? "hold_before" : "hold_at");
    return m_context.connection()
        .firstNumber(rows.bind(lockId).bind(firstEnded != 0 ? firstEnded : fromUs))
        .map([firstEnded](std::optional<qint64> first) { return first.value_or(firstEnded); });
}

base::Result<void> ContentionQueries::feedHolds(qint64 lockId, const ContentionRank &rank, Interval range,
                                                ContentionMeter &meter)
{
    const auto first = firstHoldFor(lockId, rank.holdIds.fromUs, range.fromUs);
    if (!first)
        return tl::unexpected(first.error());
    SqliteStatement &rows = m_context.connection().statement("holds_from");
    if (!m_context.connection().run(rows.bind(lockId).bind(*first)))
        return tl::unexpected(m_context.connection().error());
    base::Result<void> fed;
    for (int looked = 1; fed && rows.next(); ++looked) {
        const auto hold = readHoldSpan(rows);
        if (!hold)
            fed = tl::unexpected(hold.error());
        else if (hold->fromUs - hold->fromWindowUs > range.toUs)
            break;
        else
            meter.addHold(*hold);
        if (fed && looked % kRowsBetweenLooks == 0)
            fed = m_context.checkTime();
    }
    rows.finish();
    return fed;
}

base::Result<void> ContentionQueries::feedWaits(qint64 lockId, const ContentionRank &rank,
                                                ContentionMeter &meter)
{
    if (rank.waits == 0)
        return {};
    SqliteStatement &rows = m_context.connection().statement("waits_from");
    rows.bind(lockId).bind(rank.waitIds.fromUs).bind(rank.waitIds.toUs);
    return m_context.each(rows, [&] {
        return readWait(rows).map([&](const auto &wait) { meter.addWait(wait.fromUs, wait.toUs); });
    });
}

base::Result<bool> ContentionQueries::showedWaiters(qint64 lockId)
{
    SqliteStatement &rows = m_context.connection().statement("last_state");
    if (!m_context.connection().run(rows.bind(lockId)))
        return tl::unexpected(m_context.connection().error());
    const auto state = rows.next() ? unpackState(rows.bytes(0), {}) // packing keeps waitersVisible
                                   : base::Result<domain::LockState>(domain::LockState());
    rows.finish();
    return state && state->waitersVisible;
}

base::Result<domain::Contention> ContentionQueries::contentionOf(qint64 lockId, const ContentionRank &rank,
                                                                 Interval range, const Observed &observed)
{
    ContentionMeter meter(range, observed);
    if (auto fed = feedHolds(lockId, rank, range, meter); !fed)
        return tl::unexpected(fed.error());
    if (auto fed = feedWaits(lockId, rank, meter); !fed)
        return tl::unexpected(fed.error());
    domain::Contention contention = meter.result();
    const auto visible = showedWaiters(lockId);
    if (!visible)
        return tl::unexpected(visible.error());
    contention.waitersVisible = *visible || rank.waits > 0;
    return contention;
}

base::Result<void> ContentionQueries::addContention(qint64 lockId, const ContentionRank &rank, Interval range,
                                                    const SeenUntil &seenUntil,
                                                    QHash<QString, Observed> &observed,
                                                    protocol::ContentionPage &page)
{
    auto key = m_context.keyOf(lockId);
    if (!key)
        return tl::unexpected(key.error());
    if (!observed.contains(key->source)) {
        auto found = m_context.observedOf(key->source, range, seenUntil.value(key->source, kNever));
        if (!found)
            return tl::unexpected(found.error());
        observed.insert(key->source, std::move(*found));
    }
    auto contention = contentionOf(lockId, rank, range, observed.value(key->source));
    if (!contention)
        return tl::unexpected(contention.error());
    contention->key = std::move(*key);
    page.locks.append(std::move(*contention));
    return {};
}

base::Result<protocol::ContentionPage> ContentionQueries::contention(const protocol::ContentionQuery &query,
                                                                     const SeenUntil &seenUntil)
{
    return m_context.connection().inSnapshot([&] { return answer(query, seenUntil); });
}

base::Result<protocol::ContentionPage> ContentionQueries::answer(const protocol::ContentionQuery &query,
                                                                 const SeenUntil &seenUntil)
{
    protocol::ContentionPage page;
    page.id = query.id;
    const auto wanted = m_context.matchingLocks(query.source, query.lockGlob);
    if (!wanted)
        return tl::unexpected(wanted.error());
    page.toUs = std::clamp(query.toUs.value_or(m_context.nowUs()), -kFarthestUs, kFarthestUs);
    page.fromUs = std::clamp(query.fromUs.value_or(0), -kFarthestUs, kFarthestUs);
    const Interval range{page.fromUs, page.toUs};
    if (range.fromUs >= range.toUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the range ends before it begins"));
    if (query.ranking == domain::ContentionRanking::Waiter)
        return addWaiters(query, range, seenUntil, *wanted, page).map([&page] { return std::move(page); });
    if (query.ranking != domain::ContentionRanking::Lock)
        return addBlockers(query, range, seenUntil, *wanted, page).map([&page] { return std::move(page); });
    ContentionRanks ranks(m_context, *wanted, range);
    return ranks.add()
        .and_then([&] { return addRanked(query, range, seenUntil, ranks, page); })
        .and_then([&] {
            return query.sums && query.source.isEmpty() ? addSums(range, *wanted, page)
                                                        : base::Result<void>();
        })
        .map([&page] { return std::move(page); });
}

/** No index and no roll-up contains the beginning of a hold, so the holds of that time are walked. */
base::Result<void> ContentionQueries::addSums(Interval range, const QueryContext::LockIds &wanted,
                                              protocol::ContentionPage &page)
{
    const QSet<qint64> some = wanted ? QSet<qint64>(wanted->cbegin(), wanted->cend()) : QSet<qint64>();
    const auto count = [&](SqliteStatement &rows, qint64 &sum) {
        return m_context.each(rows, [&] {
            sum += rows.integer(1) != 0 && (!wanted || some.contains(rows.integer(0))) ? 1 : 0;
        });
    };
    const auto last = m_context.connection().firstNumber(m_context.connection().statement("hold_last_id"));
    if (!last)
        return tl::unexpected(last.error());
    // A hold may be dated a little before the event that reports it.
    const auto parts =
        EventQueries(m_context).partsOf({0, last->value_or(0)}, range.fromUs - kHourUs, range.toUs + kHourUs);
    if (!parts)
        return tl::unexpected(parts.error());
    qint64 acquisitions = 0;
    SqliteStatement &begun = m_context.connection().statement("sum_acquired");
    for (const SeqRange &part : *parts) {
        begun.bind(range.fromUs).bind(range.toUs).bind(part.low).bind(part.high);
        if (auto counted = count(begun, acquisitions); !counted)
            return counted;
    }
    qint64 forced = 0;
    SqliteStatement &ended = m_context.connection().statement("sum_forced");
    if (auto counted = count(ended.bind(range.toUs).bind(range.fromUs).bind(range.toUs), forced); !counted)
        return counted;
    page.acquisitions = acquisitions;
    page.forced = forced;
    return {};
}

base::Result<void> ContentionQueries::addRanked(const protocol::ContentionQuery &query, Interval range,
                                                const SeenUntil &seenUntil, ContentionRanks &ranks,
                                                protocol::ContentionPage &page)
{
    if (query.source.isEmpty()) { // otherwise each lock's source would have to be looked up
        page.waitedUs = page.waits = 0;
        for (const ContentionRank &rank : ranks.byLock()) {
            *page.waitedUs += rank.waitUs;
            *page.waits += rank.waits;
        }
    }
    QList<qint64> shown;
    qsizetype bytes = 0;
    const QList<qint64> order = ranks.order();
    for (const qint64 lockId : order) {
        const auto key = m_context.keyOf(lockId);
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            continue;
        bytes += key->name.size() + key->place.size();
        page.more =
            shown.size() == std::clamp(query.limit, 1, 1000) || (bytes > kMostNames && !shown.isEmpty());
        if (page.more)
            break;
        shown.append(lockId);
    }
    if (auto found = ranks.findRows(shown); !found)
        return found;
    QHash<QString, Observed> observed;
    for (const qint64 lockId : std::as_const(shown)) {
        if (auto added =
                addContention(lockId, ranks.byLock().value(lockId), range, seenUntil, observed, page);
            !added)
            return added;
    }
    return {};
}

base::Result<void> ContentionQueries::costWaits(const protocol::ContentionQuery &query, Interval range,
                                                const QueryContext::LockIds &wanted, Costs &costs)
{
    const QSet<qint64> some = wanted ? QSet<qint64>(wanted->cbegin(), wanted->cend()) : QSet<qint64>();
    RollupReader rollups(m_context);
    SpanWalk waits(m_context, rollups, true, std::nullopt, SpanWalk::What::Waits);
    return waits.walk({range.fromUs, range.toUs + 1}, [&](const MeasuredSpan &span) -> base::Result<void> {
        if (wanted && !some.contains(span.lockId))
            return {};
        const auto key = m_context.keyOf(span.lockId);
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            return {};
        const QByteArray waiter = span.who.value_or(QByteArray());
        Cost &whose = costs[{key->source, waiter}];
        whose.locks.insert(span.lockId);
        const qint64 waitedUs = LaneTally::sharedUs(span, range, range.toUs);
        domain::WaiterCost &cost = whose.figures;
        cost.source = key->source;
        cost.waiter = waiter;
        cost.locks = whose.locks.size();
        ++cost.waits;
        cost.totalUs += waitedUs;
        cost.maxUs = std::max(cost.maxUs, waitedUs);
        return {};
    });
}

base::Result<void> ContentionQueries::addWaiters(const protocol::ContentionQuery &query, Interval range,
                                                 const SeenUntil &seenUntil,
                                                 const QueryContext::LockIds &wanted,
                                                 protocol::ContentionPage &page)
{
    Costs costs;
    if (auto done = costWaits(query, range, wanted, costs); !done)
        return done;
    for (const Cost &cost : std::as_const(costs))
        page.waiters.append(cost.figures);
    std::sort(page.waiters.begin(), page.waiters.end(),
              [](const domain::WaiterCost &a, const domain::WaiterCost &b) {
                  return std::tuple(-a.totalUs, -a.waits, a.source, a.waiter) <
                         std::tuple(-b.totalUs, -b.waits, b.source, b.waiter);
              });
    const qsizetype limit = std::clamp(query.limit, 1, 1000);
    page.more = page.waiters.size() > limit;
    if (page.more)
        page.waiters.resize(limit);
    QHash<QString, Observed> observed;
    for (domain::WaiterCost &cost : page.waiters) {
        if (!observed.contains(cost.source)) {
            auto found = m_context.observedOf(cost.source, range, seenUntil.value(cost.source, kNever));
            if (!found)
                return tl::unexpected(found.error());
            observed.insert(cost.source, std::move(*found));
        }
        cost.observedUs = events::overlapUs(observed.value(cost.source), range.fromUs, range.toUs);
    }
    return {};
}

base::Result<void> ContentionQueries::addBlockers(const protocol::ContentionQuery &query, Interval range,
                                                  const SeenUntil &seenUntil,
                                                  const QueryContext::LockIds &wanted,
                                                  protocol::ContentionPage &page)
{
    BlockerCosts blockers(m_context, query.ranking, range, seenUntil);
    if (auto added = blockers.add(query.source, wanted); !added)
        return added;
    page.unattributedUs = blockers.unattributedUs();
    qsizetype bytes = 0;
    for (domain::BlockerCost &cost : blockers.costs()) {
        bytes += cost.holder.size() + cost.statement.size();
        page.more = page.blockers.size() == std::clamp(query.limit, 1, 1000) ||
                    (bytes > kMostNames && !page.blockers.isEmpty());
        if (page.more)
            break;
        page.blockers.append(std::move(cost));
    }
    return {};
}

} // namespace lockkeeper::agent::journal
