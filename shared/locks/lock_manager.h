// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock.h"
#include "shared/locks/traits.h"

#include <QSet>
#include <QTimer>

#include <map>
#include <memory>

namespace lockkeeper::base {
class Clock;
}
namespace lockkeeper::stores {
struct LockSet;
struct SourceSpec;
} // namespace lockkeeper::stores

namespace lockkeeper::locks {

class HolderLookup;
class LockClient;
class WaitQueue;
struct Lease;
struct StoreOptions;

/** Who holds a lock, as its store tells it. */
struct HolderInfo
{
    QByteArray owner; ///< as the scheme has it, for people
    QByteArray token;
    std::optional<quint64> fencing; ///< empty: the scheme has none
    int depth = 1;
    std::optional<std::chrono::microseconds> remaining; ///< of its lease; none: it has no end, or isn't told
    std::optional<std::chrono::microseconds> heldFor;   ///< where the store tells it
    std::optional<int> waiters;                         ///< where the store tells them
};

/**
 * The locks of one scheme in one store, over one connection that its handles share: what they ask for in one
 * turn of the event loop goes out together. Lives in the thread that made it.
 */
class LockManager final : public QObject
{
    Q_OBJECT

public:
    static base::Result<std::unique_ptr<LockManager>> open(const StoreOptions &options);
    /** Creates the table that an SQL scheme needs where it isn't there. Blocks; a Runtime has to be there, or
     * the application object of the program. */
    static base::Result<void> createTable(const StoreOptions &options);
    /** `owner` is what schemes with a holder column, field or value of their own write there. */
    static base::Result<std::unique_ptr<LockManager>>
    open(const stores::SourceSpec &spec, const stores::LockSet &set, const QByteArray &owner);
    /** Over a client that is there already; `clock` has to outlive it and its handles. */
    LockManager(std::unique_ptr<LockClient> client, const base::Clock *clock,
                QByteArray owner = defaultOwner());
    ~LockManager() override;

    /** A handle, not held yet. Refused: a name or a TTL that the store can't keep exactly. */
    base::Result<std::unique_ptr<Lock>> lock(const QByteArray &name, const LockOptions &options = {});

    using HolderRead = std::function<void(const base::Result<std::optional<HolderInfo>> &)>;
    /** Reads who holds a lock now; nobody: it is free. Needs the rights to observe it. `done` is called once,
     * later, unless this is destroyed. */
    void readHolder(const QByteArray &name, HolderRead done);
    /**
     * Calls back once no attempt is under way that may still take a lock, nor anything that gives back what
     * nobody has a use for: then a program may end without leaving a lock behind. Never from within.
     */
    void whenIdle(std::function<void()> done);
    /** Tells all who wait for a lock that this is about to end, and leaves the queues that they stand in. */
    void endWaits();

    /** What the scheme offers. */
    Traits traits() const;

    /** "host pid user", for people who ask who holds a lock. */
    static QByteArray defaultOwner();

Q_SIGNALS:
    /** Something that endangers a lock though it is held: a TTL below three round trips. Or that those who
     * wait can't be registered. Each once. */
    void warned(const lockkeeper::base::Error &what);

private:
    friend class Holding;
    /** The handles of one name take turns. */
    struct Turns
    {
        std::unique_ptr<WaitQueue> queue;
        int handles = 0;
    };

    void makeQueue(Turns &turns, const QByteArray &name);
    void each(const std::function<void(Holding &)> &act);
    void measured(qint64 roundTripUs, qint64 ttlUs);
    /** Gives back what nobody has a use for. */
    void discard(const Lease &lease);
    /** Of the requests that whenIdle() waits for: so many more, or less. */
    void underWay(int change);
    void giveBack(const Lease &lease, qint64 untilUs);
    void removed(Holding *holding);
    void onTick();

    const base::Clock *m_clock;
    std::unique_ptr<LockClient> m_client;
    QByteArray m_owner; ///< for people who ask who waits
    QSet<Holding *> m_holdings;
    std::map<QByteArray, Turns> m_turns;     ///< of the names that have a handle
    std::unique_ptr<HolderLookup> m_holders; ///< null: over a client that was there already
    QTimer m_tick;                           ///< while there are handles
    qint64 m_asleepUs = 0;                   ///< how far the clock of leases is ahead of that of timers
    int m_underWay = 0;
    std::function<void()> m_whenIdle;
    bool m_warned = false;
    bool m_warnedOfWaiters = false;
};

} // namespace lockkeeper::locks
