// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/conditions.h"
#include "agent/engine/source_engine_p.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::engine {

using events::Kind;

void LookQueue::add(Record &record, quint32 index)
{
    if (record.lookQueued || record.lookAsked)
        return;
    record.lookQueued = true;
    m_waiting.push_back(index);
}

void LookQueue::settle(Record &record)
{
    if (!record.lookAsked)
        return;
    record.lookAsked = false;
    --m_underWay;
    ++m_settled;
}

void LookQueue::fill(LockTable &table, QList<stores::Subject> &look)
{
    while (!m_waiting.empty() && m_underWay < kUnderWay && look.size() < kPage) {
        const quint32 index = m_waiting.front();
        m_waiting.pop_front();
        if (index >= table.end() || !table.isUsed(index) || !table.at(index).lookQueued)
            continue;
        Record &record = table.at(index);
        record.lookQueued = false;
        record.lookAsked = true;
        ++m_underWay;
        look.append(stores::Subject{record.set, record.name().toByteArray()});
    }
}

void LookQueue::clear(LockTable &table)
{
    m_waiting.clear();
    m_underWay = m_settled = 0;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (table.isUsed(index))
            table.at(index).lookAsked = table.at(index).lookQueued = false;
    }
}

void LookQueue::checkStalled(LockTable &table)
{
    const bool stalled = std::exchange(m_settled, 0) == 0 && m_underWay > 0;
    if (!stalled)
        return;
    m_underWay = 0;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index) || !table.at(index).lookAsked)
            continue;
        table.at(index).lookAsked = false;
        add(table.at(index), index);
    }
}

void SourceEngine::Private::schedule(Record &record, quint32 index)
{
    // What can't be decided isn't asked again before the next pass: its servers are away.
    const qint64 next =
        record.undecided ? kNever : nextLookUs(record, spec.locks.at(record.set), record.seenUs);
    deadlines.arm(record, index, clock.ofServer(record.server, next));
}

void SourceEngine::Private::startPass(Instant now, Step &step)
{
    passes.begin(now.monotonicUs);
    step.pass = true;
}

void SourceEngine::Private::dueLooks(Instant now, Step &step)
{
    const qint64 storeUs = clock.nowUs(now.monotonicUs);
    for (quint32 i = deadlines.takeDue(table, storeUs); i != LockTable::kNone;
         i = deadlines.takeDue(table, storeUs))
        looks.add(table.at(i), i);
    looks.fill(table, step.look);
}

/**
 * What a whole pass didn't show is asked for by name before anything is said about it: SCAN promises only
 * what was there all the time, and a lock may have been released and acquired again meanwhile.
 */
void SourceEngine::Private::finishPass(const stores::PassEnd &end, Step &step)
{
    for (quint32 index = table.nextBusy(0, end.heldOnly); index < table.end();
         index = table.nextBusy(index + 1, end.heldOnly)) {
        if (!table.isUsed(index))
            continue;
        Record &record = table.at(index);
        if (!record.gone && record.phase != domain::Phase::Held)
            table.setIdle(index); // of a million free locks only those are looked at that have changed
        if (record.passStamp == passes.stamp())
            continue;
        if (end.covers && !end.covers({record.set, record.name().toByteArray()}))
            continue; // nobody looked there
        if (!record.gone && record.phase != domain::Phase::Held && end.heldOnly.contains(record.set))
            continue; // nor at what nobody held
        if (!blind.isEmpty() && isPolled({record.set, record.name().toByteArray()})) {
            record.pushed = false; // what it was told to be says nothing of what it is
            record.passStamp = 0;
        }
        if (!record.gone) {
            looks.add(record, index);
        } else if (record.seenUs <= end.beganUs) {
            looks.settle(record);
            table.remove(index);
        }
    }
    covers = end.covers;
    absentSinceUs = end.beganUs;
    if (!covers)
        wholeSinceUs = end.beganUs;
    returned.removeIf([this](const Returned &server) { return server.at != passes.stamp(); });
    if (push.on && passes.stamp() >= push.wholeAt)
        push.whole = true;
    source.lastSeenUs = end.endedUs;
    source.passUs = end.endedUs - end.beganUs;
    backoff.reset();
    if (source.gapSinceUs && passes.stamp() >= push.wholeAt) {
        source.gapSinceUs.reset();
        step.events.append(builder.ofSource(Kind::GapClosed, end.endedUs, end.endedUs));
    }
    closeParts(end, step);
}

/** Sightings from before the clock was set back would look like the future: they are dated anew. */
void SourceEngine::Private::clockSetBack(qint64 toUs)
{
    deadlines.clear();
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index))
            continue;
        Record &record = table.at(index);
        record.seenUs = std::min(record.seenUs, toUs);
        record.quietSinceUs = std::min(record.quietSinceUs, toUs);
        record.dueUs = record.queuedUs = kNever;
        schedule(record, index);
    }
    absentSinceUs = std::min(absentSinceUs, toUs);
    wholeSinceUs = std::min(wholeSinceUs, toUs);
}

} // namespace lockkeeper::agent::engine
