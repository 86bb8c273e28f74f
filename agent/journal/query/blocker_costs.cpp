// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/blocker_costs.h"

#include "agent/journal/query/lane_tally.h"
#include "agent/journal/storage/packed_state.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kNoSighting = std::numeric_limits<qint64>::min();

/** The end of the last observed time that began before `us`, at most `us`; empty: there is none. */
std::optional<qint64> observedUntil(const QList<Interval> &observed, qint64 us)
{
    const auto next = std::lower_bound(observed.cbegin(), observed.cend(), us,
                                       [](const Interval &one, qint64 at) { return one.fromUs < at; });
    if (next == observed.cbegin())
        return {};
    return std::min(std::prev(next)->toUs, us);
}

bool mayHaveSeveralHolders(const domain::LockState &state, const QByteArray &scheme)
{
    return state.mode == "read" || state.release.why == domain::ReleaseOff::SeveralHolders ||
           scheme.endsWith(".semaphore");
}

/** The state in which the hold began; empty: it is no longer kept. */
base::Result<std::optional<domain::LockState>> beginningOf(const SqliteStatement &rows, const HoldRow &row)
{
    if (!rows.isNull(kHoldColumns))
        return readEvent(rows, true, kHoldColumns).map([](EventRow &&begun) { return begun.event.after; });
    if (row.state.isEmpty())
        return std::optional<domain::LockState>();
    const auto bytes = unsealState(row.state);
    if (!bytes)
        return base::failure(base::ErrorCode::Corrupt,
                             QStringLiteral("the table holds, row %1: a state is damaged").arg(row.holdId));
    return unpackState(*bytes, stateBy(row.hold)).map([](domain::LockState &&state) {
        return std::optional<domain::LockState>(std::move(state));
    });
}

} // namespace

BlockerCosts::BlockerCosts(QueryContext &context, domain::ContentionRanking ranking, Interval range,
                           const SeenUntil &seenUntil)
    : m_context(context), m_ranking(ranking), m_range(range), m_seenUntil(seenUntil)
{
}

base::Result<void> BlockerCosts::add(const QString &source, const QueryContext::LockIds &wanted)
{
    if (auto read = readWaits(source, wanted); !read)
        return read;
    for (auto lock = m_waits.begin(); lock != m_waits.end(); ++lock) {
        if (auto added = m_context.checkTime().and_then([&] { return addLock(lock.key(), *lock); }); !added)
            return added;
    }
    m_waits.clear();
    return {};
}

base::Result<void> BlockerCosts::readWaits(const QString &source, const QueryContext::LockIds &wanted)
{
    const QSet<qint64> some = wanted ? QSet<qint64>(wanted->cbegin(), wanted->cend()) : QSet<qint64>();
    QSet<QByteArray> waiters; // each in memory only once
    qsizetype count = 0;
    RollupReader rollups(m_context);
    SpanWalk waits(m_context, rollups, true, std::nullopt, SpanWalk::What::Waits);
    return waits.walk({m_range.fromUs, m_range.toUs + 1},
                      [&](const MeasuredSpan &span) -> base::Result<void> {
                          if (wanted && !some.contains(span.lockId))
                              return {};
                          const auto key = m_context.keyOf(span.lockId);
                          if (!key)
                              return tl::unexpected(key.error());
                          const qint64 lengthUs = LaneTally::sharedUs(span, m_range, m_range.toUs);
                          if (lengthUs == 0 || (!source.isEmpty() && key->source != source))
                              return {};
                          if (++count > kMostWaits)
                              return base::failure(base::ErrorCode::TooLarge,
                                                   QStringLiteral("too many waits in this range"),
                                                   QStringLiteral("Choose a shorter range"));
                          const qint64 beganUs = std::max(span.fromUs, m_range.fromUs);
                          m_waits[span.lockId].push_back({{beganUs, beganUs + lengthUs},
                                                          *waiters.insert(span.who.value_or(QByteArray()))});
                          return {};
                      });
}

