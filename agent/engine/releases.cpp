// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine_p.h"

#include <algorithm>
#include <utility>

/*
 * A release acts on the store before its outcome is known here: it may still wait for a replica, or for other
 * nodes. What a page or a push shows in between can't be told yet: whether the holder gave the lock back or
 * the command took it is what the outcome says. So the end that an order may have made, and all that is seen
 * of its lock after it, are taken when the outcome has come, each with the bracket in which it was seen.
 */

namespace lockkeeper::agent::engine {

using domain::Link;

namespace {
constexpr qint64 kForcedUs = 30'000'000;
constexpr size_t kMostSeen = 1'000;
} // namespace

void SourceEngine::releaseSent(const domain::LockKey &key, const QByteArray &identity)
{
    const auto subject = subjectOf(key);
    if (!subject)
        return;
    SentRelease &sent = d->sent[*subject];
    sent.identity = identity;
    ++sent.orders;
}

Step SourceEngine::releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                     const QByteArray &command, Instant now)
{
    Step step;
    const auto subject = subjectOf(key);
    if (!subject)
        return step;
    d->forced.insert(*subject, Forced{identity, command, now.monotonicUs + kForcedUs});
    if (d->source.link == Link::Up)
        step.look.append(*subject);
    return step;
}

Step SourceEngine::releaseAnswered(const domain::LockKey &key, Instant now)
{
    Step step;
    const auto subject = subjectOf(key);
    const auto it = subject ? d->sent.find(*subject) : d->sent.end();
    if (it == d->sent.end() || --it->orders > 0)
        return step;
    d->takeDeferred(*subject, now, step);
    d->looks.fill(d->table, step.look);
    return step;
}

/** True where `seen` ends the acquisition that an order in flight is about, or came after such an end. */
bool SourceEngine::Private::awaitsOutcome(const stores::Observation &seen, const Frame &frame) const
{
    if (sent.isEmpty())
        return false;
    const auto it = sent.constFind({seen.set, seen.name});
    if (it == sent.cend())
        return false;
    if (!it->seen.empty())
        return true;
    const quint32 index = table.find(seen.set, seen.name);
    return index != LockTable::kNone && table.at(index).identity() == it->identity &&
           diff(&table.at(index), seen, frame).end.has_value();
}

void SourceEngine::Private::defer(const stores::Observation &seen, Deferred take, Instant now, Step &step)
{
    const stores::Subject subject{seen.set, seen.name};
    if (const quint32 index = table.find(seen.set, seen.name); index != LockTable::kNone) {
        Record &record = table.at(index);
        looks.settle(record);
        record.passStamp = passes.stamp();
    }
    SentRelease &order = sent[subject];
    order.seen.push_back(std::move(take));
    if (order.seen.size() >= kMostSeen)
        takeDeferred(subject, now, step);
}

void SourceEngine::Private::takeDeferred(const stores::Subject &subject, Instant now, Step &step)
{
    for (const Deferred &take : sent.take(subject).seen)
        take(now, step);
}

bool SourceEngine::Private::hasDeferred() const
{
    return std::ranges::any_of(sent, [](const SentRelease &order) { return !order.seen.empty(); });
}

/** What was seen over another link isn't told: the next pass shows what became of it. */
void SourceEngine::Private::dropDeferred()
{
    if (hasDeferred())
        push.whole = false; // changes that nobody has taken
    for (SentRelease &order : sent)
        order.seen.clear();
}

} // namespace lockkeeper::agent::engine
