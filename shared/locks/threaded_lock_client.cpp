// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/threaded_lock_client.h"

#include "shared/stores/end_thread.h"

namespace lockkeeper::locks {

using base::ErrorCode;

void LockWorker::answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease)
{
    AttemptResult result;
    result.lease = lease;
    if (attempt) {
        result.attempt = *attempt;
    } else {
        result.error = attempt.error();
        const ErrorCode code = attempt.error().code;
        if (code == ErrorCode::ConnectionLost || code == ErrorCode::Unreachable ||
            code == ErrorCode::Protocol)
            drop();
    }
    Q_EMIT answered({request, result});
}

void LockWorker::announce(quint64 request, const QByteArray &, const QList<AnnouncedWaiter> &, qint64)
{
    answer(request, tl::unexpected(base::Error{ErrorCode::Unsupported, {}, {}}), {});
}

void LockWorker::forget(const QByteArray &, const QByteArray &) {}

ThreadedLockClient::ThreadedLockClient(std::unique_ptr<LockWorker> worker, const Traits &traits)
    : m_thread(new QThread), m_worker(worker.release()), m_traits(traits)
{
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &LockWorker::answered, this, [this](const WorkerAnswer &answer) {
        const Done done = m_asked.take(answer.request);
        done(answer.result);
    });
    connect(m_worker, &LockWorker::lost, this, &ThreadedLockClient::lost);
    m_thread->start();
}

ThreadedLockClient::~ThreadedLockClient()
{
    m_worker->disconnect(this);
    stores::endThread(m_thread);
}

quint64 ThreadedLockClient::number(Done done)
{
    m_asked.insert(++m_last, std::move(done));
    return m_last;
}

void ThreadedLockClient::tryAcquire(const Lease &wanted, Done done)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = number(std::move(done)), wanted] {
            worker->tryAcquire(request, wanted);
        },
        Qt::QueuedConnection);
}

void ThreadedLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = number(std::move(done)), lease, ttlUs] {
            worker->renew(request, lease, ttlUs);
        },
        Qt::QueuedConnection);
}

void ThreadedLockClient::release(const Lease &lease, Done done)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = number(std::move(done)), lease] { worker->release(request, lease); },
        Qt::QueuedConnection);
}

void ThreadedLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                                  Done done)
{
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = number(std::move(done)), name, waiters, forUs] {
            worker->announce(request, name, waiters, forUs);
        },
        Qt::QueuedConnection);
}

void ThreadedLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, name, id] { worker->forget(name, id); }, Qt::QueuedConnection);
}

} // namespace lockkeeper::locks