base::Result<QList<Interval>> BlockerCosts::observedOf(const QString &source)
{
    if (const auto known = m_observed.constFind(source); known != m_observed.cend())
        return *known;
    return m_context.observedOf(source, m_range, m_seenUntil.value(source, kNoSighting))
        .map([&](QList<Interval> &&found) { return *m_observed.insert(source, std::move(found)); });
}

/** Nothing outside the range is returned. */
std::optional<Interval> BlockerCosts::certainPart(const HoldRow &row, const QList<Interval> &observed) const
{
    const qint64 endUs = row.hold.toUs ? *row.hold.toUs - row.hold.toWindowUs : m_range.toUs;
    std::optional<qint64> untilUs = std::min(endUs, m_range.toUs);
    if (!row.hold.toUs)
        untilUs = observedUntil(observed, *untilUs);
    else if (row.hold.end == holdEndName(HoldEnd::Gap)) {
        // Nobody saw the end: the hold surely lasted until the observation stopped.
        const auto resumed = std::find_if(observed.crbegin(), observed.crend(),
                                          [endUs](const Interval &one) { return one.toUs < endUs; });
        untilUs =
            resumed != observed.crend() ? std::optional(std::min(resumed->toUs, *untilUs)) : std::nullopt;
    }
    const qint64 fromUs = std::max(row.hold.fromUs, m_range.fromUs);
    return untilUs && fromUs < *untilUs ? std::optional(Interval{fromUs, *untilUs}) : std::nullopt;
}

/** Empty: the hold can't be attributed. */
base::Result<std::optional<QByteArray>> BlockerCosts::nameOf(const SqliteStatement &rows, const HoldRow &row,
                                                             const domain::LockKey &key) const
{
    const bool isForStatement = m_ranking == domain::ContentionRanking::Statement;
    if (!row.hold.ownerKnown || row.hold.owner.isEmpty() ||
        (isForStatement && !m_context.sight().seesAllOf(key.source)))
        return std::optional<QByteArray>();
    const auto begun = beginningOf(rows, row);
    if (!begun)
        return tl::unexpected(begun.error());
    if (!*begun || mayHaveSeveralHolders(**begun, key.scheme))
        return std::optional<QByteArray>();
    if (!isForStatement)
        return std::optional(row.hold.owner);
    const auto &session = (*begun)->session;
    return session && !session->statement.isEmpty() ? std::optional(session->statement) : std::nullopt;
}

/** The attributable holds at the times of the waits, which are sorted; ascending and disjoint. */
base::Result<std::vector<BlockerCosts::BlockingHold>>
BlockerCosts::holdsDuring(qint64 lockId, const domain::LockKey &key, const BlockedWaits &waits)
{
    QList<Interval> waited; // disjoint
    for (const BlockedWait &wait : waits) {
        if (waited.isEmpty() || waited.last().toUs < wait.span.fromUs)
            waited.append(wait.span);
        waited.last().toUs = std::max(waited.last().toUs, wait.span.toUs);
    }
    const auto isWaitedFor = [&waited](Interval part) {
        const auto next = std::lower_bound(waited.cbegin(), waited.cend(), part.fromUs,
                                           [](const Interval &one, qint64 us) { return one.toUs <= us; });
        return next != waited.cend() && next->fromUs < part.toUs;
    };
    const auto observed = observedOf(key.source);
    if (!observed)
        return tl::unexpected(observed.error());
    SqliteStatement &before = m_context.connection().statement("hold_at");
    const auto first =
        m_context.connection().firstNumber(before.bind(lockId).bind(waited.constFirst().fromUs));
    if (!first)
        return tl::unexpected(first.error());
    SqliteStatement &rows = m_context.connection().statement("holds_begun_from");
    if (!m_context.connection().run(rows.bind(lockId).bind(first->value_or(0))))
        return tl::unexpected(m_context.connection().error());
    std::vector<BlockingHold> holds;
    base::Result<void> done;
    for (int looked = 1; done && rows.next(); ++looked) {
        if (looked % kRowsBetweenLooks == 0)
            done = m_context.checkTime();
        auto row = readHold(rows);
        if (!done || !row) {
            done = row ? done : tl::unexpected(row.error());
            continue;
        }
        if (row->hold.fromUs - row->hold.fromWindowUs > waited.constLast().toUs)
            break;
        auto part = certainPart(*row, *observed);
        if (part && !holds.empty()) // a clock that was set back makes holds overlap
            part->fromUs = std::max(part->fromUs, holds.back().span.toUs);
        if (!part || part->fromUs >= part->toUs || !isWaitedFor(*part))
            continue;
        auto name = nameOf(rows, *row, key);
        if (!name)
            done = tl::unexpected(name.error());
        else if (*name)
            holds.push_back({*part, std::move(row->hold.owner), std::move(**name)});
    }
    rows.finish();
    return done.map([&holds] { return std::move(holds); });
}

