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
 * Takes locks where a client of one server does it, and which server that is may change. Requests wait while
 * nobody knows it. A client whose server has gone still answers what it was asked, and is asked no more.
 */
class RoutedLockClient : public LockClient
{
    Q_OBJECT

public:
    Traits traits() const final { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) final;
    void renew(const Lease &lease, qint64 ttlUs, Done done) final;
    void release(const Lease &lease, Done done) final;
    /** Who has to leave the queue of a server that isn't asked any more may ask again; its place may be known
     * to the next one, too, and is to be given up there. */
    void enqueue(const Lease &wanted, Done done) final;
    void leave(const Lease &wanted) final;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) final;

protected:
    struct Question
    {
        QByteArray name;
        Attempt otherwise; ///< how it counts where it can't be asked
        std::function<void(LockClient &, Done)> ask;
        Done done;
        int hops = 0;

        void fail(const base::Error &error) const { done({.attempt = otherwise, .error = error}); }
    };

    /** `patienceMs`: after so long a client has answered whatever it was asked. `traits`: of the clients. */
    RoutedLockClient(qint64 patienceMs, const Traits &traits);

    void put(Question question);
    void sendWaiting();
    void failWaiting(const base::Error &error);
    /** Takes over a client that isn't to be asked any more. */
    void retire(LockClient *client);
    /** Whatever came between: the next question finds the server first. */
    static bool isAstray(const AttemptResult &result);

private:
    using Place = std::pair<QByteArray, QByteArray>; ///< a name and a token
    /** Who waits in a queue. */
    struct Queued
    {
        Lease wanted;
        QPointer<LockClient> at = nullptr; ///< null: nobody was asked yet
        bool leaves = false;
        bool moves = false; ///< that one isn't asked any more
    };

    virtual bool isKnown() const = 0;
    /** sendWaiting() or failWaiting() is to follow. */
    virtual void find() = 0;
    virtual void send(const Question &question) = 0;

    qint64 m_patienceMs;
    Traits m_traits;
    QQueue<Question> m_waiting;
    QHash<Place, Queued> m_queued; ///< not answered: who stays in a queue would stay for ever
};

} // namespace lockkeeper::locks::redis
