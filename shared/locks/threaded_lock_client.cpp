// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/threaded_lock_client.h"

#include "shared/stores/end_thread.h"

namespace lockkeeper::stores {

using base::ErrorCode;

void LockWorker::answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease)
{
    AttemptResult result;
    result.request = request;
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
    Q_EMIT answered(result);
}

ThreadedLockClient::ThreadedLockClient(std::unique_ptr<LockWorker> worker)
    : m_thread(new QThread), m_worker(worker.release())
{
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &LockWorker::answered, this, &LockClient::answered);
    m_thread->start();
}

ThreadedLockClient::~ThreadedLockClient()
{
    m_worker->disconnect(this);
    endThread(m_thread);
}

void ThreadedLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, name, ttlUs] { worker->tryAcquire(request, name, ttlUs); },
        Qt::QueuedConnection);
}

void ThreadedLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, lease, ttlUs] { worker->renew(request, lease, ttlUs); },
        Qt::QueuedConnection);
}

void ThreadedLockClient::release(quint64 request, const Lease &lease)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, lease] { worker->release(request, lease); },
        Qt::QueuedConnection);
}

} // namespace lockkeeper::stores
