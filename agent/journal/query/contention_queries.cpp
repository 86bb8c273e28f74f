// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/contention_queries.h"

#include "agent/journal/storage/packed_state.h"
#include "agent/journal/storage/wait_store.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kEver = std::numeric_limits<qint64>::max();
constexpr qint64 kNever = std::numeric_limits<qint64>::min();
constexpr qsizetype kMostNames = 4 << 20; ///< bytes: a page must fit into a frame
constexpr int kRowsBetweenLooks = 4096;   ///< at the clock

} // namespace

/** What decides a lock's place in the ranking, and where its rows begin. */
struct ContentionQueries::Rank
{
    qint64 waitUs = 0;
    qint64 waits = 0;
    qint64 ended = 0; ///< holds
    qint64 firstHold = 0;
    qint64 firstWait = 0;
};

/** A lock's waits may lie in several slices: it counts once. */
struct ContentionQueries::Cost
{
    domain::WaiterCost figures;
    QSet<qint64> locks;
};

base::Result<void> ContentionQueries::rankHolds(Interval range, Ranks &ranks)
{
    for (qint64 low = range.fromUs; low <= range.toUs;) {
        const auto next = sliceEnd("rank_hold_bound", low, range.toUs);
        if (!next)
            return tl::unexpected(next.error());
        Statement &rows = m_context.connection().statement("rank_holds");
        if (!m_context.connection().run(rows.bind(low).bind(*next)))
            return tl::unexpected(m_context.connection().error());
        while (rows.next()) {
            Rank &rank = ranks[rows.integer(0)];
            rank.ended += rows.integer(1);
            if (rank.firstHold == 0 || rows.integer(2) < rank.firstHold)
                rank.firstHold = rows.integer(2);
        }
        low = *next;
    }
    return {};
}

base::Result<qint64> ContentionQueries::sliceEnd(const char *bound, qint64 low, qint64 toUs)
{
    if (auto time = m_context.checkTime(); !time)
        return tl::unexpected(time.error());
    Statement &statement = m_context.connection().statement(bound);
    if (!m_context.connection().run(statement.bind(low)))
        return tl::unexpected(m_context.connection().error());
    qint64 end = toUs == kEver ? kEver : toUs + 1;
    if (statement.next())
        end = std::min(end, std::max(low + 1, statement.integer(0)));
    statement.finish();
    return end;
}

base::Result<void> ContentionQueries::rankWaits(Interval range, Ranks &ranks)
{
    const auto add = [&ranks](Statement &rows) {
        while (rows.next()) {
            Rank &rank = ranks[rows.integer(0)];
            rank.waits += rows.integer(1);
            rank.waitUs += std::max<qint64>(0, rows.integer(2));
            if (rank.firstWait == 0 || rows.integer(3) < rank.firstWait)
                rank.firstWait = rows.integer(3);
        }
    };
    // A wait that reaches into the range may have ended long after it.
    for (qint64 low = range.fromUs; low < kEver;) {
        const auto next = sliceEnd("rank_wait_bound", low, kEver);
        if (!next)
            return tl::unexpected(next.error());
        Statement &rows = m_context.connection().statement("rank_waits");
        rows.bind(range.toUs).bind(range.fromUs).bind(low).bind(*next).bind(range.toUs);
        if (!m_context.connection().run(rows))
            return tl::unexpected(m_context.connection().error());
        add(rows);
        low = *next;
    }
    Statement &open = m_context.connection().statement("rank_open_waits");
    if (!m_context.connection().run(open.bind(range.toUs).bind(range.fromUs).bind(range.toUs)))
        return tl::unexpected(m_context.connection().error());
    add(open);
    return {};
}

base::Result<ContentionQueries::Observed> ContentionQueries::observedOf(const QString &source, Interval range,
                                                                        qint64 seenUntilUs)
{
    Observed observed;
    QList<SourceMark> marks;
    for (auto it = m_context.sources().cbegin(); it != m_context.sources().cend(); ++it) {
        if (it->name != source)
            continue;
        seenUntilUs = std::max(seenUntilUs, it->lastSeenUs);
        Statement &rows = m_context.connection().statement("source_marks");
        if (!m_context.connection().run(rows.bind(it.key())))
            return tl::unexpected(m_context.connection().error());
        while (rows.next())
            marks.append({events::Kind(rows.integer(0)), rows.integer(1)});
    }
    Statement &oldest = m_context.connection().statement("retain_oldest_event");
    if (!m_context.connection().run(oldest))
        return tl::unexpected(m_context.connection().error());
    const qint64 oldestUs = oldest.next() ? oldest.integer(0) : kEver;
    oldest.finish();
    return observedIn(range, marks, oldestUs, seenUntilUs);
}