base::Result<void> BlockerCosts::addLock(qint64 lockId, BlockedWaits &waits)
{
    std::sort(waits.begin(), waits.end(),
              [](const BlockedWait &a, const BlockedWait &b) { return a.span.fromUs < b.span.fromUs; });
    const auto key = m_context.keyOf(lockId);
    if (!key)
        return tl::unexpected(key.error());
    const auto holds = holdsDuring(lockId, *key, waits);
    if (!holds)
        return tl::unexpected(holds.error());
    for (size_t i = 0; i < waits.size(); ++i) {
        if (i % kRowsBetweenLooks == kRowsBetweenLooks - 1) {
            if (auto time = m_context.checkTime(); !time)
                return time;
        }
        charge(lockId, key->source, waits[i], *holds);
    }
    return {};
}

void BlockerCosts::charge(qint64 lockId, const QString &source, const BlockedWait &wait,
                          const std::vector<BlockingHold> &holds)
{
    QHash<QByteArray, qint64> parts; // a waiter may wait for the same holder more than once
    qint64 restUs = wait.span.toUs - wait.span.fromUs;
    auto hold = std::lower_bound(holds.cbegin(), holds.cend(), wait.span.fromUs,
                                 [](const BlockingHold &one, qint64 us) { return one.span.toUs <= us; });
    for (; hold != holds.cend() && hold->span.fromUs < wait.span.toUs; ++hold) {
        if (hold->owner == wait.waiter)
            continue;
        const qint64 partUs =
            std::min(hold->span.toUs, wait.span.toUs) - std::max(hold->span.fromUs, wait.span.fromUs);
        parts[hold->name] += partUs;
        restUs -= partUs;
    }
    m_unattributedUs += restUs;
    for (auto part = parts.cbegin(); part != parts.cend(); ++part) {
        BlockerSum &sum = m_sums[{source, part.key()}];
        sum.locks.insert(lockId);
        sum.waiters.insert(wait.waiter);
        ++sum.figures.waits;
        sum.figures.totalUs += *part;
        sum.figures.maxUs = std::max(sum.figures.maxUs, *part);
    }
}

QList<domain::BlockerCost> BlockerCosts::costs() const
{
    QList<domain::BlockerCost> costs;
    costs.reserve(m_sums.size());
    const bool isForStatement = m_ranking == domain::ContentionRanking::Statement;
    for (auto sum = m_sums.cbegin(); sum != m_sums.cend(); ++sum) {
        domain::BlockerCost cost = sum->figures;
        cost.source = sum.key().first;
        (isForStatement ? cost.statement : cost.holder) = sum.key().second;
        cost.locks = sum->locks.size();
        cost.waiters = sum->waiters.size();
        cost.observedUs = events::overlapUs(m_observed.value(cost.source), m_range.fromUs, m_range.toUs);
        costs.append(std::move(cost));
    }
    std::sort(costs.begin(), costs.end(), [](const domain::BlockerCost &a, const domain::BlockerCost &b) {
        return std::tie(b.totalUs, b.waits, a.source, a.holder, a.statement) <
               std::tie(a.totalUs, a.waits, b.source, b.holder, b.statement);
    });
    return costs;
}

} // namespace lockkeeper::agent::journal
