// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include "shared/locks/lock_client.h"

namespace lockkeeper::demo {

namespace {
constexpr int kAfterErrorMs = 1'000;
} // namespace

Worker::Worker(Habit habit, locks::LockClient *client, quint32 number, QObject *parent)
    : QObject(parent), m_habit(std::move(habit)), m_client(client), m_random(number + 1)
{
    m_next.setSingleShot(true);
    m_end.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &Worker::acquire);
    connect(&m_end, &QTimer::timeout, this, &Worker::finish);
    connect(&m_renew, &QTimer::timeout, this, [this] {
        if (m_doing != Doing::Holding)
            return;
        m_doing = Doing::Renewing;
        m_client->renew(m_lease, qint64(m_habit.ttlMs) * 1'000, onward());
    });
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
    locks::Lease wanted;
    wanted.name = m_habit.lock;
    wanted.ttlUs = qint64(m_habit.ttlMs) * 1'000;
    m_client->tryAcquire(wanted, onward());
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
    m_client->release(m_lease, onward());
}

locks::LockClient::Done Worker::onward()
{
    return [this](const locks::AttemptResult &result) { onAnswer(result); };
}

void Worker::onAnswer(const locks::AttemptResult &result)
{
    const Doing was = std::exchange(m_doing, Doing::Waiting);
    if (was == Doing::Renewing && !result.error && result.attempt == locks::Attempt::Done) {
        m_lease = result.lease;
        m_doing = Doing::Holding;
        return;
    }
    if (was == Doing::Acquiring && !result.error && result.attempt == locks::Attempt::Done) {
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
