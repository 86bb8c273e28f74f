// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QElapsedTimer>
#include <QHash>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

namespace lockkeeper::locks {

struct WorkerAnswer
{
    quint64 request = 0;
    AttemptResult result;
};

/** The blocking half of a ThreadedLockClient: does its requests in a worker thread, over one connection. */
class LockWorker : public QObject
{
    Q_OBJECT

public:
    virtual void tryAcquire(quint64 request, const Lease &wanted) = 0;
    virtual void renew(quint64 request, const Lease &lease, qint64 ttlUs) = 0;
    virtual void release(quint64 request, const Lease &lease) = 0;
    virtual void announce(quint64, const QByteArray &, const QList<AnnouncedWaiter> &, qint64) {}
    virtual void forget(const QByteArray &, const QByteArray &) {}

    /** Carries out one request. If it followed quickly on the previous one, then busy-waits for the next. */
    void carryOut(const std::function<void()> &request);

    std::atomic<quint64> asked = 0; ///< number of requests from the client
    std::atomic<quint64> told = 0;  ///< number of answers
    /** The client was destroyed: of its pending requests, only releases are carried out. */
    std::atomic<bool> ending = false;

Q_SIGNALS:
    void answered(const lockkeeper::locks::WorkerAnswer &answer);
    /** See LockClient::lost(). */
    void lost(const lockkeeper::locks::Lease &lease);

protected:
    void answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease);
    /** Closes a connection that is no longer usable. */
    virtual void drop() = 0;

private:
    QElapsedTimer m_idle;
    quint64 m_carriedOut = 0;
};

/** A client with a worker in a separate thread. After its destruction, pending releases are still sent. */
class ThreadedLockClient final : public LockClient
{
    Q_OBJECT

public:
    ThreadedLockClient(std::unique_ptr<LockWorker> worker, const Traits &traits);
    ~ThreadedLockClient() override;

    Traits traits() const override { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) override;
    void forget(const QByteArray &name, const QByteArray &id) override;

private:
    template <typename Request> void ask(Done done, Request request, bool givesBack = false);
    void take(const WorkerAnswer &answer);

    QThread *m_thread; ///< deletes itself and the worker when it has ended
    LockWorker *m_worker;
    Traits m_traits;
    QHash<quint64, Done> m_asked; ///< not answered yet
    quint64 m_last = 0;
    QElapsedTimer m_sinceAsked;
};

} // namespace lockkeeper::locks
