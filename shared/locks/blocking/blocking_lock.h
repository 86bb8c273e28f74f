// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QtGlobal>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace lockkeeper::locks {

class EventThread;
class Lock;

/**
 * A Lock with blocking calls: a handle on one lock, and one owner. Any thread may call it, but not a callback
 * of lostToken(), which runs in the thread that delivers the answers. While one thread waits in acquire(),
 * acquire() fails in other threads.
 *
 * The lock is renewed automatically until release() or the destructor releases it. The destructor waits for
 * the store's answer, at most for the time-outs of StoreOptions.
 */
class BlockingLock final
{
public:
    ~BlockingLock();
    Q_DISABLE_COPY_MOVE(BlockingLock)

    std::string name() const;

    /** Acquires the lock if it is free. False: another owner holds it. */
    base::Result<bool> tryAcquire();
    /** Waits until the lock is held, `limit` has passed (none: for ever) or a stop is requested. */
    base::Result<bool> acquire(std::optional<std::chrono::milliseconds> limit = {},
                               std::stop_token stop = {});
    /** Moves the deadline to one TTL from now. False: the lock was lost. */
    base::Result<bool> renew();
    /** Releases the lock; must be called once for each acquisition. False: the lock was no longer ours. */
    base::Result<bool> release();

    bool isHeld() const noexcept;
    /** Time until the deadline; 0 while the lock isn't held. */
    std::chrono::microseconds remaining() const noexcept;
    /** A stop is requested as soon as this acquisition is lost. */
    std::stop_token lostToken() const;
    /** The number of acquisitions that weren't released yet. */
    int depth() const;
    /** Grows with every acquisition of this lock; empty if the scheme has no fencing tokens. */
    std::optional<quint64> fencingToken() const;

private:
    friend class BlockingLockManager;
    BlockingLock(std::shared_ptr<EventThread> thread, std::unique_ptr<Lock> lock, bool givesBack);

    using Done = std::function<void(const base::Result<bool> &)>;
    base::Result<bool> ask(std::function<void(Lock &, Done)> question);

    std::shared_ptr<EventThread> m_thread;
    std::unique_ptr<Lock> m_lock; ///< lives in the thread
    bool m_givesBack;             ///< the destructor releases a held lock
};

} // namespace lockkeeper::locks
