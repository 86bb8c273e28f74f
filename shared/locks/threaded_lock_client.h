// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QThread>

#include <memory>

namespace lockkeeper::stores {

/** The blocking half of a ThreadedLockClient: what LockClient does, in a worker thread, with one connection.
 */
class LockWorker : public QObject
{
    Q_OBJECT

public:
    virtual void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) = 0;
    virtual void renew(quint64 request, const Lease &lease, qint64 ttlUs) = 0;
    virtual void release(quint64 request, const Lease &lease) = 0;

Q_SIGNALS:
    void answered(const lockkeeper::stores::AttemptResult &result);

protected:
    void answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease);
    /** Closes a connection that is of no use any more. */
    virtual void drop() = 0;
};

/** A worker in a thread of its own. */
class ThreadedLockClient final : public LockClient
{
    Q_OBJECT

public:
    explicit ThreadedLockClient(std::unique_ptr<LockWorker> worker);
    ~ThreadedLockClient() override;

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    QThread *m_thread; ///< deletes itself and the worker when it has ended
    LockWorker *m_worker;
};

} // namespace lockkeeper::stores
