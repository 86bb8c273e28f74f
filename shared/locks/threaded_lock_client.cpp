// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/threaded_lock_client.h"

#include "shared/base/busy_wait.h"
#include "shared/stores/end_thread.h"

#include <QPointer>

namespace lockkeeper::locks {

using base::ErrorCode;

namespace {
// These times include the sleep before the event, which the busy wait then saves.
constexpr qint64 kNearRequestUs = 100;
constexpr qint64 kNearAnswerUs = 400;
} // namespace

void LockWorker::answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease)
{
    AttemptResult result;
    result.lease = lease;
    if (attempt) {
        result.attempt = *attempt;
    } else {
        result.error = attempt.error();
        const ErrorCode code = attempt.error().code;
        // If the server has become read-only, its address may lead to another server by now.
        if (code == ErrorCode::ConnectionLost || code == ErrorCode::Unreachable ||
            code == ErrorCode::Protocol || code == ErrorCode::ReadOnly)
            drop();
    }
    Q_EMIT answered({request, result});
    ++told;
}

void LockWorker::carryOut(const std::function<void()> &request)
{
    const bool isNear = m_idle.isValid() && m_idle.nsecsElapsed() < kNearRequestUs * 1'000;
    request();
    ++m_carriedOut;
    m_idle.start();
    if (isNear)
        base::busyWait(kNearRequestUs, [this] { return asked != m_carriedOut; });
}

ThreadedLockClient::ThreadedLockClient(std::unique_ptr<LockWorker> worker, const Traits &traits)
    : m_thread(new QThread), m_worker(worker.release()), m_traits(traits)
{
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &LockWorker::answered, this, &ThreadedLockClient::take);
    connect(m_worker, &LockWorker::lost, this, &ThreadedLockClient::lost);
    m_thread->start();
}

ThreadedLockClient::~ThreadedLockClient()
{
    m_worker->disconnect(this);
    m_worker->ending = true;
    QMetaObject::invokeMethod(
        m_worker, [thread = m_thread] { thread->quit(); }, Qt::QueuedConnection);
    stores::awaitThread(m_thread);
}

template <typename Request> void ThreadedLockClient::ask(Done done, Request request, bool givesBack)
{
    const quint64 number = ++m_last;
    if (done)
        m_asked.insert(number, std::move(done));
    m_sinceAsked.start();
    ++m_worker->asked;
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, number, givesBack, request = std::move(request)] {
            if (givesBack || !worker->ending)
                worker->carryOut([&] { request(*worker, number); });
        },
        Qt::QueuedConnection);
}

/** Calls the completion. If the caller sends a new request in it, and answers come quickly, busy-waits for
 * the next answer instead of sleeping. */
void ThreadedLockClient::take(const WorkerAnswer &answer)
{
    const bool isNear = m_sinceAsked.nsecsElapsed() < kNearAnswerUs * 1'000;
    const quint64 asked = m_worker->asked;
    const quint64 told = m_worker->told;
    const QPointer<ThreadedLockClient> self(this); // the completion may destroy this
    const Done done = m_asked.take(answer.request);
    done(answer.result);
    if (self && isNear && m_worker->asked != asked)
        base::busyWait(kNearAnswerUs, [&] { return m_worker->told != told; });
}

void ThreadedLockClient::tryAcquire(const Lease &wanted, Done done)
{
    ask(std::move(done),
        [wanted](LockWorker &worker, quint64 request) { worker.tryAcquire(request, wanted); });
}

void ThreadedLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    ask(std::move(done),
        [lease, ttlUs](LockWorker &worker, quint64 request) { worker.renew(request, lease, ttlUs); });
}

void ThreadedLockClient::release(const Lease &lease, Done done)
{
    ask(
        std::move(done), [lease](LockWorker &worker, quint64 request) { worker.release(request, lease); },
        true);
}

void ThreadedLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                                  Done done)
{
    ask(std::move(done), [name, waiters, forUs](LockWorker &worker, quint64 request) {
        worker.announce(request, name, waiters, forUs);
    });
}

void ThreadedLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    ask({}, [name, id](LockWorker &worker, quint64) { worker.forget(name, id); });
}

} // namespace lockkeeper::locks