base::Result<qint64> ContentionQueries::firstHoldFor(qint64 lockId, qint64 firstEnded, qint64 fromUs)
{
    // The hold before the first one that ended in the range: the hand-over between them lies in it.
    Statement &rows = m_context.connection().statement(firstEnded != 0 ? "hold_before" : "hold_at");
    if (!m_context.connection().run(rows.bind(lockId).bind(firstEnded != 0 ? firstEnded : fromUs)))
        return tl::unexpected(m_context.connection().error());
    const qint64 first = rows.next() ? rows.integer(0) : 0;
    rows.finish();
    return first != 0 ? first : firstEnded;
}

base::Result<void> ContentionQueries::feedHolds(qint64 lockId, const Rank &rank, Interval range,
                                                ContentionMeter &meter)
{
    const auto first = firstHoldFor(lockId, rank.firstHold, range.fromUs);
    if (!first)
        return tl::unexpected(first.error());
    Statement &rows = m_context.connection().statement("holds_from");
    if (!m_context.connection().run(rows.bind(lockId).bind(*first)))
        return tl::unexpected(m_context.connection().error());
    base::Result<void> fed;
    for (int looked = 1; fed && rows.next(); ++looked) {
        const auto row = readHold(rows);
        if (!row)
            fed = tl::unexpected(row.error());
        else if (row->hold.fromUs - row->hold.fromWindowUs > range.toUs)
            break;
        else
            meter.addHold(row->hold);
        if (fed && looked % kRowsBetweenLooks == 0)
            fed = m_context.checkTime();
    }
    rows.finish();
    return fed;
}

base::Result<void> ContentionQueries::feedWaits(qint64 lockId, const Rank &rank, ContentionMeter &meter)
{
    if (rank.waits == 0)
        return {};
    Statement &rows = m_context.connection().statement("waits_from");
    if (!m_context.connection().run(rows.bind(lockId).bind(rank.firstWait)))
        return tl::unexpected(m_context.connection().error());
    base::Result<void> fed;
    for (int looked = 1; fed && rows.next(); ++looked) {
        if (const auto row = readWait(rows))
            meter.addWait(row->fromUs, row->toUs);
        else
            fed = tl::unexpected(row.error());
        if (fed && looked % kRowsBetweenLooks == 0)
            fed = m_context.checkTime();
    }
    rows.finish();
    return fed;
}

base::Result<bool> ContentionQueries::showedWaiters(qint64 lockId)
{
    Statement &rows = m_context.connection().statement("last_state");
    if (!m_context.connection().run(rows.bind(lockId)))
        return tl::unexpected(m_context.connection().error());
    const auto state = rows.next() ? unpackState(rows.bytes(0), {}) // whether they show isn't left out
                                   : base::Result<domain::LockState>(domain::LockState());
    rows.finish();
    return state && state->waitersVisible;
}

