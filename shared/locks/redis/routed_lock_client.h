// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"

#include <QHash>
#include <QPointer>
#include <QQueue>

#include <functional>
#include <utility>

namespace lockkeeper::locks::redis {

/**
 * Acquires locks through a client of one server, where the server may change. Requests wait while the server
 * isn't known. A client whose server has changed still answers its requests, but gets no new ones.
 */
class RoutedLockClient : public LockClient
{
    Q_OBJECT

public:
    Traits traits() const final { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) final;
    void renew(const Lease &lease, qint64 ttlUs, Done done) final;
    void release(const Lease &lease, Done done) final;
    /** If the server changes, the waiter leaves its queue and may ask again. The new server may know the
     * place, too, so the answer contains a lease by which the caller must release it there. */
    void enqueue(const Lease &wanted, Done done) final;
    void leave(const Lease &wanted) final;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) final;

protected:
    struct RoutedCall
    {
        QByteArray name;
        Attempt otherwise; ///< the answer if no server can be asked
        std::function<void(LockClient &, Done)> ask;
        Done done;
        int hops = 0;

        void fail(const base::Error &error) const { done({.attempt = otherwise, .error = error}); }
    };

    /** `patienceMs`: time in which a client has answered all its requests. `traits`: those of the clients. */
    RoutedLockClient(qint64 patienceMs, const Traits &traits);

    void put(RoutedCall question);
    void sendWaiting();
    void failWaiting(const base::Error &error);
    /** Takes ownership of a client that gets no more requests. */
    void retire(LockClient *client);
    /** True if the error means that the server must be found again before the next request. */
    static bool mustReroute(const AttemptResult &result);

private:
    using Place = std::pair<QByteArray, QByteArray>; ///< a name and a token
    /** A waiter in a queue. */
    struct Queued
    {
        Lease wanted;
        QPointer<LockClient> at = nullptr; ///< null: no client was asked yet
        bool leaves = false;
        bool moves = false; ///< `at` gets no more requests
    };

    virtual bool isKnown() const = 0;
    /** Must be followed by sendWaiting() or failWaiting(). */
    virtual void find() = 0;
    virtual void send(const RoutedCall &question) = 0;

    qint64 m_patienceMs;
    Traits m_traits;
    QQueue<RoutedCall> m_waiting;
    QHash<Place, Queued> m_queued; ///< unanswered waits; a forgotten one would stay in its queue for ever
};

} // namespace lockkeeper::locks::redis
