// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QObject>
#include <QTimer>

namespace lockkeeper::base {
struct Error;
}

namespace lockkeeper::locks {

class Holding;
class LockClient;

/**
 * The delay before the `attempt`-th retry, in microseconds: random, up to a bound that doubles each time (50
 * ms, at most 1 s). So clients that were refused together don't retry together.
 * ("Full jitter": M. Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015.)
 */
qint64 backOffUs(int attempt);

/**
 * The handles of one manager that wait for one lock, in a store without a queue. They take turns: only the
 * first handle asks the store. It asks when it becomes the first, when the store or another handle reports
 * that the lock may be free, when the holder's lease is over, and otherwise after a back-off. So the cost of
 * a hand-over doesn't depend on the number of waiters. If the store has a register of waiters
 * (Traits::registers), all handles are registered in it, under the owner's name, from the first refusal on.
 */
class WaitQueue final : public QObject
{
    Q_OBJECT

public:
    WaitQueue(LockClient &client, QByteArray name, QByteArray owner);

    void join(Holding *holding);
    /** To be called when the handle has the lock, has given up, or is being destroyed. */
    void leave(Holding *holding);
    /** To be called when the store has refused the first handle. `freeInUs`: the lock may be free after that
     * time; -1: not known. */
    void refused(qint64 freeInUs);
    /** While a handle of this manager holds the lock, no handle asks for it, unless it can be shared. */
    void setHeldHere(bool held);

Q_SIGNALS:
    /** The waiters couldn't be registered. */
    void unregistered(const lockkeeper::base::Error &why);

private:
    /** The registration of one waiter. */
    struct WaiterEntry
    {
        QByteArray id;
        QElapsedTimer since;
    };

    void askNow();
    void announce();
    void withdraw(const Holding *holding);

    LockClient &m_client;
    QByteArray m_name;
    QByteArray m_owner;
    QList<Holding *> m_waiting;
    QHash<const Holding *, WaiterEntry> m_entries; ///< of the registered handles
    QTimer m_announce;
    QTimer m_again;
    int m_attempts = 0; ///< attempts of the first handle since it was last woken
    bool m_heldHere = false;
    bool m_asked = false; ///< the first handle's request isn't answered yet
    bool m_woken = false; ///< woken while m_asked
    bool m_subscribed = false;
    bool m_hears = false; ///< the subscription is in force
};

} // namespace lockkeeper::locks
