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

/** One acquisition of a lock by this program: what renew() and release() need to prove it. */
struct Lease
{
    QByteArray name;
    QByteArray token; ///< proves ownership; random for each acquisition
    qint64 ttlUs = 0;
    QByteArray proof;   ///< the store's own encoding of what else pins the acquisition
    QByteArray fencing; ///< grows with every acquisition of this lock, as decimal text; empty: there is none
};

/** A fencing token is compared as a number: as text "9" comes after "10". Empty: `text` is none. */
inline std::optional<quint64> fencingNumber(const QByteArray &text)
{
    bool isNumber = false;
    const quint64 number = text.toULongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

/** How an attempt on a lock ended. */
enum class Attempt : quint8 {
    Done = 0, ///< acquired, renewed or released
    Held,     ///< acquiring: somebody else holds it
    Lost,     ///< renew, release: it isn't ours any more
};

struct AttemptResult
{
    Attempt attempt = Attempt::Held;
    /** After Done of acquiring and renew. After an error of acquiring: what may have been taken all the same;
     * without a token nothing was. After one of renew: where there is a proof, what proves the lease from
     * then on. */
    Lease lease = {};
    std::optional<base::Error> error = {}; ///< nothing is known of the attempt beyond this
    qint64 freeInUs = -1; ///< after Held: so much is left of the holder's lease; -1: not told
    qint64 ageUs = 0; ///< after Done of enqueue(): since when, until the answer, the lease's length counts;
                      ///< by a clock that goes on while the machine sleeps
};

/** One who waits for a lock, as others are to see it. */
struct AnnouncedWaiter
{
    QByteArray id;       ///< who it is, for people, and another one for each wait
    qint64 waitedUs = 0; ///< up to now
};

/**
 * One scheme as its own clients speak it, over a connection to one store, opened on first use and again after
 * a failure. Lives in one thread and answers there; every request is answered exactly once and never from
 * within the call, unless the client is destroyed first: then it isn't answered at all.
 *
 * A lease that is asked for names its lock, for how long, and by which token: an empty one gets a new one. A
 * token that holds the lock already takes it again where the scheme counts (Traits::reenters), and finds it
 * held by somebody else where it doesn't.
 */
class LockClient : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const AttemptResult &)>;
    using Wake = std::function<void()>;

    virtual Traits traits() const { return {}; }

    /** Takes the lock for `wanted.ttlUs` where it is free, and leaves nothing where it isn't. */
    virtual void tryAcquire(const Lease &wanted, Done done) = 0;
    /** Moves the deadline to `ttlUs` from now where the lease is still ours. */
    virtual void renew(const Lease &lease, qint64 ttlUs, Done done) = 0;
    /** Gives the lock back where the lease is still ours. */
    virtual void release(const Lease &lease, Done done) = 0;

    /**
     * Traits::queues: stands in the store's own queue until the lock is ours, by a token that isn't empty and
     * doesn't hold it yet.
     * After leave() it answers Held, perhaps with a lease to be given back, or that the lock had become ours.
     */
    virtual void enqueue(const Lease &wanted, Done done) { tryAcquire(wanted, std::move(done)); }
    virtual void leave(const Lease &wanted) { Q_UNUSED(wanted) }

    /**
     * Traits::wakes: `wake` is called, at least once, after each moment at which the lock may have become
     * free, until unsubscribe(); also after a connection that was lost is made again. One a name.
     */
    virtual void subscribe(const QByteArray &name, Wake wake)
    {
        Q_UNUSED(name)
        Q_UNUSED(wake)
    }
    virtual void unsubscribe(const QByteArray &name) { Q_UNUSED(name) }

    /** Traits::registers: shows these beside the lock, for so long unless they are announced again. Done, or
     * an error: they aren't shown. */
    virtual void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                          Done done)
    {
        Q_UNUSED(name)
        Q_UNUSED(waiters)
        Q_UNUSED(forUs)
        Q_UNUSED(done)
    }
    /** … and this one no more. */
    virtual void forget(const QByteArray &name, const QByteArray &id)
    {
        Q_UNUSED(name)
        Q_UNUSED(id)
    }

Q_SIGNALS:
    /** A lease that was ours has ended in the store, or can't be kept any more, and the client knows before
     * anybody asked. */
    void lost(const lockkeeper::locks::Lease &lease);
    /** Another server answers from now on, or the same one over another connection: it may not know what was
     * granted before. */
    void doubted();
};

} // namespace lockkeeper::locks
