// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/lock_observer.h"
#include "agent/engine/scan_scheduler.h"

#include <utility>

/*
 * Whether a lock on several servers is held, and by which client, can depend on servers that can't be
 * reached. Then the answer is unknown. The same applies to a lease that ran out in the sight of a lagging
 * replica. Nothing has begun or ended by that.
 *
 * A record that was held stays as it was, except for its flag, and doesn't count as seen: changes that a
 * later reading shows happened since the last conclusive reading. A lock that wasn't held, or wasn't known,
 * may have been acquired at any time since it was surely free. That time is kept as the earliest beginning of
 * a hold that a later reading finds.
 */
namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::Phase;
using stores::Observation;

namespace {

bool noteNodes(LockRecord &record, const Observation &seen)
{
    if (seen.nodes.isEmpty() && !record.extras)
        return false;
    if (!record.extras)
        record.extras = std::make_unique<Extras>();
    return std::exchange(record.extras->nodes, seen.nodes) != seen.nodes;
}

} // namespace

void LockObserver::showIndeterminate(LockRecord &record, const Observation &seen)
{
    // A release breaks the hold that was read, whichever hold was known before.
    const bool other = record.identity() != seen.identity && (seen.present || !seen.nodes.isEmpty());
    if (!record.isOccupied() || other) {
        record.texts.set(seen.identity, seen.owner, seen.token);
        record.phase = Phase::Unknown;
        record.acquiredBy = Evidence::None;
        record.renewals = 0;
    }
    record.gone = false;
    record.restored = false;
    record.flaw = stores::Flaw::None;
    record.expiry = seen.expiry;
    record.expiresUs = seen.expiresUs;
    record.indeterminate = true;
    noteNodes(record, seen);
}

void LockObserver::leaveIndeterminate(quint32 index, const Observation &seen, const Frame &frame, Instant now,
                                      EngineStep &step)
{
    if (index != LockTable::kNone) {
        LockRecord &record = m_context.table.at(index);
        m_scheduler.reads().settle(record);
        record.scanStamp = m_scheduler.stamp();
        if (!seen.nodes.isEmpty() && record.isOccupied() &&
            !domain::mayBeHeldBy(seen.nodes, record.token())) {
            // This holder has certainly lost its majority, whichever client has the lock now.
            Observation lost = seen;
            lost.flaw = stores::Flaw::None;
            lost.identity = record.identity().toByteArray();
            lost.owner = record.owner().toByteArray();
            lost.token = record.token().toByteArray();
            observe(lost, frame, now, step);
            index = m_context.table.find(seen.set, seen.name);
            if (index != LockTable::kNone && m_context.table.at(index).isOccupied())
                return; // it is read again
        }
    }
    const bool isNew = index == LockTable::kNone;
    if (isNew)
        index = m_context.table.insert(seen.set, seen.name);
    LockRecord &record = m_context.table.at(index);
    const Shown before(record, frame);
    if (!isNew)
        count(record, -1);
    bool changed = !record.indeterminate || record.unseen;
    record.unseen = false;
    if (!record.isOccupied()) {
        const qint64 freeAtUs = isNew                  ? frame.absentSinceUs
                                : record.indeterminate ? record.acquiredUs
                                                       : record.seenBeganUs();
        changed = changed || record.identity() != seen.identity;
        showIndeterminate(record, seen);
        record.acquiredUs = freeAtUs;
        record.seenUs = std::max(record.seenUs, frame.bracket.endedUs);
        record.epoch = frame.epoch;
        record.scanStamp = m_scheduler.stamp();
    }
    record.indeterminate = true;
    changed = noteNodes(record, seen) || changed || isNew;
    count(record, 1);
    if (changed)
        show(record, before, frame, step);
    m_scheduler.schedule(record, index);
}

/** The servers can decide again whether the lock is held, and it wasn't when they last could. Treats the lock
 * as new, but keeps the time since which it may be held. */
Frame LockObserver::forgetIndeterminate(quint32 index, const Observation &seen, Frame frame, EngineStep &step)
{
    LockRecord &record = m_context.table.at(index);
    const Shown before(record, frame);
    m_scheduler.reads().settle(record);
    count(record, -1);
    frame.absentSinceUs = record.acquiredUs;
    frame.shownUnknown = record.journalled;
    record.gone = !seen.present;
    if (record.gone)
        show(record, before, frame, step);
    m_context.table.remove(index);
    return frame;
}

} // namespace lockkeeper::agent::engine
