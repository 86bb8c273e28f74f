// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/hub/fleet_life.h"

#include "tests/benchmarks/journal/taken_lock.h"

#include <cmath>

namespace lockkeeper::bench {

using events::EventKind;

FleetLife::FleetLife(int agent, int locks, qint64 firstUs, qint64 stepUs)
    : m_agent(agent), m_locks(locks), m_nowUs(firstUs), m_stepUs(stepUs), m_random(quint32(agent + 1))
{
}

agent::hub::ForwardingAgent FleetLife::agent() const
{
    return {QStringLiteral("dc%1").arg(m_agent), "journal-" + QByteArray::number(m_agent), 0};
}

agent::hub::HubBatch FleetLife::next(int events)
{
    agent::hub::HubBatch batch;
    batch.fromSeq = m_seq + 1;
    batch.sources = {{1, "orders", "redis"}};
    for (int lock = 1; !m_named && lock <= m_locks; ++lock) {
        agent::journal::StoredLockRow row;
        row.lockId = lock;
        row.sourceId = 1;
        row.key = {QString(), "redis.token", "db0", "lock:order-" + QByteArray::number(lock)};
        batch.locks.append(row);
    }
    m_named = true;
    while (batch.events.size() < events)
        addHold(batch);
    batch.toSeq = m_seq;
    return batch;
}

void FleetLife::addEvent(agent::hub::HubBatch &batch, EventKind kind, qint64 lock, qint64 holder)
{
    agent::journal::EventRow row;
    row.sourceId = 1;
    row.lockId = lock;
    row.event = eventOf(kind, lock, holder, m_nowUs);
    row.event.seq = quint64(++m_seq);
    row.event.observedUs = m_nowUs + 300 + m_random.bounded(2'000);
    row.event.key = {};
    if (row.event.after) {
        row.event.after->key = {};
        row.event.after->seenUs = row.event.observedUs;
    }
    if (kind == EventKind::WaitStart || kind == EventKind::WaitEnd)
        row.event.waiter = "web-" + QByteArray::number(holder % 100) + ":order-service";
    batch.events.append(row);
    m_nowUs += m_stepUs / 2 + m_random.bounded(qint64(m_stepUs));
}

void FleetLife::addHold(agent::hub::HubBatch &batch)
{
    const qint64 lock = 1 + qint64(std::pow(m_random.generateDouble(), 3) * (m_locks - 1));
    const qint64 holder = m_seq + m_agent * 1'000'000'000LL;
    if (m_random.bounded(5) == 0) {
        const agent::hub::HubWait wait{m_seq + 1, lock,
                                       "web-" + QByteArray::number(holder % 100) + ":order-service", m_nowUs,
                                       m_nowUs + m_stepUs};
        addEvent(batch, EventKind::WaitStart, lock, holder);
        addEvent(batch, EventKind::WaitEnd, lock, holder);
        batch.waits.append(wait);
    }
    agent::journal::HoldRow row;
    row.holdId = m_seq + 1;
    row.lockId = lock;
    row.hold.owner = holderName(holder);
    row.hold.fromUs = m_nowUs;
    addEvent(batch, EventKind::Acquired, lock, holder);
    row.hold.toUs = m_nowUs;
    addEvent(batch, EventKind::Released, lock, holder);
    row.hold.end = "released";
    row.endSeq = m_seq;
    batch.holds.append(row);
}

} // namespace lockkeeper::bench
