// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include "shared/locks/lock_client.h"

namespace lockkeeper::demo {

namespace {
constexpr quint64 kRequestsPerWorker = 1ull << 32;
constexpr int kAfterErrorMs = 1'000;
} // namespace

Worker::Worker(Habit habit, stores::LockClient *client, quint32 number, QObject *parent)
    : QObject(parent),
      m_habit(std::move(habit)),
      m_client(client),
      m_firstRequest(number * kRequestsPerWorker),
      m_request(m_firstRequest),
      m_random(number + 1)
{
    m_next.setSingleShot(true);
    m_end.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &Worker::acquire);
    connect(&m_end, &QTimer::timeout, this, &Worker::finish);
    connect(&m_renew, &QTimer::timeout, this, [this] {
        if (m_doing != Doing::Holding)
            return;
        m_doing = Doing::Renewing;
        m_client->renew(++m_request, m_lease, qint64(m_habit.ttlMs) * 1'000);
    });
    connect(m_client, &stores::LockClient::answered, this, &Worker::onAnswer);
}

void Worker::start()
{
    m_next.start(between(0, 1'500));
}

int Worker::between(int low, int high)
{
    return high <= low ? low : int(m_random.bounded(low, high));
}

void Worker::acquire()
{
    m_doing = Doing::Acquiring;
    m_client->tryAcquire(++m_request, m_habit.lock, qint64(m_habit.ttlMs) * 1'000);
}

void Worker::onAcquired()
{
    m_doing = Doing::Holding;
    if (m_habit.dies) {
        // The process is gone: nobody renews, nobody releases. The next one comes after the lease.
        m_doing = Doing::Waiting;
        m_next.start(m_habit.ttlMs + between(m_habit.idleMinMs, m_habit.idleMaxMs));
        return;
    }
    if (m_habit.renewEveryMs > 0)
        m_renew.start(m_habit.renewEveryMs);
    if (m_habit.holdMaxMs > 0)
        m_end.start(between(m_habit.holdMinMs, m_habit.holdMaxMs));
}

void Worker::finish()
{
    m_renew.stop();
    if (m_doing == Doing::Renewing) {
        m_end.start(20); // the answer is on its way
        return;
    }
    if (m_doing != Doing::Holding)
        return;
    m_doing = Doing::Releasing;
    m_client->release(++m_request, m_lease);
}

void Worker::onAnswer(const stores::AttemptResult &result)
{
    if (result.request != m_request || result.request <= m_firstRequest)
        return;
    const Doing was = std::exchange(m_doing, Doing::Waiting);
    if (was == Doing::Renewing && !result.error && result.attempt == stores::Attempt::Done) {
        m_lease = result.lease;
        m_doing = Doing::Holding;
        return;
    }
    if (was == Doing::Acquiring && !result.error && result.attempt == stores::Attempt::Done) {
        m_lease = result.lease;
        onAcquired();
        return;
    }
    m_renew.stop();
    m_end.stop();
    if (result.error)
        m_next.start(kAfterErrorMs);
    else if (was == Doing::Acquiring)
        m_next.start(between(m_habit.retryMs / 2, m_habit.retryMs * 2));
    else
        m_next.start(between(m_habit.idleMinMs, m_habit.idleMaxMs));
}

} // namespace lockkeeper::demo
