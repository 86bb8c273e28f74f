// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/locks/blocking/blocking_lock.h"
#include "shared/locks/blocking/runtime.h"
#include "shared/locks/lock.h"
#include "shared/locks/store_options.h"
#include "shared/locks/traits.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockkeeper::locks {

class LockManager;
struct HolderInfo;

/**
 * A LockManager for programs without an event loop; any thread may use it. Warnings are logged. Destroy its
 * locks before it, and it before its Runtime. The destructor ends the waits for its locks. Then it waits
 * until no request that may acquire or release a lock is in progress, at most for the time-outs of
 * StoreOptions.
 */
class BlockingLockManager final
{
public:
    static base::Result<std::unique_ptr<BlockingLockManager>> open(Runtime &runtime,
                                                                   const StoreOptions &options);
    ~BlockingLockManager();
    Q_DISABLE_COPY_MOVE(BlockingLockManager)

    /** Returns a handle that isn't held yet. Fails for a name or a TTL that the store can't keep exactly. */
    base::Result<std::unique_ptr<BlockingLock>> lock(const std::string &name,
                                                     const LockOptions &options = {});

    /**
     * Runs `act` with the handle while the lock is held, and releases the lock afterwards, even if `act`
     * throws. False: another owner held the lock until `limit`, and `act` didn't run. If `act` may outlast
     * the lease, it must check isHeld() or lostToken().
     */
    template <typename Act>
    base::Result<bool> withLock(const std::string &name, std::optional<std::chrono::milliseconds> limit,
                                Act &&act, const LockOptions &options = {})
    {
        const auto handle = lock(name, options);
        if (!handle)
            return tl::unexpected(handle.error());
        const auto held = (*handle)->acquire(limit);
        if (held && *held)
            std::invoke(std::forward<Act>(act), **handle);
        return held;
    }

    /** The abilities and limits of the scheme. */
    Traits traits() const;

    /** Reads the current holder of a lock; empty: it is free. Needs the rights to observe the lock. */
    base::Result<std::optional<HolderInfo>> readHolder(const std::string &name);

    /**
     * For sql.version, whose locks nobody holds. Reads the version, runs `change`, and increments the version
     * unless another client has done so meanwhile. In that case it repeats everything, up to `attempts` times
     * in all. False: another client was faster each time.
     */
    base::Result<bool> compareAndIncrement(const std::string &name, const std::function<void()> &change,
                                           int attempts = 10);

private:
    BlockingLockManager(std::shared_ptr<EventThread> thread, LockManager *manager,
                        std::chrono::milliseconds patience);

    std::shared_ptr<EventThread> m_thread;
    LockManager *m_manager; ///< lives in the thread, and ends with it at the latest
    std::chrono::milliseconds m_patience;
};

} // namespace lockkeeper::locks
