// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/observed_table.h"

#include "agent/engine/conditions.h"
#include "agent/engine/engine_context.h"
#include "agent/engine/lock_observer.h"
#include "agent/engine/push_follower.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::LockState;

namespace {

bool sameDeadline(const LockRecord &a, const LockRecord &b)
{
    return a.expiry == domain::ExpiryKind::At && b.expiry == a.expiry && a.server == b.server &&
           a.expiresUs <= b.expiresUs + b.noiseUs && b.expiresUs <= a.expiresUs + a.noiseUs;
}

} // namespace

QList<LockState> ObservedTable::locks() const
{
    quint32 place = 0;
    return locksFrom(place, kNoPlace);
}

QList<LockState> ObservedTable::locksFrom(quint32 &place, quint32 count) const
{
    const LockTable &table = m_context.table;
    QList<LockState> some;
    some.reserve(std::min<qsizetype>(count, table.size()));
    const quint32 end = table.end();
    for (; count > 0 && place < end; --count, ++place) {
        if (table.isUsed(place) && !table.at(place).gone)
            some.append(m_context.builder.stateOf(table.at(place)));
    }
    if (place >= end)
        place = kNoPlace;
    return some;
}

QList<LockState> ObservedTable::journalled() const
{
    QList<LockState> some;
    const LockTable &table = m_context.table;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (table.isUsed(index) && table.at(index).journalled)
            some.append(m_context.builder.stateOf(table.at(index)));
    }
    return some;
}

std::optional<LockState> ObservedTable::lock(const domain::LockKey &key) const
{
    const LockTable &table = m_context.table;
    const auto subject = subjectOf(key);
    if (!subject)
        return std::nullopt;
    return m_context.builder.stateOf(table.at(table.find(subject->set, subject->name)));
}

std::optional<stores::Subject> ObservedTable::subjectOf(const domain::LockKey &key) const
{
    const LockTable &table = m_context.table;
    for (const quint16 set : m_context.builder.setsOf(key)) {
        const QByteArray name = m_context.builder.subjectNameOf(set, key);
        const quint32 index = table.find(set, name);
        if (index != LockTable::kNone && !table.at(index).gone)
            return stores::Subject{set, name};
    }
    return std::nullopt;
}

LockState ObservedTable::stateOf(const stores::Inspection &inspection) const
{
    const LockTable &table = m_context.table;
    const stores::Observation &seen = inspection.lock;
    const quint32 index = table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    LockRecord record = known ? table.at(index).clone() : LockRecord();
    record.unseen = false;
    if (!known) {
        record.texts.setName(seen.name);
        record.set = seen.set;
    }
    const Frame frame = m_follower.frameOf({inspection.storeUs, inspection.storeUs});
    const bool any = seen.present || known;
    if (seen.flaw == stores::Flaw::Indeterminate ||
        (any && mayBeRenewed(known ? &record : nullptr, seen, frame))) {
        LockObserver::showIndeterminate(record, seen);
    } else if (any) {
        record.indeterminate = false;
        record.seenUs = std::min(record.seenUs, inspection.storeUs);
        Verdict verdict = diff(known ? &record : nullptr, seen, frame);
        if (verdict.reading == Interpretation::ReadAgain)
            verdict.end = HoldEnding{};
        absorb(record, seen, frame, verdict);
        Waits waits = waitsOf(known ? &table.at(index) : nullptr, seen, frame, verdict);
        absorbDetails(record, seen, frame, waits);
        noteFreshness(record, seen, frame, !known || verdict.begin);
        if (seen.set < m_context.spec.locks.size())
            record.stuck = stuckReason(record, m_context.spec.locks.at(seen.set), inspection.storeUs);
    }
    // If this may be the table's deadline, it is: some servers recompute it for every reading.
    if (known && sameDeadline(table.at(index), record)) {
        record.expiresUs = table.at(index).expiresUs;
        record.slackUs = table.at(index).slackUs;
    }
    LockState state = m_context.builder.stateOf(record);
    if (!state.guard.isEmpty())
        state.guard = StateBuilder::digestOf(record, inspection.guard);
    return state;
}

