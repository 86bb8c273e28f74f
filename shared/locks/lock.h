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
    bool renews = true; ///< by itself, at a third of the TTL
    /** Stands before the random part of each token: who holds it, for people, where the token is all that a
     * store keeps of a holder. Empty: the scheme's own tokens. */
    QByteArray tokenPrefix = {};
};

/**
 * A handle on one lock: takes it, keeps it by renewing, and gives it back when it is destroyed. One handle is
 * one owner: a second handle of the same name is somebody else, while this one may take again what it holds
 * and has to give it back as often (depth()).
 *
 * It never counts as held past its own deadline: the moment at which the store was asked, plus the TTL, less
 * a hundredth of it and 2 ms for clocks that don't go alike, on a clock that goes on while the machine
 * sleeps. That doesn't keep what it protects from being written to late: compare the fencing token there.
 *
 * Made by LockManager::lock() and lives in its thread; completions are called there, once, never from within
 * the call, and not at all for a handle that was destroyed. isHeld(), remaining() and lostToken() may be
 * asked from any thread. A manager that goes first leaves its handles lost. In a forked child it isn't held.
 */
class Lock final : public QObject
{
    Q_OBJECT

public:
    /** True: held; false: not, within the limit. An error: nothing more is known. */
    using Done = std::function<void(const base::Result<bool> &)>;

    ~Lock() override;

    QByteArray name() const;

    /** Takes the lock where it is free. */
    void tryAcquire(Done done);
    /**
     * Waits until the lock is held, `limit` has passed (none: for ever) or a stop is requested. In the
     * store's own order where its scheme has one; handles of one manager take turns. A store that can't be
     * reached is tried again until then.
     */
    void acquire(std::optional<std::chrono::milliseconds> limit, Done done, std::stop_token stop = {});
    /** Moves the deadline to a TTL from now. False: it was lost. */
    void renew(Done done = {});
    /** Gives it back, once for each time it was taken. False: it wasn't ours any more. */
    void release(Done done = {});

    bool isHeld() const noexcept;
    /** Until the deadline; 0 while it isn't held. */
    std::chrono::microseconds remaining() const noexcept;
    /** How often it was taken and not given back. */
    int depth() const;
    /** Grows with every acquisition of this lock; empty where the scheme has none. */
    std::optional<quint64> fencingToken() const;
    /** What proves this acquisition in the store. */
    QByteArray token() const;
    /** Asked to stop when this acquisition is lost, at once. */
    std::stop_token lostToken() const;

Q_SIGNALS:
    /** It was held and isn't any more, though nobody gave it back. */
    void lost(const lockkeeper::base::Error &why);

private:
    friend class LockManager;
    explicit Lock(std::unique_ptr<Holding> holding);

    std::unique_ptr<Holding> m_holding;
};

} // namespace lockkeeper::locks
