// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"

#include <QRandomGenerator>

namespace lockkeeper::bench {

/**
 * One agent's journal over a month: Redis leases of 30 s on `locks` locks, each hold with another owner, some
 * locks much busier than others; every fifth hold follows a wait.
 */
class FleetLife
{
public:
    FleetLife(int agent, int locks, qint64 firstUs, qint64 stepUs);

    agent::hub::ForwardingAgent agent() const;
    /** The next batch of about that many events. */
    agent::hub::HubBatch next(int events);

private:
    void addHold(agent::hub::HubBatch &batch);
    void addEvent(agent::hub::HubBatch &batch, events::EventKind kind, qint64 lock, qint64 holder);

    int m_agent;
    int m_locks;
    qint64 m_nowUs;
    qint64 m_stepUs;
    qint64 m_seq = 0;
    bool m_named = false;
    QRandomGenerator m_random;
};

} // namespace lockkeeper::bench