domain::WaitGraph ObservedTable::queues() const
{
    constexpr qsizetype kMostEdges = 10'000;
    const LockTable &table = m_context.table;
    domain::WaitGraph graph;
    graph.source = m_context.spec.name;
    graph.beganUs = graph.endedUs = m_context.source.lastSeenUs.value_or(0);
    if (m_context.source.counts.contended == 0)
        return graph;
    QByteArrayList evidence;
    QSet<QByteArray> involved;
    const auto involve = [&graph, &involved](const QByteArray &id) {
        if (involved.contains(id))
            return;
        involved.insert(id);
        graph.sessions.emplaceBack().id = id;
    };
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index) || !table.at(index).extras)
            continue;
        const LockRecord &record = table.at(index);
        QByteArray before = record.isOccupied() ? record.owner().toByteArray() : QByteArray();
        const bool held = !before.isEmpty();
        const bool registered = m_context.spec.locks.at(record.set).waitersRegistered; // in no order
        const QByteArray read = registered ? "registered" : "redisson_lock_queue";
        for (const domain::Waiter &waiter : record.extras->waiters) {
            if (graph.edges.size() == kMostEdges) {
                graph.truncated = true;
                return graph;
            }
            if (!before.isEmpty()) {
                if (!evidence.contains(read))
                    evidence.append(read);
                graph.evidence = evidence.join('+');
                involve(before);
                involve(waiter.id);
                graph.edges.append(
                    {waiter.id, before, m_context.builder.keyOf(record), waiter.sinceUs, waiter.windowUs});
            }
            if (!held && !registered)
                before = waiter.id; // nobody holds it: the first waiter is next
        }
    }
    return graph;
}

void ObservedTable::dateWaits(domain::WaitGraph &graph) const
{
    QHash<domain::LockKey, QHash<QByteArray, const domain::Waiter *>> known;
    for (domain::WaitEdge &edge : graph.edges) {
        if (edge.sinceUs)
            continue;
        auto waiters = known.find(edge.lock);
        if (waiters == known.end()) {
            waiters = known.insert(edge.lock, {});
            const auto subject = subjectOf(edge.lock);
            const Extras *extras =
                subject ? m_context.table.at(m_context.table.find(subject->set, subject->name)).extras.get()
                        : nullptr;
            for (qsizetype i = 0; extras && i < extras->waiters.size(); ++i)
                waiters->insert(extras->waiters.at(i).id, &extras->waiters.at(i));
        }
        const domain::Waiter *waiter = waiters->value(edge.waiterId.isEmpty() ? edge.waiter : edge.waiterId);
        if (!waiter)
            continue;
        edge.sinceUs = waiter->sinceUs;
        edge.windowUs = waiter->windowUs;
    }
}

Ages ObservedTable::ages(Instant now) const
{
    const qint64 nowUs = m_context.eventTimeUs(now);
    const LockTable &table = m_context.table;
    Ages ages;
    for (quint32 index = 0; index < table.end(); ++index) {
        const LockRecord &record = table.at(index);
        if (!table.isUsed(index) || record.gone || !record.isOccupied())
            continue;
        if (record.acquiredUs > 0)
            ages.holdUs = std::max(ages.holdUs, nowUs - record.acquiredUs);
        if (!record.extras)
            continue;
        for (const domain::Waiter &waiter : record.extras->waiters)
            ages.waitUs = std::max(ages.waitUs, nowUs - waiter.sinceUs.value_or(nowUs));
    }
    return ages;
}

qint64 ObservedTable::lastSeenUs() const
{
    const domain::SourceState &source = m_context.source;
    // The pages of an unfinished scan cover only a part of the locks.
    if (!source.lastSeenUs || source.gapSinceUs)
        return source.lastSeenUs.value_or(0);
    return std::max(m_context.clock.lastUs(), *source.lastSeenUs);
}

qint64 ObservedTable::storeNowUs(Instant now) const
{
    return m_context.clock.nowUs(now.monotonicUs);
}

quint64 ObservedTable::missedPushes() const
{
    return m_follower.missed();
}

quint64 ObservedTable::unreadPushes() const
{
    return m_follower.unread();
}

} // namespace lockkeeper::agent::engine
