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
 * A Lock whose calls wait for their answer: a handle on one lock, and one owner. From any thread, but not
 * from a callback of lostToken(), which runs where the answers come from. Where somebody waits already in
 * acquire(), another's call of it is refused.
 *
 * It is renewed by itself until it is given back, by release() or by its end, which waits for the store to
 * answer, at most the time-outs of StoreOptions.
 */
class BlockingLock final
{
public:
    ~BlockingLock();
    Q_DISABLE_COPY_MOVE(BlockingLock)

    std::string name() const;

    /** Takes the lock where it is free. False: somebody else holds it. */
    base::Result<bool> tryAcquire();
    /** Waits until the lock is held, `limit` has passed (none: for ever) or a stop is requested. */
    base::Result<bool> acquire(std::optional<std::chrono::milliseconds> limit = {},
                               std::stop_token stop = {});
    /** Moves the deadline to a TTL from now. False: it was lost. */
    base::Result<bool> renew();
    /** Gives it back, once for each time it was taken. False: it wasn't ours any more. */
    base::Result<bool> release();

    bool isHeld() const noexcept;
    /** Until the deadline; 0 while it isn't held. */
    std::chrono::microseconds remaining() const noexcept;
    /** Asked to stop when this acquisition is lost, at once. */
    std::stop_token lostToken() const;
    /** How often it was taken and not given back. */
    int depth() const;
    /** Grows with every acquisition of this lock; empty where the scheme has none. */
    std::optional<quint64> fencingToken() const;

private:
    friend class BlockingLockManager;
    BlockingLock(std::shared_ptr<EventThread> thread, std::unique_ptr<Lock> lock, bool givesBack);

    using Done = std::function<void(const base::Result<bool> &)>;
    base::Result<bool> ask(std::function<void(Lock &, Done)> question);

    std::shared_ptr<EventThread> m_thread;
    std::unique_ptr<Lock> m_lock; ///< lives in the thread
    bool m_givesBack;             ///< at its end what it holds
};

} // namespace lockkeeper::locks
