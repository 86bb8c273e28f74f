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

/** The holder of a lock, as its store shows it. */
struct HolderInfo
{
    QByteArray owner; ///< text for users, as the scheme stores it
    QByteArray token;
    std::optional<quint64> fencing; ///< empty: the scheme has none
    int depth = 1;
    std::optional<std::chrono::microseconds> remaining; ///< time left of the lease; empty: no end, or unknown
    std::optional<std::chrono::microseconds> heldFor;   ///< empty: the store doesn't show it
    std::optional<int> waiters;                         ///< number; empty: the store doesn't show waiters
};

/**
 * The locks of one scheme in one store. All handles share one connection, and their requests of one turn of
 * the event loop are sent together. Lives in the thread that made it.
 */
class LockManager final : public QObject
{
    Q_OBJECT

public:
    static base::Result<std::unique_ptr<LockManager>> open(const StoreOptions &options);
    /** Creates the table that an SQL scheme needs, if it doesn't exist. Blocks. The program must have a
     * Runtime or its own Qt application object. */
    static base::Result<void> createTable(const StoreOptions &options);
    /** `owner`: text for schemes that store the holder in a column, field or value. */
    static base::Result<std::unique_ptr<LockManager>>
    open(const stores::SourceSpec &spec, const stores::LockSet &set, const QByteArray &owner);
    /** Uses an existing client. `clock` must outlive the manager and its handles. */
    LockManager(std::unique_ptr<LockClient> client, const base::Clock *clock,
                QByteArray owner = defaultOwner());
    ~LockManager() override;

    /** Returns a handle that isn't held yet. Fails for a name or a TTL that the store can't keep exactly. */
    base::Result<std::unique_ptr<Lock>> lock(const QByteArray &name, const LockOptions &options = {});

    using HolderRead = std::function<void(const base::Result<std::optional<HolderInfo>> &)>;
    /** Reads the current holder of a lock; empty: it is free. Needs the rights to observe the lock. `done` is
     * called once, later, unless the manager is destroyed. */
    void readHolder(const QByteArray &name, HolderRead done);
    /**
     * Calls `done` once no attempt that may still acquire a lock is in progress, and no release of an
     * unneeded lease. A program can then end without leaving a lock behind. Never calls it before whenIdle()
     * returns.
     */
    void whenIdle(std::function<void()> done);
    /** Ends all waits for locks with an error, because the manager is about to end, and leaves the store's
     * queues. */
    void endWaits();

    /** The abilities and limits of the scheme. */
    Traits traits() const;

    /** "host pid user": names the holder for users. */
    static QByteArray defaultOwner();

Q_SIGNALS:
    /** A danger to held locks: the TTL is less than three round trips. Or: waiters can't be registered. Each
     * is emitted once. */
    void warned(const lockkeeper::base::Error &what);

private:
    friend class Holding;
    /** The handles of one name, which take turns. */
    struct HandleTurns
    {
        std::unique_ptr<WaitQueue> queue;
        int handles = 0;
    };

    void makeQueue(HandleTurns &turns, const QByteArray &name);
    void each(const std::function<void(Holding &)> &act);
    void measured(qint64 roundTripUs, qint64 ttlUs);
    /** Releases a lease that nobody needs. */
    void discard(const Lease &lease);
    /** Changes the number of requests that whenIdle() waits for. */
    void underWay(int change);
    void giveBack(const Lease &lease, qint64 untilUs);
    void removed(Holding *holding);
    void onTick();

    const base::Clock *m_clock;
    std::unique_ptr<LockClient> m_client;
    QByteArray m_owner; ///< names our waiters for users
    QSet<Holding *> m_holdings;
    std::map<QByteArray, HandleTurns> m_turns; ///< by names that have handles
    std::unique_ptr<HolderLookup> m_holders;   ///< null: made with an existing client
    QTimer m_tick;                             ///< active while handles exist
    qint64 m_asleepUs = 0; ///< how far the clock of leases is ahead of the clock of timers
    int m_underWay = 0;
    std::function<void()> m_whenIdle;
    bool m_warned = false;
    bool m_warnedOfWaiters = false;
};

} // namespace lockkeeper::locks
