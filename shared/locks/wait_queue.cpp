// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/wait_queue.h"

#include "shared/base/random_id.h"
#include "shared/locks/holding.h"
#include "shared/locks/lock_client.h"

#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks {

namespace {
constexpr qint64 kFirstBoundUs = 50'000;
constexpr qint64 kLastBoundUs = 1'000'000;
/** Retry interval if the store announces hand-overs but not expired leases, or can't be heard. */
constexpr qint64 kUntoldUs = 2'000'000;
/** Longest wait, however long the holder's lease is: a timer lasts at most 24 days. */
constexpr qint64 kLongestUs = 3'600'000'000;
/** How long a dead waiter is still shown. Live waiters are announced again after a third of it. */
constexpr qint64 kAnnouncedUs = 15'000'000;
} // namespace

qint64 backOffUs(int attempt)
{
    const qint64 bound = std::min(kLastBoundUs, kFirstBoundUs << std::clamp(attempt, 0, 10));
    return 1'000 + QRandomGenerator::global()->bounded(bound);
}

WaitQueue::WaitQueue(LockClient &client, QByteArray name, QByteArray owner)
    : m_client(client), m_name(std::move(name)), m_owner(std::move(owner))
{
    m_announce.setSingleShot(true);
    connect(&m_announce, &QTimer::timeout, this, &WaitQueue::announce);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &WaitQueue::askNow);
}

void WaitQueue::join(Holding *holding)
{
    m_waiting.append(holding);
    if (m_waiting.size() == 1)
        askNow();
    if (m_client.traits().registers && (m_waiting.size() > 1 || m_heldHere))
        m_announce.start(0);
}

void WaitQueue::leave(Holding *holding)
{
    const qsizetype place = m_waiting.indexOf(holding);
    if (place < 0)
        return;
    m_waiting.removeAt(place);
    withdraw(holding);
    if (place > 0)
        return;
    m_attempts = 0;
    m_asked = false;
    m_woken = false;
    m_again.stop();
    if (!m_waiting.isEmpty()) {
        // Ask later: the handle that leaves may be about to report that it holds the lock.
        m_again.start(0);
    } else if (std::exchange(m_subscribed, false)) {
        m_hears = false;
        m_client.unsubscribe(m_name);
    }
}

/** Announces all waiters again: one request for all costs no more than a request for one. */
void WaitQueue::announce()
{
    QList<AnnouncedWaiter> waiters;
    for (const Holding *holding : std::as_const(m_waiting)) {
        WaiterEntry &entry = m_entries[holding];
        if (entry.id.isEmpty()) {
            entry.id = m_owner.left(200) + " #" + base::randomId().left(12);
            entry.since.start();
        }
        waiters.append({entry.id, entry.since.nsecsElapsed() / 1'000});
    }
    if (waiters.isEmpty())
        return;
    m_announce.start(std::chrono::milliseconds(kAnnouncedUs / 3'000));
    m_client.announce(m_name, waiters, kAnnouncedUs,
                      [self = QPointer<WaitQueue>(this)](const AttemptResult &result) {
                          if (result.error && !self.isNull())
                              Q_EMIT self->unregistered(*result.error);
                      });
}

void WaitQueue::withdraw(const Holding *holding)
{
    if (const WaiterEntry entry = m_entries.take(holding); !entry.id.isEmpty())
        m_client.forget(m_name, entry.id);
    if (m_waiting.isEmpty())
        m_announce.stop();
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
    if (m_client.traits().registers && m_entries.isEmpty())
        m_announce.start(0);
    if (m_client.traits().wakes && !m_subscribed) {
        m_subscribed = true; // the subscription also wakes us when it comes into force
        m_client.subscribe(m_name, [this] {
            m_hears = true;
            m_attempts = 0;
            askNow();
        });
    }
    if (std::exchange(m_woken, false)) {
        askNow();
        return;
    }
    qint64 waitUs = m_client.traits().wakes ? kUntoldUs : backOffUs(m_attempts++);
    freeInUs = std::min(freeInUs, kLongestUs);
    if (freeInUs >= 0)
        waitUs = m_hears ? freeInUs + backOffUs(0) : std::min(waitUs, freeInUs + backOffUs(0));
    m_again.start(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(waitUs)));
}

void WaitQueue::setHeldHere(bool held)
{
    m_heldHere = held && !m_client.traits().shares;
    if (m_heldHere) {
        m_again.stop();
    } else if (!held) {
        m_attempts = 0;
        askNow();
    }
}

} // namespace lockkeeper::locks
