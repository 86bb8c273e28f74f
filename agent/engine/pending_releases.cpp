// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/pending_releases.h"

#include "agent/engine/scan_scheduler.h"

#include <algorithm>
#include <utility>

/*
 * A release acts on the store before its outcome is known here: it may still wait for a replica, or for other
 * nodes. A page or a push in between doesn't show the cause of an end. Only the outcome shows whether the
 * holder released the lock or the command broke it. So the end that an order may have caused, and all later
 * observations of its lock, are deferred. They are applied when the outcome has come, each with the bracket
 * in which it was seen.
 */

namespace lockkeeper::agent::engine {

namespace {
constexpr qint64 kForcedUs = 30'000'000;
/** A stopped server carries out the commands that wait on its old connections when it resumes. */
constexpr qint64 kCarriedOutWithinUs = 5'000'000;
constexpr size_t kMostSeen = 1'000;

/** Whether an order for `identity` targeted the record's acquisition, whose end `seen` shows. The identity of
 * a restored record isn't known: the order probably did, unless `seen` still shows `identity`. */
bool isOf(const QByteArray &identity, const LockRecord &record, const stores::Observation &seen)
{
    return record.restored ? identity != seen.identity : identity == record.identity();
}
} // namespace

void PendingReleases::sent(const domain::LockKey &key, const stores::Subject &lock,
                           const QByteArray &identity, Instant now)
{
    SentRelease &order = m_sent[lock];
    if (order.orders == 0)
        order.sentUs = m_context.clock.nowUs(now.monotonicUs);
    order.key = key;
    order.identity = identity;
    ++order.orders;
}

void PendingReleases::succeeded(const stores::Subject &lock, const QByteArray &identity,
                                const QByteArray &command, Instant now)
{
    m_forced.insert(lock, Forced{identity, command, now.monotonicUs + kForcedUs, 0, true,
                                 m_context.clock.nowUs(now.monotonicUs)});
}

void PendingReleases::unanswered(const stores::Subject &lock, const QByteArray &identity,
                                 const QByteArray &command)
{
    m_forced.insert(lock, Forced{identity, command, kNever, m_sent.value(lock).sentUs, false});
}

void PendingReleases::answeredLate(const stores::Subject &lock, const QByteArray &identity, bool released,
                                   Instant now)
{
    const auto it = m_forced.find(lock);
    if (it == m_forced.end() || it->proven || it->identity != identity)
        return;
    if (released)
        succeeded(lock, identity, QByteArray(it->command), now);
    else
        m_forced.erase(it);
}

void PendingReleases::stillHeld(const LockRecord &record, Instant now)
{
    if (m_forced.isEmpty())
        return;
    const auto it = m_forced.find(stores::Subject{record.set, record.name().toByteArray()});
    if (it == m_forced.end() || it->identity != record.identity())
        return;
    if (!it->proven)
        it->untilUs = std::min(it->untilUs, now.monotonicUs + kCarriedOutWithinUs);
    else if (record.extras && record.extras->session) // a killed session keeps its locks until it rolled back
        it->untilUs = now.monotonicUs + kForcedUs + m_context.spec.pollMs * 1000;
}

void PendingReleases::linkMade(Instant now)
{
    for (auto it = m_forced.begin(); it != m_forced.end(); ++it) {
        const quint32 index = m_context.table.find(it.key().set, it.key().name);
        if (it->proven && index != LockTable::kNone)
            stillHeld(m_context.table.at(index), now);
    }
}

void PendingReleases::answered(const domain::LockKey &key, qint64 storeUs, Instant now, EngineStep &step)
{
    // Search by key: the table may have lost the lock meanwhile.
    const auto it =
        std::ranges::find_if(m_sent, [&key](const SentRelease &order) { return order.key == key; });
    if (it == m_sent.end())
        return;
    // The agent's estimate of the clock lags by an answer's delay, or follows another server's clock.
    if (const auto forced = m_forced.find(it.key()); forced != m_forced.end() && forced->doneUs != 0)
        forced->doneUs = std::max(forced->doneUs, storeUs);
    if (--it->orders > 0)
        return;
    takeDeferred(stores::Subject(it.key()), now, step);
    m_scheduler.reads().fill(m_context.table, step.pointReads);
}

void PendingReleases::expire(Instant now)
{
    m_forced.removeIf([now](auto order) { return order.value().untilUs < now.monotonicUs; });
}

std::optional<Forced> PendingReleases::takeForced(const LockRecord &record, const stores::Observation &seen,
                                                  const HoldEnding &end, Instant now)
{
    if (m_forced.isEmpty())
        return std::nullopt;
    const auto it = m_forced.find(stores::Subject{record.set, record.name().toByteArray()});
    if (it == m_forced.end() || !isOf(it->identity, record, seen) || it->untilUs < now.monotonicUs)
        return std::nullopt;
    Forced found = std::move(*it);
    found.proven = found.proven && !record.restored;
    m_forced.erase(it);
    if (!found.proven && (end.expired || end.timeUs < found.sentUs))
        return std::nullopt; // it ended by its deadline, or by its holder
    return found;
}

qint64 PendingReleases::brokenUs(const LockRecord &record) const
{
    if (m_forced.isEmpty() || record.ownIdentity)
        return 0;
    const auto it = m_forced.constFind(stores::Subject{record.set, record.name().toByteArray()});
    return it != m_forced.cend() && it->identity == record.identity() ? it->doneUs : 0;
}

bool PendingReleases::awaitsOutcome(const stores::Observation &seen, const Frame &frame) const
{
    if (m_sent.isEmpty())
        return false;
    const auto it = m_sent.constFind({seen.set, seen.name});
    if (it == m_sent.cend())
        return false;
    if (!it->seen.empty())
        return true;
    const quint32 index = m_context.table.find(seen.set, seen.name);
    return index != LockTable::kNone && isOf(it->identity, m_context.table.at(index), seen) &&
           diff(&m_context.table.at(index), seen, frame).end.has_value();
}

void PendingReleases::defer(const stores::Observation &seen, Deferred take, Instant now, EngineStep &step)
{
    const stores::Subject subject{seen.set, seen.name};
    if (const quint32 index = m_context.table.find(seen.set, seen.name); index != LockTable::kNone) {
        LockRecord &record = m_context.table.at(index);
        m_scheduler.reads().settle(record);
        record.scanStamp = m_scheduler.stamp();
    }
    SentRelease &order = m_sent[subject];
    order.seen.push_back(std::move(take));
    if (order.seen.size() >= kMostSeen)
        takeDeferred(subject, now, step);
}

void PendingReleases::takeDeferred(const stores::Subject &subject, Instant now, EngineStep &step)
{
    for (const Deferred &take : m_sent.take(subject).seen)
        take(now, step);
}

bool PendingReleases::hasDeferred() const
{
    return std::ranges::any_of(m_sent, [](const SentRelease &order) { return !order.seen.empty(); });
}

bool PendingReleases::dropDeferred()
{
    const bool any = hasDeferred();
    for (SentRelease &order : m_sent)
        order.seen.clear();
    return any;
}

} // namespace lockkeeper::agent::engine
