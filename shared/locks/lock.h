// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockkeeper::locks {

class Holding;
class LockManager;

/** How a handle holds its lock. */
struct LockOptions
{
    std::chrono::microseconds ttl = std::chrono::seconds(30);
    bool renews = true; ///< automatically, at a third of the TTL
    /** Prefix of the random part of each token. It names the holder for users if the store keeps only the
     * token. Empty: the scheme's own tokens. */
    QByteArray tokenPrefix = {};
};

/**
 * A handle on one lock. It acquires the lock, keeps it by renewing, and releases it when it is destroyed. One
 * handle is one owner: a second handle of the same name is another owner. A handle may acquire its lock again
 * while it holds it, and must then release it as often (depth()).
 *
 * A handle never counts as held past its deadline. That is the moment of the request to the store plus the
 * TTL, minus a hundredth of the TTL and 2 ms for clock drift. Its clock keeps running while the machine
 * sleeps. This doesn't prevent late writes to the protected resource: compare the fencing token there.
 *
 * Made by LockManager::lock(), and lives in its thread. Completions are called there, once, never before the
 * call returns, and not at all for a handle that was destroyed. Any thread may call isHeld(), remaining() and
 * lostToken(). If the manager is destroyed first, its handles are lost. In a forked child a handle isn't
 * held.
 */
class Lock final : public QObject
{
    Q_OBJECT

public:
    /** True: success. False: not acquired within the limit, or lost. An error: nothing more is known. */
    using Done = std::function<void(const base::Result<bool> &)>;

    ~Lock() override;

    QByteArray name() const;

    /** Acquires the lock if it is free. */
    void tryAcquire(Done done);
    /**
     * Waits until the lock is held, `limit` has passed (none: for ever) or a stop is requested. The order is
     * the store's if its scheme has a queue; otherwise the handles of one manager take turns. Until then a
     * store that can't be reached is tried again.
     */
    void acquire(std::optional<std::chrono::milliseconds> limit, Done done, std::stop_token stop = {});
    /** Moves the deadline to one TTL from now. False: the lock was lost. */
    void renew(Done done = {});
    /** Releases the lock; must be called once for each acquisition. False: the lock was no longer ours. */
    void release(Done done = {});

    bool isHeld() const noexcept;
    /** Time until the deadline; 0 while the lock isn't held. */
    std::chrono::microseconds remaining() const noexcept;
    /** The number of acquisitions that weren't released yet. */
    int depth() const;
    /** Grows with every acquisition of this lock; empty if the scheme has no fencing tokens. */
    std::optional<quint64> fencingToken() const;
    /** The token that proves this acquisition in the store. */
    QByteArray token() const;
    /** A stop is requested as soon as this acquisition is lost. */
    std::stop_token lostToken() const;

Q_SIGNALS:
    /** The lock was held and isn't any more, although its owner didn't release it. */
    void lost(const lockkeeper::base::Error &why);

private:
    friend class LockManager;
    explicit Lock(std::unique_ptr<Holding> holding);

    std::unique_ptr<Holding> m_holding;
};

} // namespace lockkeeper::locks
