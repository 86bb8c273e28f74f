// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/wait_queue.h"

#include "shared/locks/holding.h"
#include "shared/locks/lock_client.h"

#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks {

namespace {
constexpr qint64 kFirstBoundUs = 50'000;
constexpr qint64 kLastBoundUs = 1'000'000;
/** Where the store tells of hand-overs but not of leases that ran out. */
constexpr qint64 kUntoldUs = 2'000'000;
} // namespace

qint64 backOffUs(int attempt)
{
    const qint64 bound = std::min(kLastBoundUs, kFirstBoundUs << std::clamp(attempt, 0, 10));
    return 1'000 + QRandomGenerator::global()->bounded(bound);
}

WaitQueue::WaitQueue(LockClient &client, QByteArray name) : m_client(client), m_name(std::move(name))
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &WaitQueue::askNow);
}

void WaitQueue::join(Holding *holding)
{
    m_waiting.append(holding);
    if (m_waiting.size() == 1)
        askNow();
}

void WaitQueue::leave(Holding *holding)
{
    const qsizetype place = m_waiting.indexOf(holding);
    if (place < 0)
        return;
    m_waiting.removeAt(place);
    if (place > 0)
        return;
    m_attempts = 0;
    m_asked = false;
    m_woken = false;
    m_again.stop();
    if (!m_waiting.isEmpty()) {
        // Not from within: the one that leaves may be about to say that it holds the lock.
        m_again.start(0);
    } else if (std::exchange(m_subscribed, false)) {
        m_client.unsubscribe(m_name);
    }
}

void WaitQueue::askNow()
{
    if (m_waiting.isEmpty() || m_heldHere)
        return;
    if (m_asked) {
        m_woken = true;
        return;
    }
    m_again.stop();
    m_asked = true;
    m_waiting.constFirst()->attempt();
}

void WaitQueue::refused(qint64 freeInUs)
{
    m_asked = false;
    if (m_client.traits().wakes && !m_subscribed) {
        m_subscribed = true; // it wakes us once it is in force
        m_client.subscribe(m_name, [this] {
            m_attempts = 0;
            askNow();
        });
    }
    if (std::exchange(m_woken, false)) {
        askNow();
        return;
    }
    qint64 waitUs = m_client.traits().wakes ? kUntoldUs : backOffUs(m_attempts++);
    if (freeInUs >= 0)
        waitUs =
            m_client.traits().wakes ? freeInUs + backOffUs(0) : std::min(waitUs, freeInUs + backOffUs(0));
    m_again.start(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(waitUs)));
}

void WaitQueue::setHeldHere(bool held)
{
    m_heldHere = held;
    if (held) {
        m_again.stop();
    } else {
        m_attempts = 0;
        askNow();
    }
}

} // namespace lockkeeper::locks