base::Result<domain::Contention> ContentionQueries::contentionOf(qint64 lockId, const Rank &rank,
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

base::Result<void> ContentionQueries::addContention(qint64 lockId, const Rank &rank, Interval range,
                                                    const SeenUntil &seenUntil,
                                                    QHash<QString, Observed> &observed,
                                                    protocol::ContentionPage &page)
{
    auto key = m_context.keyOf(lockId);
    if (!key)
        return tl::unexpected(key.error());
    if (!observed.contains(key->source)) {
        auto found = observedOf(key->source, range, seenUntil.value(key->source, kNever));
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
                                                                     qint64 nowUs, const SeenUntil &seenUntil)
{
    protocol::ContentionPage page;
    page.id = query.id;
    if (auto begun = m_context.begin(); !begun)
        return tl::unexpected(begun.error());
    const auto wanted = m_context.matchingLocks(query.source, query.lockGlob);
    if (!wanted)
        return tl::unexpected(wanted.error());
    page.toUs = query.toUs.value_or(nowUs);
    page.fromUs = query.fromUs.value_or(0);
    const Interval range{page.fromUs, page.toUs};
    if (range.fromUs >= range.toUs)
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the range ends before it begins"));
    if (query.byWaiter) {
        if (auto added = addWaiters(query, range, seenUntil, *wanted, page); !added)
            return tl::unexpected(added.error());
        return page;
    }
    Ranks ranks;
    if (auto ranked = rankHolds(range, ranks); !ranked)
        return tl::unexpected(ranked.error());
    if (auto ranked = rankWaits(range, ranks); !ranked)
        return tl::unexpected(ranked.error());
    if (auto added = addRanked(query, range, seenUntil, ranks, ranking(ranks, *wanted), page); !added)
        return tl::unexpected(added.error());
    return page;
}

base::Result<void> ContentionQueries::addRanked(const protocol::ContentionQuery &query, Interval range,
                                                const SeenUntil &seenUntil, const Ranks &ranks,
                                                const QList<qint64> &order, protocol::ContentionPage &page)
{
    QHash<QString, Observed> observed;
    qsizetype bytes = 0;
    for (const qint64 lockId : order) {
        const auto key = m_context.keyOf(lockId);
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            continue;
        bytes += key->name.size() + key->place.size();
        page.more = page.locks.size() == std::clamp(query.limit, 1, 1000) ||
                    (bytes > kMostNames && !page.locks.isEmpty());
        if (page.more)
            break;
        if (auto added = addContention(lockId, ranks.value(lockId), range, seenUntil, observed, page); !added)
            return added;
    }
    return {};
}

base::Result<void> ContentionQueries::takeWaiters(Statement &rows, const protocol::ContentionQuery &query,
                                                  const QSet<qint64> *wanted, Costs &costs)
{
    while (rows.next()) {
        if (wanted && !wanted->contains(rows.integer(0)))
            continue;
        const auto key = m_context.keyOf(rows.integer(0));
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            continue;
        const QByteArray waiter = rows.bytes(4);
        Cost &whose = costs[{key->source, waiter}];
        whose.locks.insert(rows.integer(0));
        domain::WaiterCost &cost = whose.figures;
        cost.source = key->source;
        cost.waiter = waiter;
        cost.locks = whose.locks.size();
        cost.waits += rows.integer(1);
        cost.totalUs += std::max<qint64>(0, rows.integer(2));
        cost.maxUs = std::max(cost.maxUs, rows.integer(3));
    }
    return {};
}

base::Result<void> ContentionQueries::addWaiters(const protocol::ContentionQuery &query, Interval range,
                                                 const SeenUntil &seenUntil,
                                                 const QueryContext::LockIds &wanted,
                                                 protocol::ContentionPage &page)
{
    Costs costs;
    const QSet<qint64> some = wanted ? QSet<qint64>(wanted->cbegin(), wanted->cend()) : QSet<qint64>();
    const QSet<qint64> *only = wanted ? &some : nullptr;
    for (qint64 low = range.fromUs; low < kEver;) {
        const auto next = sliceEnd("rank_wait_bound", low, kEver);
        if (!next)
            return tl::unexpected(next.error());
        Statement &rows = m_context.connection().statement("rank_waiters");
        rows.bind(range.toUs).bind(range.fromUs).bind(range.toUs).bind(range.fromUs);
        if (!m_context.connection().run(rows.bind(low).bind(*next).bind(range.toUs)))
            return tl::unexpected(m_context.connection().error());
        if (auto taken = takeWaiters(rows, query, only, costs); !taken)
            return taken;
        low = *next;
    }
    Statement &open = m_context.connection().statement("rank_open_waiters");
    open.bind(range.toUs).bind(range.fromUs).bind(range.toUs).bind(range.fromUs);
    if (!m_context.connection().run(open.bind(range.toUs)))
        return tl::unexpected(m_context.connection().error());
    if (auto taken = takeWaiters(open, query, only, costs); !taken)
        return taken;
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
            auto found = observedOf(cost.source, range, seenUntil.value(cost.source, kNever));
            if (!found)
                return tl::unexpected(found.error());
            observed.insert(cost.source, std::move(*found));
        }
        cost.observedUs = events::overlapUs(observed.value(cost.source), range.fromUs, range.toUs);
    }
    return {};
}

QList<qint64> ContentionQueries::ranking(const Ranks &ranks, const QueryContext::LockIds &wanted)
{
    QList<qint64> order;
    if (wanted) {
        for (const qint64 id : *wanted) {
            if (ranks.contains(id))
                order.append(id);
        }
    } else {
        order = ranks.keys();
    }
    std::sort(order.begin(), order.end(), [&ranks](qint64 a, qint64 b) {
        const Rank x = ranks.value(a);
        const Rank y = ranks.value(b);
        return std::tuple(-x.waitUs, -x.waits, -x.ended, a) < std::tuple(-y.waitUs, -y.waits, -y.ended, b);
    });
    return order;
}

} // namespace lockkeeper::agent::journal
