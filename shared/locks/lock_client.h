// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/locks/traits.h"

#include <QByteArray>
#include <QList>
#include <QObject>

#include <functional>
#include <optional>

namespace lockkeeper::locks {

/** One acquisition of a lock by this program, with the data that renew() and release() need to prove it. */
struct Lease
{
    QByteArray name;
    QByteArray token; ///< proves ownership; random for each acquisition
    qint64 ttlUs = 0;
    QByteArray proof;   ///< further data that identifies the acquisition, in the store's encoding
    QByteArray fencing; ///< grows with every acquisition of this lock, as decimal text; empty: none
};

/** A fencing token as a number, because as text "9" would come after "10". Empty: `text` isn't a number. */
inline std::optional<quint64> fencingNumber(const QByteArray &text)
{
    bool isNumber = false;
    const quint64 number = text.toULongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

/** The result of an attempt on a lock. */
enum class Attempt : quint8 {
    Done = 0, ///< acquired, renewed or released
    Held,     ///< acquire: another owner holds the lock
    Lost,     ///< renew, release: the lease is no longer ours
};

struct AttemptResult
{
    Attempt attempt = Attempt::Held;
    /** Set after a successful acquisition or renewal. After an error of an acquisition: the lease that may
     * have been acquired nevertheless; without a token, none was. After an error of a renewal: if the proof
     * is set, it is the lease's proof from then on. */
    Lease lease = {};
    std::optional<base::Error> error = {}; ///< if set, nothing else is known of the attempt
    qint64 freeInUs = -1;                  ///< after Held: time left of the holder's lease; -1: not known
    /** After Done of enqueue(): the lease's age at the answer, by a clock that keeps running while the
     * machine sleeps. */
    qint64 ageUs = 0;
};

/** A waiter for a lock, as shown to observers. */
struct AnnouncedWaiter
{
    QByteArray id;       ///< names the waiter for users; unique for each wait
    qint64 waitedUs = 0; ///< time waited until now
};

/**
 * A client of one scheme in one store, which acts as the scheme's own clients do. Connects on first use and
 * again after a failure. Lives in one thread and answers there. Every request is answered exactly once, and
 * never before the call returns. If the client is destroyed first, the request isn't answered at all.
 *
 * A requested lease names the lock, the TTL and the token; for an empty token the client makes a new one. If
 * the token already holds the lock, a scheme that counts entries (Traits::reenters) acquires it once more;
 * any other scheme answers Held.
 */
class LockClient : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const AttemptResult &)>;
    using Wake = std::function<void()>;

    virtual Traits traits() const { return {}; }

    /** Acquires the lock for `wanted.ttlUs` if it is free. Otherwise leaves nothing in the store. */
    virtual void tryAcquire(const Lease &wanted, Done done) = 0;
    /** Moves the deadline to `ttlUs` from now if the lease is still ours. */
    virtual void renew(const Lease &lease, qint64 ttlUs, Done done) = 0;
    /** Releases the lock if the lease is still ours. */
    virtual void release(const Lease &lease, Done done) = 0;

    /**
     * Traits::queues: waits in the store's queue until the lock is acquired. The token must not be empty and
     * must not hold the lock yet. After leave() the answer is Held, perhaps with a lease that the caller must
     * release, or Done if the lock was already acquired.
     */
    virtual void enqueue(const Lease &wanted, Done done) { tryAcquire(wanted, std::move(done)); }
    virtual void leave(const Lease &wanted) { Q_UNUSED(wanted) }

    /**
     * Traits::wakes: calls `wake` at least once after each moment at which the lock may have become free, and
     * after a lost connection was restored, until unsubscribe(). One subscription per name.
     */
    virtual void subscribe(const QByteArray &name, Wake wake)
    {
        Q_UNUSED(name)
        Q_UNUSED(wake)
    }
    virtual void unsubscribe(const QByteArray &name) { Q_UNUSED(name) }

    /** Traits::registers: shows these waiters beside the lock for `forUs`; announce them again to extend
     * that. After an error they aren't shown. */
    virtual void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                          Done done)
    {
        Q_UNUSED(name)
        Q_UNUSED(waiters)
        Q_UNUSED(forUs)
        Q_UNUSED(done)
    }
    /** Stops showing this waiter. */
    virtual void forget(const QByteArray &name, const QByteArray &id)
    {
        Q_UNUSED(name)
        Q_UNUSED(id)
    }

Q_SIGNALS:
    /** One of our leases has ended in the store, or can't be kept any more. The client found this out without
     * a request. */
    void lost(const lockkeeper::locks::Lease &lease);
    /** From now on another server answers, or the same server over a new connection. It may not know the
     * leases that were granted before. */
    void doubted();
};

} // namespace lockkeeper::locks
