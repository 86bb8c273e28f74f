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
 * How long to wait before the `attempt`-th try after the first, in microseconds: anything up to a bound that
 * doubles each time (50 ms, at most 1 s), so that those who were refused together don't come back together.
 * ("Full jitter": M. Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015.)
 */
qint64 backOffUs(int attempt);

/**
 * The handles of one manager that wait for one lock, where the store has no queue of its own. They take
 * turns: only the first asks, when it comes first, when the store or another handle says that the lock may be
 * free, when the holder's lease is over, and else after a back-off. So a hand-over costs the same however
 * many wait. Where the store keeps a register of those who wait (Traits::registers) all of them are in it,
 * under the owner's name, from their first refusal on.
 */
class WaitQueue final : public QObject
{
    Q_OBJECT

public:
    WaitQueue(LockClient &client, QByteArray name, QByteArray owner);

    void join(Holding *holding);
    /** It has the lock, gave up, or is going. */
    void leave(Holding *holding);
    /** The first one was told that it isn't free, but may be after `freeInUs`; -1: nobody knows. */
    void refused(qint64 freeInUs);
    /** While a handle of this manager holds the lock nobody asks for it, unless several may hold it. */
    void setHeldHere(bool held);

Q_SIGNALS:
    /** Those who wait aren't registered. */
    void unregistered(const lockkeeper::base::Error &why);

private:
    /** How one is registered. */
    struct Entry
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
    QHash<const Holding *, Entry> m_entries; ///< of those who are registered
    QTimer m_announce;
    QTimer m_again;
    int m_attempts = 0; ///< of the first one, without being woken
    bool m_heldHere = false;
    bool m_asked = false; ///< the first one's question isn't answered
    bool m_woken = false; ///< meanwhile
    bool m_subscribed = false;
    bool m_hears = false; ///< that is in force
};

} // namespace lockkeeper::locks
