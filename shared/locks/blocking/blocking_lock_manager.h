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
 * A LockManager for programs without an event loop, to be used from any thread. What it warns of is logged.
 * Its locks have to end before it, and it before its Runtime. Its end ends the waits for its locks, and waits
 * until nothing is under way any more that may take a lock or give one back, at most the time-outs of
 * StoreOptions.
 */
class BlockingLockManager final
{
public:
    static base::Result<std::unique_ptr<BlockingLockManager>> open(Runtime &runtime,
                                                                   const StoreOptions &options);
    ~BlockingLockManager();
    Q_DISABLE_COPY_MOVE(BlockingLockManager)

    /** A handle, not held yet. Refused: a name or a TTL that the store can't keep exactly. */
    base::Result<std::unique_ptr<BlockingLock>> lock(const std::string &name,
                                                     const LockOptions &options = {});

    /**
     * Runs `act` with the handle while the lock is held, and gives the lock back afterwards, also where `act`
     * throws. False: somebody else held it until `limit`, and `act` didn't run. `act` checks isHeld() or
     * lostToken() where it may outlast the lease.
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

    /** The abilities and the limits of the scheme. */
    Traits traits() const;

    /** Reads who holds a lock now; nobody: it is free. Needs the rights to observe it. */
    base::Result<std::optional<HolderInfo>> readHolder(const std::string &name);

    /**
     * sql.version, which nobody holds: reads the version, runs `change`, and increments the version where
     * nobody else has since then; else all of it again, `attempts` times in all. False: somebody else was
     * faster each time.
     */
    base::Result<bool> compareAndIncrement(const std::string &name, const std::function<void()> &change,
                                           int attempts = 10);

private:
    BlockingLockManager(std::shared_ptr<EventThread> thread, LockManager *manager,
                        std::chrono::milliseconds patience);

    std::shared_ptr<EventThread> m_thread;
    LockManager *m_manager; ///< lives in the thread, and as long as the thread at most
    std::chrono::milliseconds m_patience;
};

} // namespace lockkeeper::locks
